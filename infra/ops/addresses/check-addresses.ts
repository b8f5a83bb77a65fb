import * as v from 'valibot';
import { Address } from '../../../functions/domain/configuration/address.ts';
import { UsageError } from '../../local/command-line/usage-error.ts';

/** Each address once. Throws a `UsageError` that says which are not addresses, by their places and never their text. */
export function checkAddresses(addresses: readonly string[]): string[] {
  const wrong = addresses.flatMap((address, index) => (v.is(Address, address) ? [] : [index + 1]));
  if (wrong.length > 0) {
    throw new UsageError(
      wrong.map((place) => `Address ${place} of ${addresses.length} is not an address such as name@example.com.`),
    );
  }
  return [...new Map(addresses.map((address) => [address.toLowerCase(), address])).values()];
}
