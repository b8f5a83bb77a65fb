import { createHash } from 'node:crypto';
import { mostParsedBytes, TooLargeError, type BodyReader } from '../requests/body-reader.ts';
import { isObject } from '../json.ts';
import { createRowSplitter, type RowSplitter } from './row-splitter.ts';
import type { RowSink } from './rows.ts';
import { isAboutTheAnswer } from './said-failure.ts';

/** The body of a list, read: its rows as the sink took them, and what it says beside them. */
export interface ListBody<Taken> {
  /** The body; in place of rows that were too many to be parsed with it, its lists hold one `null`. */
  said: unknown;
  /** The array-valued properties of the body by name, without empty ones for errors; `null` where the body itself is the list. */
  lists: readonly string[] | null;
  rows: Taken;
  count: number;
  /**
   * Two bodies with the same hash are the same, word for word. `null` where nobody on the page
   * did anything yet: two such pages may honestly be alike.
   */
  hash: string | null;
}

/**
 * A body up to this size is parsed as a whole, which is fastest; a longer one as it arrives, in blocks of rows. So a worker
 * takes 136 MiB with 64 lists of 100,000 rows in flight, and 130 MiB with 8 of 400,000. Parsed as a whole, they would take
 * 458 and 552 MiB, and one of 60 MiB whose rows are empty arrays more than the function has.
 */
const wholeBytes = 256 * 1024;

/** Reads a list and gives its rows to `sink` as they arrive: the memory that it takes does not grow with the list. */
export function createListReader<Taken>(
  sink: RowSink<Taken>,
  parse: (text: string) => unknown,
): BodyReader<ListBody<Taken>> {
  const hash = createHash('sha1');
  let held: Buffer[] = [];
  let size = 0;
  let count = 0;
  let splitter: RowSplitter | null = null;

  const take = (rows: readonly unknown[]): void => {
    count += rows.length;
    sink.take(rows);
  };

  const takeTooLarge = (): void => {
    if (sink.takeTooLarge === undefined) throw new TooLargeError('a row of the list', mostParsedBytes);
    count += 1;
    sink.takeTooLarge();
  };

  return {
    write: (chunk) => {
      size += chunk.length;
      hash.update(chunk);
      if (splitter !== null) return splitter.write(chunk);
      held.push(chunk);
      if (size <= wholeBytes) return;
      splitter = createRowSplitter({ take, takeTooLarge, parse });
      for (const early of held) splitter.write(early);
      held = [];
    },
    end: () => {
      const text = splitter === null ? wholeOf(held, size).toString('utf8') : null;
      const said = splitter === null ? parse(text ?? '') : splitter.end();
      const lists = namesOfLists(said);
      if (splitter === null) take(rowsIn(said, lists));
      return {
        said,
        lists,
        rows: sink.result(),
        count,
        hash: text === null || isTelling(text) ? hash.digest('base64') : null,
      };
    },
  };
}

/** Whether a body is no page of recipients, or one on which somebody did something. */
function isTelling(text: string): boolean {
  return !text.includes('"seenAt"') || /"(?:seen|responded)At"\s*:\s*(?!null|""|\s)/.test(text);
}

/** All chunks in one; mostly there is only one. */
function wholeOf(chunks: readonly Buffer[], size: number): Buffer {
  const [only] = chunks;
  return only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks, size);
}

function namesOfLists(said: unknown): string[] | null {
  if (Array.isArray(said)) return null;
  if (!isObject(said)) return [];
  return Object.entries(said).flatMap(([name, value]) =>
    Array.isArray(value) && (value.length > 0 || !isAboutTheAnswer(name)) ? [name] : [],
  );
}

/** The rows of the only list; none where there are several, since it is not known which is meant. */
function rowsIn(said: unknown, lists: readonly string[] | null): readonly unknown[] {
  if (Array.isArray(said)) return said;
  const [only, ...others] = lists ?? [];
  const list = only !== undefined && others.length === 0 && isObject(said) ? said[only] : [];
  return Array.isArray(list) ? list : [];
}
