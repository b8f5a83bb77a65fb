import { CsvError, parse } from 'csv-parse/sync';
import * as v from 'valibot';
import { Address } from '../../../functions/domain/configuration/fields.ts';

const headings = new Set(['address', 'email', 'e-mail', 'mail', 'email address', 'e-mail address']);
const mostFaults = 20;

/**
 * Reads addresses from the column that is headed `address` or `email`, else from the first column. A first line that holds
 * no address is a heading. Each address is given once regardless of case, with the number of lines whose address an earlier
 * line has, and the faults: a sentence for each line without an address, with the line's number and never its text.
 */
export function readAddressFile(text: string): { addresses: string[]; doubles: number; faults: string[] } {
  const { lines, fault } = readCsv(text);
  if (fault !== undefined) return { addresses: [], doubles: 0, faults: [fault] };
  const [first] = lines;
  const named = first?.cells.findIndex((cell) => headings.has(cell.toLowerCase())) ?? -1;
  const isHeading = named >= 0 || (first !== undefined && !first.cells.some((cell) => cell.includes('@')));
  const column = Math.max(0, named);
  const addresses = new Map<string, string>();
  const faults: string[] = [];
  let doubles = 0;
  for (const { line, cells } of isHeading ? lines.slice(1) : lines) {
    const address = cells[column] ?? '';
    if (!v.is(Address, address)) faults.push(`Line ${line} has no valid email address.`);
    else if (addresses.has(address.toLowerCase())) doubles += 1;
    else addresses.set(address.toLowerCase(), address);
  }
  const more = faults.length - mostFaults;
  const shown = more > 0 ? [...faults.slice(0, mostFaults), `${more} more lines have no valid email address.`] : faults;
  return { addresses: [...addresses.values()], doubles, faults: shown };
}

/** A line of a CSV file: its cells, and its number in the file, from 1. One with line breaks in its cells has its first number. */
interface CsvLine {
  line: number;
  cells: string[];
}

/**
 * The lines of a CSV file, RFC 4180: separated by commas, semicolons or tabs, whichever its first line has; quoted cells may
 * hold any of them, and line breaks. Empty lines are left out. Quotes that are not closed make the file unreadable: `fault`
 * says in which line, and never with its text.
 */
function readCsv(text: string): { lines: CsvLine[]; fault?: string } {
  // The parser counts both characters of a CRLF in a quoted cell as a line.
  const input = text.replaceAll('\r\n', '\n');
  const [first = ''] = input.split('\n', 1);
  const delimiter = [';', '\t'].find((each) => first.includes(each)) ?? ',';
  const lines: CsvLine[] = [];
  let end = 0;
  const keep = (cells: string[], position: { lines: number }): null => {
    end = position.lines;
    lines.push({ line: end - cells.join('').split('\n').length + 1, cells: cells.map((cell) => cell.trim()) });
    return null;
  };
  const tolerant = { bom: true, relax_column_count: true, relax_quotes: true, trim: true };
  try {
    parse(input, { delimiter, ...tolerant, skip_records_with_empty_values: true, on_record: keep });
    return { lines };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return {
      lines,
      fault: `The quotes in line ${end + 1} or after it are wrong: a quoted cell does not end with one.`,
    };
  }
}
