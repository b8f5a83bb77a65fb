import { expect, test } from 'vitest';
import {
  addressesSubject,
  readActions,
  recordAction,
  recordOrderOutcome,
} from '../../../../functions/ledger/runs/actions.ts';
import { openLedger } from '../open-ledger.ts';

const ledger = await openLedger();

const expiresAt = 4_000_000_000;
const by = 'grace';
const at = '2026-11-16T08:00:00Z';

test('what operators did is read in its order, by its subject, and what became of an order with it', async () => {
  const hold = { what: 'hold', by, at: '2026-11-16T08:00:00Z', run: 'weekly_2026-W46' } as const;
  const release = { ...hold, what: 'release', at: '2026-11-16T09:00:00Z', detail: 'x' } as const;
  const key = await recordAction(ledger.table, 'weekly', release, expiresAt);
  expect(await recordAction(ledger.table, 'weekly', hold, expiresAt)).not.toBe(key);
  await recordAction(ledger.table, addressesSubject, { what: 'forget-address', by, at }, expiresAt);
  const outcome = { state: 'refused', error: { code: 'not-held', message: 'It is not held.' } } as const;
  await recordOrderOutcome(ledger.table, { name: 'weekly' }, key, outcome);
  await recordOrderOutcome(ledger.table, { name: 'weekly' }, 'no-such-key', { state: 'done' });
  expect(await readActions(ledger.table, 'weekly')).toEqual([hold, { ...release, outcome }]);
  expect(await readActions(ledger.table, addressesSubject)).toEqual([{ what: 'forget-address', by, at }]);
  expect(await readActions(ledger.table, 'daily')).toEqual([]);
});
