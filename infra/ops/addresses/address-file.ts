import * as v from 'valibot';
import { Address } from '../../../functions/domain/configuration/address.ts';
import { readCsv } from './csv.ts';

const headings = new Set(['address', 'email', 'e-mail', 'mail', 'email address', 'e-mail address']);
const mostFaults = 20;

/** The addresses of a CSV file, each once regardless of case, and the faults of its lines. */
interface AddressFile {
  addresses: string[];
  /** Lines whose address an earlier line has. */
  doubles: number;
  /** A sentence for each line without an address, with the line's number and never its text. */
  faults: string[];
}

/**
 * Reads addresses from the column that is headed `address` or `email`, else from the first column. A first line that holds
 * no address is a heading.
 */
export function readAddressFile(text: string): AddressFile {
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
