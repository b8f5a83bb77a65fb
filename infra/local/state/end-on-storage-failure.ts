import { inspect } from 'node:util';
import { storageErrorOf } from '../emulators/storage-error.ts';
import { exitCodes } from '../output/outcome.ts';

/**
 * Ends this process where an embedded part can no longer write to its files, with one sentence and without closing
 * anything: the files are left as after a crash, and the next start goes on from there. Any other uncaught error is
 * printed as Node prints it.
 */
export function endOnStorageFailure(): void {
  process.once('uncaughtException', (error) => {
    process.stderr.write(`${storageErrorOf(error)?.message ?? inspect(error)}\n`);
    process.exit(exitCodes.noDigest);
  });
}
