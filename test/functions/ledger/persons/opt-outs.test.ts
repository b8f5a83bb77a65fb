import { expect, test } from 'vitest';
import { mergeOptOuts } from '../../../../functions/ledger/persons/opt-outs.ts';

const stopped = (reason: string, at: string) => ({ sk: 'SUPPRESSED', reason, at });
const left = (reason: string, at: string) => ({ sk: 'weekly', at, reason });
const [early, late] = ['2026-11-01T08:00:00Z', '2026-11-02T08:00:00Z'];

test.each([
  ['a complaint before a bounce', stopped('complaint', early), stopped('bounce', late), 'complaint'],
  ['what was not lifted later', stopped('bounce', early), { sk: 'SUPPRESSED', liftedAt: late }, undefined],
  ['what came after it was lifted', stopped('bounce', late), { sk: 'SUPPRESSED', liftedAt: early }, 'bounce'],
  ['the word of a person that left last', left('one', early), left('other', late), 'other'],
])('of two ledgers stands %s, whichever it is in', (_, one, other, reason) => {
  const reasons = [mergeOptOuts(one, other), mergeOptOuts(other, one)].map((merged) => Object(merged).reason);
  expect(reasons).toEqual([reason, reason]);
});
