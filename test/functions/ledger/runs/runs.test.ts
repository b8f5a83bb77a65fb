import { expect, test } from 'vitest';
import * as runs from '../../../../functions/ledger/runs/runs.ts';
import { periodBefore } from '../../../../functions/domain/period.ts';
import { putNote } from '../../../../functions/ledger/reports.ts';
import { interruptedAt } from '../../../support/interrupted.ts';
import { openLedger } from '../open-ledger.ts';

const ledger = await openLedger();

const expiresAt = 1_900_000_000;
const period = periodBefore('week', 'Europe/London', '2026-11-16T08:00:00Z');
const run = 'weekly_2026-W46';
const planned = (report: string) => ({
  run,
  report,
  period,
  scheduledTime: '2026-11-16T08:00:00Z',
  plannedAt: '2026-11-16T08:00:01Z',
  plannedBy: 'schedule' as const,
});

let reports = 0;
/** A run of a report of its own. */
async function planRun(): Promise<runs.Run> {
  reports += 1;
  const plan = planned(`report-${reports}`);
  await runs.insertRun(ledger.table, plan, expiresAt);
  return await again(plan);
}

const again = ({ report }: { report: string }) => runs.requireRun(ledger.table, report, period);

test('the first of several digests is stored, and stays', async () => {
  const plan = await planRun();
  const digests = ['a', 'b', 'c'];
  const kept = await Promise.all(digests.map((digest) => runs.keepDigest(ledger.table, plan, digest, {})));
  expect(kept.filter(Boolean)).toHaveLength(1);
  expect(await runs.keepDigest(ledger.table, plan, 'd', { withheld: 'held' })).toBe(false);
  expect(await again(plan)).toMatchObject({ digest: digests[kept.indexOf(true)], state: 'kept' });
});

test.each([
  { withheld: 'held', state: 'held' },
  { withheld: 'empty', state: 'kept' },
] as const)('a digest that is withheld ($withheld) says so, and is not sent, as there is none before', async (over) => {
  const plan = await planRun();
  expect(await runs.recordSending(ledger.table, plan)).toBe(false);
  await runs.keepDigest(ledger.table, plan, 'a', { withheld: over.withheld, missing: 2 });
  expect(await runs.recordSending(ledger.table, await again(plan))).toBe(false);
  expect(await again(plan)).toMatchObject({ digest: 'a', missing: 2, ...over });
});

const outcome = {
  state: 'done',
  sentNow: 3,
  finishedAt: '2026-11-16T08:05:00Z',
  summary: { balanced: true, sent: 3, failed: 1, unknown: 0 },
} as const;
const failure = {
  state: 'failed',
  sentNow: 0,
  finishedAt: '2026-11-16T08:01:00Z',
  error: { code: 'service-unavailable', message: 'The list is not available.' },
} as const;

test('a digest that is discarded goes with what was said of it, and is not sent by who read it before', async () => {
  const plan = await planRun();
  await runs.keepDigest(ledger.table, plan, 'a', { missing: 2 });
  await runs.recordOutcome(ledger.table, await again(plan), outcome);
  const before = await again(plan);
  const discarded = { execution: 'execution-1', at: '2026-11-16T09:30:00Z', digest: 'a' };
  expect(await runs.discardKeptDigest(ledger.table, before, discarded)).toBe(true);
  expect(await again(plan)).toEqual({ ...planned(plan.report), state: 'planned', intended: 0, sentNow: 0, discarded });
  await runs.keepDigest(ledger.table, plan, 'b', {});
  expect(await runs.recordSending(ledger.table, before)).toBe(false);
  expect(await again(plan)).toMatchObject({ state: 'kept', digest: 'b', discarded });
});

test('a failure is recorded, and removed once the run continues; one that is done stays done, and waits for nothing', async () => {
  const plan = await planRun();
  await runs.recordOutcome(ledger.table, plan, failure);
  expect(await again(plan)).toMatchObject(failure);
  await runs.keepDigest(ledger.table, plan, 'a', {});
  expect((await again(plan)).error).toBeUndefined();
  await runs.recordSending(ledger.table, await again(plan));
  expect((await again(plan)).state).toBe('sending');
  await runs.recordWait(ledger.table, plan, '2026-11-17T08:00:00Z');
  await runs.recordOutcome(ledger.table, await again(plan), outcome);
  await runs.recordOutcome(ledger.table, plan, failure);
  const { error, waitsUntil, ...done } = await again(plan);
  expect([error, waitsUntil, done]).toEqual([undefined, undefined, expect.objectContaining(outcome)]);
});

const say = (text: string, name: string): Promise<void> =>
  putNote(ledger.table, { name }, { text, by: 'ada', at: `2026-11-16T08:00:0${text}Z` });
/** The note that waits, and what the run's mail says. */
const heard = async (plan: runs.Run): Promise<unknown[]> => {
  const notes = [null, await again(plan)].map((run) => runs.readNoteOf(ledger.table, plan.report, run));
  return (await Promise.all(notes)).map((note) => note?.text);
};

test('a note is in the mails of one run, whatever is interrupted, and once its sending has begun another one waits', async () => {
  const plan = await planRun();
  await runs.keepDigest(ledger.table, plan, 'a', {});
  await say('1', plan.report);
  const before = await again(plan);
  await expect(runs.bindNote(interruptedAt(ledger.table, 2), before)).rejects.toThrow('interrupted');
  await runs.recordSending(ledger.table, before);
  await runs.bindNote(ledger.table, await again(plan));
  expect(await heard(plan)).toEqual([undefined, '1']);
  await say('2', plan.report);
  // The second of them read the run before it was sent.
  for (const read of [await again(plan), before]) await runs.bindNote(ledger.table, read);
  expect(await heard(plan)).toEqual(['2', '1']);
});
