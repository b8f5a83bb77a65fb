import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readLogo } from '../../../infra/build/compile-templates.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logo-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('a logo is shown at half of its pixels', async () => {
  const png = await readFile('templates/pictures/logo.png');
  expect(await readLogo('templates/pictures/logo.png')).toEqual({
    png: png.toString('base64'),
    width: 120,
    height: 32,
  });
});

test.each([
  ['text.png', () => Buffer.from('<svg/>'), 'text.png: expected a PNG.'],
  ['heavy.png', heavy, 'heavy.png: expected at most 100000 bytes, found 200000: it is in every mail.'],
  ['wide.png', wide, 'wide.png: expected at most 576 pixels of width, found 1200.'],
])('%s is refused', async (name, make, message) => {
  await writeFile(join(folder, name), make(await readFile('templates/pictures/logo.png')));
  await expect(readLogo(join(folder, name))).rejects.toThrow(new TypeError(message));
});

function heavy(png: Buffer): Buffer {
  return Buffer.concat([png, Buffer.alloc(200_000 - png.length)]);
}

function wide(png: Buffer): Buffer {
  const changed = Buffer.from(png);
  changed.writeUInt32BE(1200, 16);
  return changed;
}
