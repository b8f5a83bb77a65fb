import { isUtf8 } from 'node:buffer';
import { CsvError, parse } from 'csv-parse/sync';
import * as v from 'valibot';
import { Address } from '../../../functions/domain/configuration/fields.ts';
import { UsageError } from '../command-line/flags.ts';

/** What a column of addresses is called in English, German and French: its letters, without accents. */
const ADDRESS_HEADING =
  /^(?:e?mail(?:s|address(?:es)?|adressen?)?|courriel|mel|adresse(?:e?mail|courriel|electronique))$/;
const mostFaults = 20;

/** The addresses in a file. */
export interface AddressFile {
  /** Each once, regardless of case. */
  addresses: string[];
  /** How many repeated an earlier one. */
  doubles: number;
  /** What is written above them; `null` without a heading. */
  heading: string | null;
}

/**
 * Reads a list of addresses, with one heading or none, or one column of a table: `column` (its heading or number), else the
 * one that is headed as addresses are, else the only one that has addresses. A cell may have several, each with a name:
 * `Ada <ada@example.com>`.
 *
 * @throws {UsageError} with a sentence for each line that does not give its people, with its number and never with its text
 */
export function readAddressFile(text: string, { column }: { column?: string | undefined } = {}): AddressFile {
  const lines = readCsv(text);
  const rows = lines.map(({ cells }) => cells);
  const { place, names } = findAddresses(rows, column);
  const isStray = (cell: string, index: number) =>
    index >= names.length ? cell !== '' : names[index] === '' && hasAt(cell);
  const addresses = new Map<string, string>();
  const faults: string[] = [];
  let doubles = 0;
  for (const { line, cells } of names.length === 0 ? lines : lines.slice(1)) {
    const found = (place === null ? cells : [cells[place] ?? '']).flatMap(addressesOf);
    if (place !== null && names.length > 0 && cells.some(isStray)) {
      faults.push(`Line ${line} has something in a column without a heading.`);
    } else if (found.length === 0 || !found.every((each) => v.is(Address, each))) {
      faults.push(`Line ${line}${place === null ? '' : `, column ${place + 1}`}: expected a valid email address.`);
    }
    for (const address of found) {
      if (addresses.has(address.toLowerCase())) doubles += 1;
      else addresses.set(address.toLowerCase(), address);
    }
  }
  const more = faults.splice(mostFaults).length;
  if (more > 0) faults.push(`Such lines in addition: ${more}.`);
  if (faults.length > 0) throw new UsageError(faults.join('\n'));
  return { addresses: [...addresses.values()], doubles, heading: names[place ?? 0] ?? null };
}

/** A file as text, in one of the encodings in which spreadsheets save: UTF-16 with its mark, UTF-8 or Windows-1252. */
export function decodeFile(bytes: Buffer): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  return new TextDecoder(isUtf16 ? 'utf-16le' : isUtf8(bytes) ? 'utf-8' : 'windows-1252').decode(bytes);
}

/**
 * Where the addresses are: the place of their column, or `null` for a list, in which every cell has some; and the headings in
 * the first line, if it has any. A line with an address is no heading, even where the `@` is missing. Throws a `UsageError`
 * where no column has addresses, or where several have them and nothing decides.
 */
function findAddresses(rows: readonly string[][], wanted?: string): { place: number | null; names: string[] } {
  if (!rows.flat().some(hasAt)) throw new UsageError('The file has no addresses.');
  const [first = []] = rows;
  const isWanted = (name: string) =>
    wanted === undefined ? ADDRESS_HEADING.test(lettersOf(name)) : name.toLowerCase() === wanted.toLowerCase();
  const headed = first.some(hasAt) ? [] : placesWhere(first, isWanted);
  const names = headed.length > 0 || !first.some(isLikeAddress) ? first : [];
  const below = names.length > 0 ? rows.slice(1) : rows;
  const isOneColumn = names.length === 1 || (headed[0] === 0 && names.slice(1).every((name) => name === ''));
  const isList = names.length > 0 ? isOneColumn : below.flat().every((cell) => cell === '' || isLikeAddress(cell));
  if (wanted === undefined && isList) return { place: null, names };

  const isPossible = (place: number) =>
    headed.length > 0 ? headed.includes(place) : wanted === undefined || wanted === String(place + 1);
  const filled = new Set(below.flatMap((cells) => placesWhere(cells, hasAt)));
  const [place, ...more] = [...filled].filter(isPossible).toSorted((one, other) => one - other);
  if (place === undefined) {
    throw new UsageError(`There are no addresses in a column "${wanted ?? names[headed[0] ?? 0]}".`);
  }
  if (more.length > 0) {
    const choice = [place, ...more].map((each) => (names[each] ? `${each + 1} (${names[each]})` : `${each + 1}`));
    throw new UsageError(`Several columns have addresses. Choose one with --column: ${choice.join(', ')}.`);
  }
  // A first line that has nothing in this column heads nothing: it may be a person whose address is missing.
  return { place, names: names[place] === '' ? [] : names };
}

const hasAt = (text: string): boolean => text.includes('@');

/** Whether a text is an address, perhaps a mistyped one: it has an `@` or ends like a domain. */
const isLikeAddress = (text: string): boolean => hasAt(text) || /\.\p{L}{2,}$/u.test(text);

const lettersOf = (text: string): string => text.normalize('NFD').replaceAll(/\P{L}/gu, '').toLowerCase();

const placesWhere = (cells: readonly string[], is: (cell: string) => boolean): number[] =>
  cells.flatMap((cell, place) => (is(cell) ? [place] : []));

/** What a cell has, valid or not: separated by semicolons, commas or spaces, without the names before angle brackets. */
function addressesOf(cell: string): string[] {
  const withoutNames = cell.replaceAll(/(?<![^\s;,])[^<>;@]*<([^<>]*)>/g, ' $1 ');
  return withoutNames.split(/[\s;,]+/).filter((part) => part !== '');
}

/**
 * The lines of a CSV file, RFC 4180, with their numbers from 1; one with line breaks in its cells has its first. They are
 * separated by commas, semicolons or tabs, whichever the first line has; quoted cells may hold any of them, and line breaks. Empty lines are left out. Throws a `UsageError` where quotes are not closed.
 */
function readCsv(text: string) {
  // The parser counts both characters of a CRLF in a quoted cell as a line.
  const input = text.replaceAll('\r\n', '\n');
  const [first = ''] = input.replaceAll(/"[^"]*"/g, '').split('\n', 1);
  const delimiter = [';', '\t'].find((each) => first.includes(each)) ?? ',';
  const lines: Array<{ line: number; cells: string[] }> = [];
  let end = 0;
  const keep = (cells: string[], position: { lines: number }): null => {
    end = position.lines;
    lines.push({ line: end - cells.join('').split('\n').length + 1, cells: cells.map((cell) => cell.trim()) });
    return null;
  };
  const tolerant = { bom: true, relax_column_count: true, relax_quotes: true, trim: true };
  try {
    parse(input, { delimiter, ...tolerant, skip_records_with_empty_values: true, on_record: keep });
    return lines;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new UsageError(`The quotes in line ${end + 1} or after it are wrong: a quoted cell does not end with one.`);
  }
}
