import { beforeAll, expect, test } from 'vitest';
import { putHistory, readHistory, type History } from '../../../../functions/ledger/runs/digests.ts';
import { openLedger, type Ledger } from '../open-ledger.ts';

let ledger: Ledger;
beforeAll(async () => {
  ledger = await openLedger();
});

const expiresAt = 1_900_000_000;
const listedIn = Date.parse('2026-11-09T00:00:00Z');
const history: History = {
  listed: 4,
  deliveries: new Map([
    ['__proto__', { listedIn, pending: true }],
    ['', { listedIn, createdAt: null, leftOut: true }],
    [
      'a',
      {
        listedIn,
        createdAt: listedIn,
        counted: { engaged: 5, undated: 1, seen: 4, responded: 2 },
        shown: true,
        engaged: true,
        new: true,
        namedIn: ['2026-11-02T00:00:00+00:00'],
      },
    ],
  ]),
  gone: new Set(['["delivery","x"]']),
};

test('the history of a digest comes back, is no other digest’s, and expires', async () => {
  const key = { run: 'weekly_2026-11-09', digest: 'a' };
  await putHistory(ledger.table, key, history, expiresAt);
  expect(await readHistory(ledger.table, key)).toEqual(history);
  expect(await readHistory(ledger.table, { ...key, digest: 'b' })).toBeNull();
  expect(await ledger.items('HISTORY#weekly_2026-11-09')).toMatchObject([{ expiresAt }]);
});
