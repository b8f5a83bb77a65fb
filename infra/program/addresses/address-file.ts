import { CsvError, parse } from 'csv-parse/sync';
import * as v from 'valibot';
import { Address } from '../../../functions/domain/configuration/fields.ts';
import { UsageError } from '../command-line/flags.ts';

const mostFaults = 20;

const rowsSchema = v.array(v.object({ record: v.array(v.string()), info: v.object({ lines: v.number() }) }));

/**
 * Reads a column of a CSV file (RFC 4180; separated by commas, or by the semicolons or tabs of its headings): the one that is
 * headed "email" or the like, or the one whose heading is `column`, regardless of case. Gives each address once, and how many
 * `doubles` repeated an earlier one.
 *
 * @throws {UsageError} with a sentence for each line without a valid address, by its number and never by its text
 */
export function readAddressFile(text: string, { column }: { column?: string | undefined } = {}) {
  const [first, ...rows] = readCsv(text);
  const place = placeOfAddresses(first?.record ?? [], column);
  const addresses = new Map<string, string>();
  const faults: string[] = [];
  for (const { record, info } of rows) {
    const address = record[place] ?? '';
    const isValid = v.is(Address, address);
    if (!isValid) faults.push(`Line ${info.lines}, column ${place + 1}: expected a valid email address.`);
    else if (!addresses.has(address.toLowerCase())) addresses.set(address.toLowerCase(), address);
  }
  const unnamed = faults.splice(mostFaults).length;
  if (unnamed > 0) faults.push(`Such lines in addition: ${unnamed}.`);
  if (faults.length > 0) throw new UsageError(faults.join('\n'));
  return { addresses: [...addresses.values()], doubles: rows.length - addresses.size };
}

function placeOfAddresses(headings: readonly string[], column: string | undefined): number {
  const isMeant = (heading: string): boolean =>
    column === undefined ? /^e-?mail/i.test(heading) : heading.toLowerCase() === column.toLowerCase();
  const places = headings.flatMap((heading, place) => (isMeant(heading) ? [place] : []));
  const [place] = places;
  if (place !== undefined && places.length === 1) return place;
  const wanted = column === undefined ? 'is headed "email" or the like' : `has the heading "${column}"`;
  const named = headings.filter((heading) => heading !== '').join(', ');
  throw new UsageError(
    `${places.length === 0 ? 'No' : 'More than one'} column ${wanted}. Name it by its heading with --column: ${named}`,
  );
}

/** The rows that are not empty, each with the number of its last line. */
function readCsv(text: string): v.InferOutput<typeof rowsSchema> {
  const [headings = ''] = text.split('\n', 1);
  const delimiter = [';', '\t'].find((separator) => headings.includes(separator)) ?? ',';
  const tolerant = { bom: true, relax_quotes: true, trim: true, skip_empty_lines: true };
  try {
    return v.parse(
      rowsSchema,
      parse(text, { delimiter, ...tolerant, skip_records_with_empty_values: true, info: true }),
    );
  } catch (error) {
    if (error instanceof CsvError) throw new UsageError(`This is no CSV file. ${error.message}.`);
    throw error;
  }
}
