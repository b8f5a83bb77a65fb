import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ClassicLevel } from 'classic-level';
import * as v from 'valibot';
import { LocalError, storing } from '../local-error.ts';

/** A state folder that is in use by another run. */
export class StateInUseError extends LocalError {}

const locked = v.object({ cause: v.object({ code: v.literal('LEVEL_LOCKED') }) });

/**
 * Takes a state folder for this process, until released or until the process ends, however it ends: the lock is that of
 * an empty LevelDB, which is the kernel's record lock and cannot become stale.
 *
 * @throws {StateInUseError} where another run, in this process or another, holds it
 * @throws {LocalError} where the folder cannot be made or used
 */
export async function lockState(stateDir: string): Promise<{ release(): Promise<void> }> {
  return await storing(stateDir, async () => {
    await mkdir(stateDir, { recursive: true });
    const lock = new ClassicLevel(join(stateDir, 'lock'));
    try {
      await lock.open();
    } catch (error) {
      if (!v.is(locked, error)) throw error;
      throw new StateInUseError(`The state folder "${stateDir}" is in use by another run.`, { cause: error });
    }
    return { release: () => lock.close() };
  });
}
