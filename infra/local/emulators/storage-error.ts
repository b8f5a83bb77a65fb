/** A folder or file that cannot be used. The message names it and says what to do. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly code = 'storage';
}

type Cause = 'damaged' | 'full' | 'refused' | 'in-the-way' | 'other';

const causesByCode: Readonly<Record<string, Cause>> = {
  LEVEL_CORRUPTION: 'damaged',
  LEVEL_DECODING_ERROR: 'damaged',
  ENOSPC: 'full',
  EDQUOT: 'full',
  EFBIG: 'full',
  EACCES: 'refused',
  EPERM: 'refused',
  EROFS: 'refused',
  ENOTDIR: 'in-the-way',
  EEXIST: 'in-the-way',
  EISDIR: 'in-the-way',
  EIO: 'other',
};

/** LevelDB gives the system's own message in place of a code. */
const causesByWords: ReadonlyArray<readonly [RegExp, Cause]> = [
  [/No space left|Disk quota exceeded|File too large/i, 'full'],
  [/Permission denied|Operation not permitted|Read-only file system/i, 'refused'],
  [/Not a directory|Is a directory|File exists/i, 'in-the-way'],
  // A file that the database names and that is not there.
  [/No such file/i, 'damaged'],
];

/** Advice where the ledger's files are lost. It names the consequence of a new folder: mails may be sent twice. */
const afterLoss =
  'Move the folder away or delete it; without it there is no record of what was mailed, so a run may be mailed again.';

/**
 * The error of storage behind an error of Node's file system or of LevelDB; `null` where it is another kind of error.
 *
 * @param place the folder or file to name; by default the one that the error names
 */
export function storageErrorOf(error: unknown, place?: string): StorageError | null {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof StorageError) return cause;
    const kind = causeOf(cause);
    if (kind !== null) return new StorageError(sentenceOf(kind, place ?? placeOf(cause)), { cause: error });
  }
  return null;
}

/** Does work on a folder or file; what fails there because of the file system becomes a `StorageError` that names it. */
export async function storing<T>(place: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw storageErrorOf(error, place) ?? error;
  }
}

/** The error of a ledger whose files are damaged. */
export function damagedState(stateDir: string, cause?: unknown): StorageError {
  return new StorageError(sentenceOf('damaged', stateDir), { cause });
}

function causeOf(error: Error): Cause | null {
  const code = 'code' in error ? String(error.code) : '';
  const known = Object.hasOwn(causesByCode, code) ? causesByCode[code] : undefined;
  if (known !== undefined || code !== 'LEVEL_IO_ERROR') return known ?? null;
  return causesByWords.find(([words]) => words.test(error.message))?.[1] ?? 'other';
}

/** LevelDB names the file first: `IO error: /state/dynamodb/000003.log: No space left on device`. */
function placeOf(error: Error): string | null {
  if ('path' in error && typeof error.path === 'string') return error.path;
  return /^IO error: (.+): [^:]+$/.exec(error.message)?.[1] ?? null;
}

function sentenceOf(cause: Cause, place: string | null): string {
  const named = place === null ? 'A file' : `"${place}"`;
  const folder = place === null ? 'a folder below --state' : named;
  const sentences = {
    damaged: `The ledger's files in ${folder} are damaged or missing. ${afterLoss}`,
    full: `${named} cannot be written: the disk is full. Free some space and start again: it continues where it stopped.`,
    refused: `${named} cannot be written: the system does not allow it. Change its permissions, or name another folder.`,
    'in-the-way': `${named} cannot be used as a folder: a file is in the way. Move the file away, or name another folder.`,
    other: `${named} cannot be read or written: the disk reports an error. Repair the disk, or name another folder.`,
  } as const satisfies Record<Cause, string>;
  return sentences[cause];
}
