import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ClassicLevel } from 'classic-level';
import * as v from 'valibot';
import { storageErrorOf, storing } from './storage-error.ts';

const lockedError = v.object({ cause: v.object({ code: v.literal('LEVEL_LOCKED') }) });

/** A state folder that is in use by another run. */
export class StateInUseError extends Error {
  readonly code = 'state-in-use';

  constructor(stateDir: string, options: ErrorOptions) {
    super(`The state folder "${stateDir}" is in use by another run.`, options);
    this.name = 'StateInUseError';
  }
}

/**
 * Takes a state folder for this process, until released or until the process ends, however it ends: the lock is
 * LevelDB's, which is the kernel's record lock and cannot become stale.
 *
 * It is a database of its own, empty, because dynalite opens its own only with the first request and then throws where
 * nobody can catch it.
 *
 * @throws {StateInUseError} where another run, in this process or another, holds it.
 * @throws {StorageError} where the folder cannot be made or used
 */
export async function lockState(stateDir: string): Promise<{ release(): Promise<void> }> {
  await storing(stateDir, () => mkdir(stateDir, { recursive: true }));
  const lock = new ClassicLevel(join(stateDir, 'lock'));
  try {
    await lock.open();
  } catch (error) {
    if (v.is(lockedError, error)) throw new StateInUseError(stateDir, { cause: error });
    throw storageErrorOf(error, stateDir) ?? error;
  }
  return { release: () => lock.close() };
}
