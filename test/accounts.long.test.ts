import { afterAll, expect, test } from 'vitest';
import { startCheck } from './support/accounts/check.ts';

const check = await startCheck();
afterAll(() => check.close());

const unavailable = 'cut-off list-empty dates-unreadable incomplete unreadable forbidden gone refused';
const uncompared = 'first not-kept incomplete-now incomplete-before counted-otherwise recounted left-list';
/** What some digest or other has to say, by the fields of digest.json: accounts of which nothing is to be said would be right, too. */
const expected = {
  kind: ['new', 'silent', 'active', null],
  judgedBy: ['silence', 'usual', 'half', 'nothing', null],
  basis: ['kept', 'none'],
  what: ['deliveries', 'delivery', 'broadcast', 'content', 'ratings', 'createdBy', 'contentType'],
  reason: ['unseen', 'too-few', ...unavailable.split(' '), ...uncompared.split(' ')],
  onlyNewest: [true],
  noMatch: [true],
};

test('of fifteen hundred accounts, each figure of digest.json is what can be known, or is named as missing', async () => {
  expect(await check.run({ seed: 8, cases: 1_500 })).toBeNull();
  const facts = Object.entries(expected).flatMap(([field, values]) =>
    values.map((value) => `"${field}":${JSON.stringify(value)}`),
  );
  expect(facts.filter((fact) => !check.met.has(fact))).toEqual([]);
}, 600_000);
