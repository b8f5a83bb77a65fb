import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Logo } from '../../functions/render/render.ts';

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** It is part of every message. */
const MOST_BYTES = 100_000;
/** The width that fits between the margins of a phone's screen. */
const WIDEST = 288;

/**
 * Reads a logo from a PNG, which is drawn for dense screens: half of its pixels are the mail's. Throws a `TypeError` for what
 * is none, or is too heavy or too wide for a mail.
 */
export async function readLogo(file: string): Promise<Logo> {
  const png = await readFile(file);
  const name = path.basename(file);
  if (!png.subarray(0, SIGNATURE.length).equals(SIGNATURE)) throw new TypeError(`${name}: expected a PNG.`);
  if (png.length > MOST_BYTES) {
    throw new TypeError(`${name}: expected at most ${MOST_BYTES} bytes, found ${png.length}: it is in every mail.`);
  }
  // The header chunk comes first: length, name, width and height, four bytes each.
  const width = Math.round(png.readUInt32BE(16) / 2);
  const height = Math.round(png.readUInt32BE(20) / 2);
  if (width > WIDEST) {
    throw new TypeError(`${name}: expected at most ${WIDEST * 2} pixels of width, found ${width * 2}.`);
  }
  return { png: png.toString('base64'), width, height };
}
