import { parseExactJson } from '../json.ts';

/**
 * The most bytes that are parsed in one piece, a body or a row of a list: the values take many times as much memory, and
 * that of a worker is limited.
 */
export const mostParsedBytes = 8 * 1024 * 1024;

/** An answer, or a part of it that has to be parsed in one piece, is too large. The message says which, and the bound. */
export class TooLargeError extends Error {
  override readonly name = 'TooLargeError';

  constructor(what: string, bytes: number) {
    super(`${what} is larger than ${bytes / 1024 / 1024} MiB`);
  }
}

/**
 * Reads the body of one answer. `write` and `end` throw a `SyntaxError` where it is not JSON, and a `TooLargeError` where a
 * part of it is too large to be parsed.
 */
export interface BodyReader<Body> {
  write(chunk: Buffer): void;
  /** Called when the whole body was written. */
  end(): Body;
}

/** Parses the body as a whole, once it is there. */
export function createJsonReader(): BodyReader<unknown> {
  const chunks: Buffer[] = [];
  return {
    write: (chunk) => void chunks.push(chunk),
    end: () => parseExactJson(Buffer.concat(chunks).toString('utf8')),
  };
}
