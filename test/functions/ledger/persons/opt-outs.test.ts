import { expect, test } from 'vitest';
import { mergeOptOuts } from '../../../../functions/ledger/persons/opt-outs.ts';

const stopped = (reason: string, at: string, more: object = {}) => ({ sk: 'SUPPRESSED', reason, at, ...more });
const [early, late] = ['2026-11-01T08:00:00Z', '2026-11-02T08:00:00Z'];

test.each([
  ['a complaint before a bounce', stopped('complaint', early), stopped('bounce', late), 'complaint'],
  ['what was not lifted later', stopped('bounce', early), { sk: 'SUPPRESSED', liftedAt: late }, undefined],
  ['what came after it was lifted', stopped('bounce', late), { sk: 'SUPPRESSED', liftedAt: early }, 'bounce'],
  [
    'the word of a person that left last',
    { sk: 'weekly', at: early, reason: 'one' },
    { sk: 'weekly', at: late, reason: 'other' },
    'other',
  ],
])('of two ledgers stands %s, whichever it is in', (_, one, other, reason) => {
  expect([mergeOptOuts(one, other), mergeOptOuts(other, one)].map((merged) => Object(merged).reason)).toEqual([
    reason,
    reason,
  ]);
});
