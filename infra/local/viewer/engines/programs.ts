import { accessSync, constants, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Whether all of these programs are on the path. */
export function areInstalled(...programs: readonly string[]): boolean {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return programs.every((program) => folders.some((folder) => isExecutable(join(folder, program))));
}

/** Whether a file can be run. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A temporary folder, which is removed with what is in it when it goes out of use. */
export function temporaryFolder(): AsyncDisposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), 'gallery-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) };
}

/** Preferences of Mozilla's programs as the file `user.js` of a profile. */
export function userJs(preferences: Readonly<Record<string, boolean | number | string>>): string {
  return Object.entries(preferences)
    .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
    .join('');
}
