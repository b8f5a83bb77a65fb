/** What keeps a local system from working, in a sentence for whoever started it: a folder, another run, an AWS emulator. */
export class LocalError extends Error {
  override name = 'LocalError';
}

/** Does work on a folder or file; what fails there because of the file system becomes a `LocalError` that names it. */
export async function storing<T>(place: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw namingPlace(place, error);
  }
}

/** An error of the file system as a `LocalError` that names the folder or file, and what helps; any other error as it is. */
export function namingPlace(place: string, error: unknown): unknown {
  const { code, cause, message = code }: { code?: string; cause?: unknown; message?: string } = Object(error);
  if (error instanceof LocalError || !/^(?:E[A-Z]+|LEVEL_\w+)$/.test(String(code))) return error;
  // LevelDB says what is wrong in the error's cause.
  const reason = cause instanceof Error ? cause.message : String(message);
  const [, help = ''] = remedies.find(([words]) => words.test(reason)) ?? [];
  return new LocalError(`"${place}" cannot be used: ${reason}${help}`, { cause: error });
}

const remedies = [
  [/^Corruption/, '. Put back a copy of it, or begin with another --state, where nobody has got a mail yet.'],
  [/no space left/i, '. Make room there and start it again: what is done stays done, and nobody gets a mail twice.'],
] as const;
