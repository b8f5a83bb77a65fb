import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { domainToASCII } from 'node:url';
import { CsvError, parse } from 'csv-parse/sync';
import * as v from 'valibot';
import { Address } from '../../../functions/domain/configuration/fields.ts';
import { UsageError } from './result.ts';

/** The addresses in the file at a path, as `readAddressFile` gives them. Throws a `UsageError` as it does, and where the file cannot be read. */
export async function addressesIn(path: string, flags: { column?: string | undefined }) {
  const file = await readFile(path).catch(() => {
    throw new UsageError(`The file "${path}" cannot be read.`);
  });
  return readAddressFile(file, flags);
}

const mostFaults = 20;

/** The heading of a column of addresses; an address is none, however it begins. */
const usualHeading = /^e-?mail[^@]*$/i;

const rowsSchema = v.array(v.object({ record: v.array(v.string()), info: v.object({ lines: v.number() }) }));

/**
 * Reads a column of a CSV file (RFC 4180 in UTF-8, or UTF-16 or windows-1252 as Excel writes it; separated by commas, by the semicolons
 * or tabs of its headings, or by what Excel's line `sep=` says): the one that is headed "email" or the like, or the one whose heading is
 * `column`, regardless of case; without headings, the one that has an address in the first line. Gives each address once, how many `doubles` repeated an earlier one, and the `domains` beyond ASCII
 * with their Punycode, which alone can be mailed to.
 *
 * @throws {UsageError} with a sentence for each line without a valid address, by its number and never by its text
 */
export function readAddressFile(file: Uint8Array, { column }: { column?: string | undefined } = {}) {
  const { place, rows } = columnOfAddresses(readCsv(decode(file)), column);
  const addresses = new Map<string, string>();
  const domains = new Map<string, string>();
  const faults: string[] = [];
  for (const { record, info } of rows) {
    const written = record[place] ?? '';
    const domain = written.slice(written.lastIndexOf('@') + 1);
    if (!/^[\x20-\x7e]*$/.test(domain)) domains.set(domain, domainToASCII(domain));
    const address = written.slice(0, -domain.length || undefined) + (domains.get(domain) ?? domain);
    if (!v.is(Address, address))
      faults.push(`Line ${info.lines}, column ${place + 1}: expected a valid email address.`);
    else if (!addresses.has(address.toLowerCase())) addresses.set(address.toLowerCase(), address);
  }
  const unnamed = faults.splice(mostFaults).length;
  if (unnamed > 0) faults.push(`Such lines in addition: ${unnamed}.`);
  if (faults.length > 0) throw new UsageError(faults.join('\n'));
  return { addresses: [...addresses.values()], doubles: rows.length - addresses.size, domains };
}

/** What is no UTF-8 is taken as windows-1252, of which any bytes are a text. */
function decode(file: Uint8Array): string {
  if (file[0] === 0xff && file[1] === 0xfe) return new TextDecoder('utf-16le').decode(file);
  return new TextDecoder(isUtf8(file) ? 'utf-8' : 'windows-1252').decode(file);
}

type Rows = v.InferOutput<typeof rowsSchema>;

/** The place of the column with the addresses, and the rows that have them: also the first one where it has no headings. */
function columnOfAddresses([first, ...rows]: Rows, column: string | undefined): { place: number; rows: Rows } {
  const headings = first?.record ?? [];
  const isMeant = (heading: string): boolean =>
    column === undefined ? usualHeading.test(heading) : heading.toLowerCase() === column.toLowerCase();
  const places = headings.flatMap((heading, place) => (isMeant(heading) ? [place] : []));
  const [place] = places;
  if (place !== undefined && places.length === 1) return { place, rows };
  const withAddress = headings.findIndex((heading) => heading.includes('@'));
  if (first !== undefined && withAddress !== -1 && column === undefined && places.length === 0)
    return { place: withAddress, rows: [first, ...rows] };
  const wanted =
    column === undefined ? 'is headed "email" or the like, or has an address in line 1' : `has the heading "${column}"`;
  const named = headings.filter((heading) => heading !== '' && !heading.includes('@')).join(', ');
  const columns = `${places.length === 0 ? 'No' : 'More than one'} column`;
  throw new UsageError(`${columns} ${wanted}. Name it by its heading with --column: ${named}`);
}

/** The rows that are not empty, each with the number of its last line. */
function readCsv(text: string): Rows {
  const [headings = ''] = text.split('\n', 1);
  const [, said] = /^sep=(.)\r?$/i.exec(headings) ?? [];
  const delimiter = said ?? [';', '\t'].find((separator) => headings.includes(separator)) ?? ',';
  const tolerant = { from_line: said === undefined ? 1 : 2, relax_quotes: true, trim: true };
  const withoutEmpty = { skip_empty_lines: true, skip_records_with_empty_values: true };
  try {
    return v.parse(rowsSchema, parse(text, { delimiter, ...tolerant, ...withoutEmpty, info: true }));
  } catch (error) {
    if (error instanceof CsvError) throw new UsageError(`This is no CSV file. ${error.message}.`);
    throw error;
  }
}
