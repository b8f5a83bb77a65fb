import fc from 'fast-check';
import * as v from 'valibot';
import { Address } from '../../../../functions/domain/configuration/fields.ts';

const text = (characters: readonly string[], minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...characters), { minLength, maxLength }).map((all) => all.join(''));

const local = text(['a', 'n', 'N', '.', '+', '-', '_', "'", '/', '=', '1'], 1, 4);
const domain = fc.constantFrom('example.com', 'example.com.au', 'ample.com', 'n-example.com', 'EXAMPLE.com', 'a.n.co');
const address = fc.tuple(local, domain).map((parts) => parts.join('@'));

/** Two different addresses, of which the first is often contained in the second. */
const containing: fc.Arbitrary<[string, string]> = fc
  .oneof(
    fc.tuple(address, address),
    fc.tuple(address, local).map(([one, before]) => [one, `${before}${one}`]),
    fc.tuple(address, fc.constantFrom('.au', '-x.de', 'm', '.a.n.co')).map(([one, after]) => [one, `${one}${after}`]),
    fc.tuple(address, local).map(([one, tag]) => [one, one.replace('@', `+${tag}@`)]),
  )
  .filter((pair): pair is [string, string] => pair.every((each) => v.is(Address, each)))
  .filter(([one, other]) => one.toLowerCase() !== other.toLowerCase());

/** Two different addresses, of which one is often contained in the other. */
export const relatedAddresses: fc.Arbitrary<[string, string]> = fc
  .tuple(containing, fc.boolean())
  .map(([[one, other], turned]) => (turned ? [other, one] : [one, other]));

/** The same address, written otherwise. */
export const inOtherCase = (given: string): string =>
  given.replaceAll(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
