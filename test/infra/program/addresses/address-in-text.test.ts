import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createAddressReplacer } from '../../../../infra/program/addresses/erase.ts';
import { inOtherCase, relatedAddresses } from './related-addresses.ts';

const replace = createAddressReplacer('n@example.com', 'forgotten');

describe('an address in a text', () => {
  test.each([
    ['n@example.com', 'forgotten'],
    ['Sent to N@Example.COM.', 'Sent to forgotten.'],
    ['<n@example.com>, n@example.com, (n@example.com)', '<forgotten>, forgotten, (forgotten)'],
    ['mailto:n@example.com?subject=x', 'mailto:forgotten?subject=x'],
    ['To: "n@example.com"; n@example.com: no', 'To: "forgotten"; forgotten: no'],
    ['Who? n@example.com... n@example.com!', 'Who? forgotten... forgotten!'],
    ['“n@example.com”—n@example.com', '“forgotten”—forgotten'],
    ['arn:aws:sts::1:assumed-role/Role/n@example.com', 'arn:aws:sts::1:assumed-role/Role/forgotten'],
  ])('is replaced where it is whole: %s', (text, expected) => {
    expect(replace(text)).toBe(expected);
  });

  test.each([
    'ann@example.com',
    'alan@example.com',
    'x+n@example.com',
    'x.n@example.com',
    "o'n@example.com",
    'x/n@example.com',
    'né-n@example.com',
    'n@example.com.au',
    'n@example.com-x.de',
    'n@example.community',
    'n@example.comé',
    'n@exampleXcom',
  ])('is left where it is a part of another: %s', (text) => {
    expect(replace(`for <${text}>, ${text}.`)).toBe(`for <${text}>, ${text}.`);
  });
});

const before = fc.constantFrom('', '<', '(', '"', 'mailto:', 'to: ', '[');
const after = fc.constantFrom('', '>', ')', '"', '.', ',', ';', ':', '?x=1', '!', '...', ']');
const places = fc.array(fc.record({ before, after, whose: fc.constantFrom('one', 'one in other case', 'other') }), {
  minLength: 1,
  maxLength: 6,
});

test('of two addresses in one text, each is replaced wherever it occurs, and the other nowhere', () => {
  fc.assert(
    fc.property(relatedAddresses, places, ([one, other], all) => {
      const write = (address: string): string =>
        all
          .map((place) => {
            const otherwise = place.whose === 'one' || address !== one ? address : inOtherCase(address);
            return `${place.before}${place.whose === 'other' ? other : otherwise}${place.after}`;
          })
          .join(' ');
      expect(createAddressReplacer(one, 'forgotten')(write(one))).toBe(write('forgotten'));
    }),
    { numRuns: 1_000 },
  );
});
