import { beforeAll, expect, test } from 'vitest';
import {
  discardKeptDigest,
  holdRun,
  insertRun,
  keepDigest,
  readRun,
  recordCollection,
  recordIntended,
  recordOutcome,
  recordSending,
  releaseHeldRun,
  type Run,
} from '../../../../functions/ledger/runs/runs.ts';
import { putTriggerSubscribers, readTriggerSubscribers } from '../../../../functions/ledger/runs/triggers.ts';
import { runName, type Period } from '../../../../functions/domain/period.ts';
import { named } from '../../../support/named.ts';
import { openLedger, type Ledger } from '../open-ledger.ts';

let ledger: Ledger;
beforeAll(async () => {
  ledger = await openLedger();
});

const expiresAt = 1_900_000_000;
const period: Period = {
  kind: 'week',
  start: '2026-11-09T00:00:00+00:00',
  end: '2026-11-16T00:00:00+00:00',
  timeZone: 'Europe/London',
  startDate: '2026-11-09',
  name: '2026-W46',
};
let reports = 0;

function planned(report: string, over: Partial<Period> = {}) {
  const of = { ...period, ...over };
  return {
    run: runName(report, of),
    report,
    period: of,
    scheduledTime: '2026-11-16T08:00:00Z',
    plannedAt: '2026-11-16T08:00:01Z',
    plannedBy: 'schedule' as const,
  };
}

async function planRun(): Promise<Run> {
  reports += 1;
  const run = planned(`report-${reports}`);
  await insertRun(ledger.table, run, expiresAt);
  return await again(run);
}

async function again({ report }: { report: string }): Promise<Run> {
  const run = await readRun(ledger.table, report, period);
  if (run === null) throw new Error('The run is not there.');
  return run;
}

test('a run is planned once', async () => {
  const run = planned('once');
  expect(await insertRun(ledger.table, run, expiresAt)).toBe(true);
  expect(await insertRun(ledger.table, { ...run, scheduledTime: '2026-11-17T08:00:00Z' }, expiresAt)).toBe(false);
  expect(await again(run)).toEqual({ ...run, state: 'planned', intended: 0, sentNow: 0 });
  expect(await readRun(ledger.table, 'once', named('2026-W47'))).toBeNull();
});

test('the number of intended messages only rises', async () => {
  const run = await planRun();
  for (const intended of [3, 5, 4]) await recordIntended(ledger.table, run, intended);
  expect((await again(run)).intended).toBe(5);
});

test('the first of several digests is stored, and stays', async () => {
  const run = await planRun();
  const kept = await Promise.all(
    ['a', 'b', 'c'].map((digest) => keepDigest(ledger.table, run, digest, { withheld: null })),
  );
  expect(kept.filter(Boolean)).toHaveLength(1);
  const winner = ['a', 'b', 'c'][kept.indexOf(true)];
  expect(await again(run)).toMatchObject({ digest: winner, state: 'kept' });
  expect(await keepDigest(ledger.table, run, 'd', { withheld: 'held' })).toBe(false);
  expect(await again(run)).toMatchObject({ digest: winner, state: 'kept' });
});

test.each([
  { withheld: 'held', state: 'held' },
  { withheld: 'empty', state: 'kept' },
] as const)('a digest that is withheld ($withheld) says so', async ({ withheld, state }) => {
  const run = await planRun();
  await keepDigest(ledger.table, run, 'a', { withheld, mail: 'hash', missing: 2 });
  expect(await again(run)).toMatchObject({ digest: 'a', mail: 'hash', missing: 2, state, withheld });
});

const summary = { balanced: true, sent: 3, failed: 1, unknown: 0 };

test('what the receipt says goes with the digest', async () => {
  const run = await planRun();
  await keepDigest(ledger.table, run, 'a', { withheld: null, missing: 2 });
  await recordOutcome(ledger.table, run, { state: 'done', sentNow: 3, finishedAt: '2026-11-16T08:05:00Z', summary });
  expect((await again(run)).summary).toEqual(summary);
  const discarded = { execution: 'execution-1', at: '2026-11-16T09:30:00Z', digest: 'a' };
  expect(await discardKeptDigest(ledger.table, await again(run), discarded)).toBe(true);
  const { missing, summary: left } = await again(run);
  expect({ missing, left }).toEqual({ missing: undefined, left: undefined });
});

test('a failure is recorded, and removed once the run continues', async () => {
  const run = await planRun();
  const error = { code: 'service-unavailable', message: 'The list is not available.' };
  await recordOutcome(ledger.table, run, { state: 'failed', sentNow: 0, finishedAt: '2026-11-16T08:01:00Z', error });
  expect(await again(run)).toMatchObject({ state: 'failed', error, finishedAt: '2026-11-16T08:01:00Z' });
  await keepDigest(ledger.table, run, 'a', { withheld: null });
  expect((await again(run)).error).toBeUndefined();
  await recordSending(ledger.table, await again(run));
  expect((await again(run)).state).toBe('sending');
  await recordOutcome(ledger.table, run, { state: 'done', sentNow: 3, finishedAt: '2026-11-16T08:05:00Z' });
  expect(await again(run)).toMatchObject({ state: 'done', sentNow: 3, finishedAt: '2026-11-16T08:05:00Z' });
});

test('a run that is done stays done, also where a later trigger fails', async () => {
  const run = await planRun();
  await recordOutcome(ledger.table, run, { state: 'done', sentNow: 3, finishedAt: '2026-11-16T08:05:00Z' });
  const error = { code: 'internal', message: 'x' };
  await recordOutcome(ledger.table, run, { state: 'failed', sentNow: 0, finishedAt: '2026-11-16T09:00:00Z', error });
  expect(await again(run)).toMatchObject({ state: 'done', sentNow: 3, finishedAt: '2026-11-16T08:05:00Z' });
  expect((await again(run)).error).toBeUndefined();
});

test.each(['held', 'empty'] as const)(
  'a run that is withheld (%s), and one that has no digest, is not sent',
  async (withheld) => {
    const run = await planRun();
    expect(await recordSending(ledger.table, run)).toBe(false);
    await keepDigest(ledger.table, run, 'a', { withheld, mail: 'hash' });
    expect(await recordSending(ledger.table, await again(run))).toBe(false);
    expect((await again(run)).state).toBe(withheld === 'held' ? 'held' : 'kept');
  },
);

test('a run whose digest was changed since it was read is not sent', async () => {
  const run = await planRun();
  await keepDigest(ledger.table, run, 'a', { withheld: null });
  const before = await again(run);
  const discarded = { execution: 'execution-1', at: '2026-11-16T09:00:00Z', digest: 'a' };
  expect(await discardKeptDigest(ledger.table, await again(run), discarded)).toBe(true);
  await keepDigest(ledger.table, run, 'b', { withheld: null });
  expect(await recordSending(ledger.table, before)).toBe(false);
  expect(await again(run)).toMatchObject({ state: 'kept', digest: 'b', discarded });
});

test('a held run is released once, and one whose sending has not begun can be held', async () => {
  const run = await planRun();
  const released = {
    execution: 'execution-1',
    at: '2026-11-16T09:00:00Z',
    changed: { subscribersAdded: 0, subscribersRemoved: 1, mail: false },
  };
  expect(await holdRun(ledger.table, run)).toBe(false);
  await keepDigest(ledger.table, run, 'a', { withheld: null });
  expect(await holdRun(ledger.table, run)).toBe(true);
  expect(await again(run)).toMatchObject({ state: 'held', withheld: 'held' });
  const held = await again(run);
  expect(await releaseHeldRun(ledger.table, held, released)).toBe(true);
  expect(await releaseHeldRun(ledger.table, held, released)).toBe(false);
  expect(await again(run)).toMatchObject({ state: 'kept', released });
  expect((await again(run)).withheld).toBeUndefined();
});

test('the collection under way is recorded', async () => {
  const run = await planRun();
  await recordCollection(ledger.table, run, 'collection-1');
  expect((await again(run)).collection).toBe('collection-1');
});

test('the addresses of a trigger are stored under a key that reveals none of them', async () => {
  const addresses = ['ada@example.com', 'grace@example.com'];
  const key = await putTriggerSubscribers(ledger.table, addresses, new Date());
  expect(key).toMatch(/^[\w-]{36}$/);
  expect(await readTriggerSubscribers(ledger.table, key)).toEqual(addresses);
  await expect(readTriggerSubscribers(ledger.table, 'another')).rejects.toThrow();
});
