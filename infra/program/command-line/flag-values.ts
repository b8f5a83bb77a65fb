import { accessSync, constants, statSync, type Stats } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import { Address, BaseUrl } from '../../../functions/domain/configuration/fields.ts';
import { UsageError } from './usage-error.ts';

// What the values of flags and the words of a call are read with. Each throws a `UsageError` that says what was expected.

/** An instant, ISO 8601 with `Z` or an offset, as it was written. */
export function instant(text: string): string {
  try {
    Temporal.Instant.from(text);
    return text;
  } catch {
    throw new UsageError('Expected an instant, ISO 8601 with Z or an offset, such as 2026-11-16T08:00:00Z.');
  }
}

/** Addresses, each once regardless of case: one more and the `others`. */
export function address(text: string, others: readonly string[] = []): string[] {
  if (!v.safeParse(Address, text).success) throw new UsageError(`"${text}" is not a valid email address.`);
  const isKnown = others.some((other) => other.toLowerCase() === text.toLowerCase());
  return isKnown ? [...others] : [...others, text];
}

/** The base address of a running service, without a slash at its end. */
export function serviceUrl(text: string): string {
  const parsed = v.safeParse(BaseUrl, text);
  if (!parsed.success) throw new UsageError(parsed.issues[0].message);
  return parsed.output;
}

/**
 * The address of an AWS emulator, without a slash at its end. AWS itself is refused by its name; where it has another one, it
 * refuses the credentials, which are made up.
 */
export function emulatorUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:\/\/[^\s\\?#@]+$/i.test(text)) {
    throw new UsageError('Expected the address of an AWS emulator, such as http://localhost:4566.');
  }
  if (/(?:^|\.)(?:amazonaws|amazonwebservices)\.|\.aws\.?$/.test(url.hostname)) {
    throw new UsageError('This is AWS itself; only an emulator is accepted.');
  }
  return text.replace(/\/+$/, '');
}

/** Messages a second, above 0 and at most 10,000. */
export function sendRate(text: string): number {
  const rate = Number(text);
  if (rate > 0 && rate <= 10_000) return rate;
  throw new UsageError('Expected a number above 0, at most 10000.');
}

/** Refuses folders that cannot be written, by the names of their flags. Nothing is made yet. */
export function checkFolders(folders: Readonly<Record<string, string>>): void {
  for (const [flag, folder] of Object.entries(folders)) {
    if (folder === '') throw new UsageError(`--${flag} needs a value.`);
    checkFolder(flag, resolve(folder));
  }
}

/** A folder that is missing is made later: what counts is the nearest one above it. */
function checkFolder(flag: string, folder: string): void {
  const existing = statsOf(folder);
  if (existing === null) return checkFolder(flag, dirname(folder));
  if (!existing.isDirectory()) throw new UsageError(`--${flag}: "${folder}" is a file, not a folder.`);
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch {
    throw new UsageError(`--${flag}: "${folder}" cannot be written.`);
  }
}

/** `null` where there is nothing, or nothing that can be looked at: the folder above says why. */
function statsOf(folder: string): Stats | null {
  try {
    return statSync(folder);
  } catch {
    return null;
  }
}
