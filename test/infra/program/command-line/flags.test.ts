import { expect, test } from 'vitest';
import { UsageError } from '../../../../infra/program/command-line/result.ts';
import { addresses } from '../../../../infra/program/command-line/flags.ts';

const both = ['ada@example.com', 'grace@example.com'];

test.each([
  'Ada King <ada@example.com>; Grace <grace@example.com>',
  'King, Ada <ada@example.com>;Hopper, Grace <grace@example.com>;',
  '"Ada" <ada@example.com>, \'grace@example.com\' <grace@example.com>',
  'ada@example.com, Grace <grace@example.com>',
  'ada@example.com,grace@example.com;ADA@example.com',
])('addresses are taken as a mail program copies them: %s', (copied) => {
  expect(addresses([copied])).toEqual(both);
});

test.each([
  'Ada <ada@example.com> Grace <grace@example.com>',
  'ada@example; grace@example.com',
  'Ada; ada@example.com',
  ';',
])('no address is taken of "%s", where one is not understood', (copied) => {
  expect(() => addresses([copied])).toThrow(UsageError);
});
