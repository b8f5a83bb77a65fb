import * as v from 'valibot';
import { Address } from '../../../functions/domain/configuration/address.ts';
import { shorten, UsageError } from '../../local/command-line/usage-error.ts';

/** Each address once. Throws a `UsageError` that says which are not addresses; what looks like one is never repeated. */
export function checkAddresses(addresses: readonly string[]): string[] {
  const faults = addresses.flatMap((address, index) => {
    if (v.is(Address, address)) return [];
    const place = addresses.length === 1 ? '' : ` (${index + 1} of ${addresses.length})`;
    return [`"${shorten(address)}"${place} is not a valid email address.`];
  });
  if (faults.length > 0) throw new UsageError(faults);
  return [...new Map(addresses.map((address) => [address.toLowerCase(), address])).values()];
}
