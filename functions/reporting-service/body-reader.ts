import { parseJson } from './json.ts';

/** Reads the body of one answer. `write` and `end` throw a `SyntaxError` where it is no JSON. */
export interface BodyReader<Body> {
  write(chunk: Buffer): void;
  /** The whole body was written. */
  end(): Body;
}

/** Parses the body as a whole, once it is there. */
export function createJsonReader(): BodyReader<unknown> {
  const chunks: Buffer[] = [];
  return {
    write: (chunk) => void chunks.push(chunk),
    end: () => parseJson(Buffer.concat(chunks).toString('utf8')),
  };
}
