import { inspect } from 'node:util';
import * as v from 'valibot';

/** What keeps a local system from working, in a sentence for whoever started it: a folder, another run, an AWS emulator. */
export class LocalError extends Error {
  override name = 'LocalError';
}

/** Codes of Node's file system, such as ENOSPC, and of LevelDB. */
const storageError = v.object({ code: v.pipe(v.string(), v.regex(/^(?:E[A-Z]+|LEVEL_\w+)$/)) });
const levelError = v.object({ code: v.pipe(v.string(), v.startsWith('LEVEL_')) });

/** Does work on a folder or file; what fails there because of the file system becomes a `LocalError` that names it. */
export async function storing<T>(place: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof LocalError || !v.is(storageError, error)) throw error;
    throw new LocalError(`"${place}" cannot be used: ${rootOf(error).message}`, { cause: error });
  }
}

/**
 * Ends this process where an embedded part can no longer write to its files, with one sentence and without closing
 * anything: the files are left as after a crash, and the next start goes on from there. Any other uncaught error is
 * printed as Node prints it.
 */
export function endOnStorageFailure(): void {
  process.once('uncaughtException', (error) => {
    // Dynalite throws where nobody can catch it.
    const sentence = v.is(levelError, error) ? `The ledger cannot be used: ${rootOf(error).message}` : inspect(error);
    process.stderr.write(`${error instanceof LocalError ? error.message : sentence}\n`);
    process.exit(1);
  });
}

/** LevelDB says what is wrong in the error's cause. */
function rootOf(error: { code: string; cause?: unknown }): Error {
  if (error.cause instanceof Error) return error.cause;
  return error instanceof Error ? error : new Error(error.code);
}
