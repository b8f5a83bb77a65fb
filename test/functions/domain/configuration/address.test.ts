import * as v from 'valibot';
import { expect, test } from 'vitest';
import { Address } from '../../../../functions/domain/configuration/fields.ts';

test.each(['ada@example.com', "o'hara+digest@mail.example.co.uk"])('%s is an address', (text) => {
  expect(v.is(Address, text)).toBe(true);
});

test.each([
  'ada.example.com',
  '@example.com',
  'ada@',
  'ada@example',
  'ada@@example.com',
  'ada @example.com',
  'a..b@example.com',
])('%s is none', (text) => {
  expect(v.is(Address, text)).toBe(false);
});
