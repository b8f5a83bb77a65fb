import { expect, test } from 'vitest';
import { checkAccounts } from './support/accounts/check.ts';

/** What some digest or other has to say, by the fields of digest.json: accounts of which nothing is to be said would be right, too. */
const expected = {
  group: ['new', 'unseen', 'earlier'],
  what: ['deliveries', 'delivery', 'broadcast', 'content'],
  reason: (
    'unseen too-few still-counting delivered-again first-known large ' +
    'forbidden not-found gone failed cut-off unreadable dates-unreadable incomplete'
  ).split(' '),
  isLater: [true],
  stillCounting: [true],
  isLastMention: [true],
  mayHoldOnlyNewest: [true],
  asks: [true, false, null],
};

test('of fifteen hundred accounts, each figure of digest.json is a count of the rows, or is named as missing', async () => {
  const met = new Set<string>();
  const facts = Object.entries(expected).flatMap(([field, values]) =>
    values.map((value) => `"${field}":${JSON.stringify(value)}`),
  );
  await checkAccounts({ seed: 8, cases: 1_500 }, (digest) => {
    const text = JSON.stringify(digest);
    for (const fact of facts) if (!met.has(fact) && text.includes(fact)) met.add(fact);
  });
  expect(facts.filter((fact) => !met.has(fact))).toEqual([]);
}, 600_000);
