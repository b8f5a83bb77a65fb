import { expect, test } from 'vitest';
import {
  changeCurrent,
  knownDeliveries,
  observedLists,
  readCurrent,
} from '../../../../functions/ledger/observations.ts';
import { insertRun, requireRun } from '../../../../functions/ledger/runs/runs.ts';
import { describeProgress } from '../../../../infra/program/runs/outcome.ts';
import { openLedger } from '../../../functions/ledger/open-ledger.ts';
import { week } from '../../../functions/run/kept-run.ts';

const { table } = await openLedger();

test('while a run waits for an observation, its progress counts what was read of the account', async () => {
  const times = { scheduledTime: '2026-11-16T08:00:00Z', plannedAt: '2026-11-16T08:00:01Z' };
  await insertRun(table, { run: 'other_2026-W46', report: 'other', period: week, ...times }, 1_900_000_000);
  const describe = async () => await describeProgress(table, 'sample', await requireRun(table, 'other', week));
  expect(await describe()).toBe('other_2026-W46: planned');

  const begun = { id: 'one', atMs: 1, begunMs: 1, settings: '', owner: 'e', leaseMs: 2, state: 'open' as const };
  await changeCurrent(table, 'sample', null, begun);
  expect(await describe()).toBe('other_2026-W46: reading the list of deliveries');
  const key = { account: 'sample', observation: 'one', now: new Date() };
  const place = { broadcastId: '71', month: '2026-11' };
  await observedLists.put(table, key, { rows: 2, added: 2, deliveries: 2, batches: 2 });
  expect(await describe()).toBe('other_2026-W46: 0 of 2 deliveries read');
  const known = { isListed: true, firstSignMs: null, begunMs: 1, followedUntilMs: 1, readMs: 1, mayBeReadLater: false };
  await knownDeliveries.put(table, key, [{ ...place, ...known, id: 'a' }], 0);
  expect(await describe()).toBe('other_2026-W46: 1 of 2 deliveries read');
  await changeCurrent(table, 'sample', await readCurrent(table, 'sample'), { state: 'closed' });
  expect(await describe()).toBe('other_2026-W46: planned');
});
