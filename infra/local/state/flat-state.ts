import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { lockState } from '../emulators/state-lock.ts';
import { storing, StorageError } from '../emulators/storage-error.ts';

/** What earlier releases kept directly in the folder of `--state`, beside their lock. */
const flatNames = ['dynamodb', 'ses-events', 'signing-secret', 'logs', 'bundles'] as const;

/**
 * Moves what an earlier release left directly in `state` into `folder`, below it, while nobody uses it. A move that was
 * interrupted is finished.
 *
 * @throws {StateInUseError} where a process of the earlier release uses it
 * @throws {StorageError} where `folder` has a ledger of its own already, or the files cannot be moved
 */
export async function adoptFlatState(state: string, folder: string): Promise<void> {
  const left = (): string[] => flatNames.filter((name) => existsSync(join(state, name)));
  if (left().length === 0) return;
  const lock = await lockState(state);
  try {
    // Read again under the lock: another start may have moved them meanwhile.
    const names = left();
    if (names.some((name) => existsSync(join(folder, name)))) throw twoLedgers(state, folder);
    await storing(state, async () => {
      await mkdir(folder, { recursive: true });
      for (const name of names) await rename(join(state, name), join(folder, name));
      // Still held: a process that takes it after this takes another one.
      await rm(join(state, 'lock'), { recursive: true, force: true });
    });
  } finally {
    await lock.release();
  }
}

function twoLedgers(state: string, folder: string): StorageError {
  return new StorageError(
    `The state folder "${state}" has a ledger of an earlier release beside the one in "${folder}": ` +
      `move one of them away (those of the earlier release are ${flatNames.join(', ')}).`,
  );
}
