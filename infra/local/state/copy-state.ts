import { cp, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { lockState } from '../emulators/state-lock.ts';
import { storing } from '../emulators/storage-error.ts';

/** What a copy has no use for: the lock of the original, and what is built or written anew. */
const left = new Set(['lock', 'bundles', 'logs']);

/**
 * Copies a state folder, if there is one, to a temporary folder that is removed when `started` is disposed of.
 *
 * @throws {StateInUseError} where another run uses the state folder
 * @throws {StorageError} where a folder cannot be used
 */
export async function copyState(state: string, started: AsyncDisposableStack): Promise<string> {
  const copy = await storing(tmpdir(), () => mkdtemp(join(tmpdir(), 'broadcast-digest-')));
  started.defer(() => rm(copy, { recursive: true, force: true }));
  if (!(await exists(state))) return copy;
  const lock = await lockState(state);
  try {
    const filter = (source: string): boolean => !left.has(basename(source));
    await storing(copy, () => cp(state, copy, { recursive: true, filter }));
  } finally {
    await lock.release();
  }
  return copy;
}

async function exists(folder: string): Promise<boolean> {
  return (await stat(folder).catch(() => null)) !== null;
}
