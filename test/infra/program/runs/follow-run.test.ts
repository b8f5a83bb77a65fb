import { expect, test } from 'vitest';
import { putFound, putBatches, putWait } from '../../../../functions/ledger/runs/collections.ts';
import { insertRun, recordCollection, requireRun } from '../../../../functions/ledger/runs/runs.ts';
import { describeProgress } from '../../../../infra/program/runs/follow-run.ts';
import { openLedger } from '../../../functions/ledger/open-ledger.ts';
import { week } from '../../../functions/run/compose/collected-samples.ts';

const { table } = await openLedger();

const delivery = (n: number) => ({ id: `${n}`, broadcast: { id: '71', name: null }, status: 'delivered' });
const deliveries = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => delivery(from + n));
const gone = { reason: 'gone', status: 410 } as const;

test('while a run collects, its progress counts what is stored of what is wanted, phase by phase', async () => {
  const times = { scheduledTime: '2026-11-16T08:00:00Z', plannedAt: '2026-11-16T08:00:01Z' };
  await insertRun(table, { run: 'other_2026-W46', report: 'other', period: week, ...times }, 1_900_000_000);
  const key = { run: 'other_2026-W46', collection: 'one', now: new Date() };
  const describe = async () => await describeProgress(table, await requireRun(table, 'other', week));

  expect(await describe()).toBe('other_2026-W46: planned');
  await recordCollection(table, await requireRun(table, 'other', week), key.collection);
  expect(await describe()).toBe('other_2026-W46: reading the list of deliveries');
  const work = deliveries(0, 5).map((delivery) => ({ delivery, createdAt: null, firstSign: null }));
  await putBatches(table, key, { phase: 'recipients', work, largest: 3 });
  expect(await describe()).toBe('other_2026-W46: 0 of 5 deliveries counted');

  const found = (from: number, to: number) =>
    deliveries(from, to).map((each) => ({ delivery: each, unavailable: gone }));
  await putFound(table, key, { phase: 'recipients', batch: 0, from: 0 }, found(0, 3));
  expect(await describe()).toBe('other_2026-W46: 3 of 5 deliveries counted');

  await putFound(table, key, { phase: 'recipients', batch: 1, from: 0 }, found(3, 5));
  await putBatches(table, key, { phase: 'broadcasts', work: ['71', '72'], largest: 2 });
  expect(await describe()).toBe('other_2026-W46: 0 of 2 broadcasts read');
  await putWait(table, key, 'no answer');
  expect(await describe()).toBe('other_2026-W46: 0 of 2 broadcasts read: no answer');
});
