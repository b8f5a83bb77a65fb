import { mostParsedBytes, TooLargeError } from '../requests/body-reader.ts';

/**
 * Cuts JSON into blocks of rows while it arrives. Both methods throw a `SyntaxError` where it is not JSON, and a
 * `TooLargeError` where the part beside its lists is too large to be parsed.
 */
export interface RowSplitter {
  write(chunk: Buffer): void;
  /** The JSON with one `null` in place of all rows of a list; a list without rows stays empty. */
  end(): unknown;
}

/** Rows are parsed in blocks of about this size, which is faster than one by one. */
const blockBytes = 64 * 1024;

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
const openArray = 0x5b;
const closeArray = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/**
 * Takes the rows out of a list that is the whole JSON, or a property of the object that it is, and gives them to `take`
 * in blocks. Only brackets, commas and texts are distinguished here; every byte goes through the JSON parser, in a block or
 * in the rest, so that invalid JSON is found. A row of more than `mostParsedBytes` is not parsed: `takeTooLarge` is called
 * instead.
 */
export function createRowSplitter({
  take,
  takeTooLarge,
  parse,
}: {
  take: (rows: readonly unknown[]) => void;
  takeTooLarge: () => void;
  parse: (text: string) => unknown;
}): RowSplitter {
  const said: Buffer[] = [];
  let saidSize = 0;
  let block: Buffer[] = [];
  let blockSize = 0;
  /** Where in the block its last row begins, and whether that is too large: then it is neither kept nor parsed. */
  let rowStart = 0;
  let isTooLarge = false;
  let depth = 0;
  let isArrayAtRoot = false;
  /** The depth inside the list that is being read; 0 outside of any. */
  let listDepth = 0;
  let inText = false;
  let escaped = false;
  let hasRows = false;
  /** The last block ended at a comma: another row has to follow. */
  let rowIsDue = false;

  const keep = (part: Buffer): void => {
    if (part.length === 0) return;
    if (listDepth === 0) {
      saidSize += part.length;
      if (saidSize > mostParsedBytes) throw new TooLargeError('what the answer says beside its list', mostParsedBytes);
      said.push(Buffer.from(part));
      return;
    }
    if (isTooLarge) return;
    block.push(part);
    blockSize += part.length;
    if (blockSize - rowStart > mostParsedBytes) dropRow();
  };
  /** Parses the rows before the last one, which is too large, and drops that. */
  const dropRow = (): void => {
    const before = Buffer.concat(block, blockSize).subarray(0, Math.max(0, rowStart - 1));
    block = [before];
    blockSize = before.length;
    if (rowStart > 0) flush(true);
    block = [];
    blockSize = 0;
    rowStart = 0;
    isTooLarge = true;
  };
  const flush = (cutAtComma: boolean): void => {
    rowStart = 0;
    if (isTooLarge) {
      isTooLarge = false;
      hasRows = true;
      rowIsDue = cutAtComma;
      return takeTooLarge();
    }
    const text = Buffer.concat(block, blockSize).toString('utf8');
    block = [];
    blockSize = 0;
    if (text.trim() === '' && (rowIsDue || cutAtComma)) throw new SyntaxError('A list has a comma without a row.');
    rowIsDue = cutAtComma;
    const rows = parse(`[${text}]`);
    if (!Array.isArray(rows)) return;
    hasRows ||= rows.length > 0;
    take(rows);
  };

  return {
    write: (chunk) => {
      let start = 0;
      for (let index = 0; index < chunk.length; index += 1) {
        const byte = chunk[index];
        if (inText) {
          if (escaped) escaped = false;
          else if (byte === backslash) escaped = true;
          else if (byte === quote) inText = false;
          continue;
        }
        if (byte === quote) inText = true;
        else if (byte === comma) {
          if (listDepth === 0 || depth !== listDepth) continue;
          if (!isTooLarge && blockSize + index - start < blockBytes) {
            rowStart = blockSize + index + 1 - start;
            continue;
          }
          keep(chunk.subarray(start, index));
          start = index + 1;
          flush(true);
        } else if (byte === openArray || byte === openObject) {
          depth += 1;
          if (depth === 1) isArrayAtRoot = byte === openArray;
          const opensList = listDepth === 0 && byte === openArray && depth === (isArrayAtRoot ? 1 : 2);
          if (!opensList) continue;
          keep(chunk.subarray(start, index + 1));
          start = index + 1;
          listDepth = depth;
        } else if (byte === closeArray || byte === closeObject) {
          if (listDepth !== 0 && depth === listDepth) {
            keep(chunk.subarray(start, index));
            start = index;
            flush(false);
            if (hasRows) said.push(Buffer.from('null'));
            hasRows = false;
            listDepth = 0;
          }
          depth -= 1;
        }
      }
      keep(chunk.subarray(start));
      // Copied, so that the few bytes that are held do not keep the whole chunk in memory.
      const last = block.at(-1);
      if (last !== undefined && last.buffer === chunk.buffer) block[block.length - 1] = Buffer.from(last);
    },
    end: () => parse(Buffer.concat(said).toString('utf8')),
  };
}
