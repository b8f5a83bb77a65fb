import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { periodBefore } from '../../../../functions/domain/period.ts';
import * as runs from '../../../../functions/ledger/runs/runs.ts';
import type { Table } from '../../../../functions/ledger/table.ts';
import { failRun, finishRun } from '../../../../functions/run/receipt/receipt.ts';
import type { Plan } from '../../../../functions/run/plan/plan.ts';
import { openLedger } from '../../ledger/open-ledger.ts';
import { planKeptRun } from '../kept-run.ts';

const now = Temporal.Instant.from('2026-11-16T08:05:00Z');
const failure = { code: 'service-unavailable', message: 'The service is down.' } as const;
const weekly = (before: string) => periodBefore('week', 'Europe/London', before);

const ledger = await openLedger();
let runsOfTable = 0;

const stateOf = async ({ period }: Plan) => (await runs.readRun(ledger.table, 'weekly', period))?.state;

test('a run that was done before stays done: the failure is recorded nowhere', async () => {
  const plan = await planKeptRun(ledger.table, 1, weekly('2026-11-09T08:00:00Z'));
  const run = await runs.requireRun(ledger.table, 'weekly', plan.period);
  await runs.recordOutcome(ledger.table, run, { state: 'done', sentNow: 1, finishedAt: '2026-11-09T08:05:00Z' });
  expect(await failRun(plan, failure, { table: ledger.table, now })).toBeNull();
  expect(await stateOf(plan)).toBe('done');
});

test('nothing is written over a discard between the look at a run and the write of its outcome', async () => {
  const plan = await planKeptRun(ledger.table, 1, weekly('2026-10-19T08:00:00Z'));
  const run = await runs.requireRun(ledger.table, 'weekly', plan.period);
  const discarded = { execution: 'discard-1', at: now.toString(), digest: run.digest ?? '' };
  const table: Table = {
    ...ledger.table,
    update: async (...write) => {
      expect(await runs.discardKeptDigest(ledger.table, run, discarded)).toBe(true);
      return await ledger.table.update(...write);
    },
  };
  const finished = finishRun(plan, { sentNow: 0, stopped: null }, { table, mayLeave: true, now });
  await expect(finished).rejects.toMatchObject({ name: 'discarded' });
  expect(await stateOf(plan)).toBe('planned');
});

test('a run whose sending stopped is not done: the receipt says why, until a trigger has gone on', async () => {
  const plan = await planKeptRun(ledger.table, 1, weekly('2026-10-12T08:00:00Z'));
  await runs.recordIntended(ledger.table, await runs.requireRun(ledger.table, 'weekly', plan.period), 1);
  const stopped = { code: 'daily-quota', message: 'The daily quota is used up.' } as const;
  const finished = await finishRun(plan, { sentNow: 0, stopped }, { table: ledger.table, mayLeave: false, now });
  expect(finished).toMatchObject({ state: 'sending', balance: { planned: 1 }, error: stopped });
  expect(await stateOf(plan)).toBe('sending');
  await finishRun(plan, { sentNow: 0, stopped: null }, { table: ledger.table, mayLeave: false, now });
  expect(await runs.requireRun(ledger.table, 'weekly', plan.period)).not.toHaveProperty('error');
});

test('the times in which triggers worked on a run add up, without what was between them', async () => {
  const plan = await planKeptRun(ledger.table, 1, weekly('2026-09-28T08:00:00Z'));
  for (const seconds of [60, 30]) {
    const begun = { ...plan, begunAt: now.subtract({ seconds }).toString() };
    await finishRun(begun, { sentNow: 0, stopped: null }, { table: ledger.table, mayLeave: true, now });
  }
  expect(await runs.requireRun(ledger.table, 'weekly', plan.period)).toMatchObject({ workedMs: 90_000 });
});

test.each<[withheld: 'held' | 'empty' | undefined, planned: number, mayLeave: boolean, state: string]>([
  ['held', 1, true, 'held'],
  ['empty', 1, true, 'done'],
  [undefined, 1, true, 'kept'],
  [undefined, 1, false, 'done'],
  [undefined, 0, true, 'done'],
])(
  'a run that is %s, of which %i are planned and may be left (%s), is %s',
  async (withheld, planned, mayLeave, state) => {
    runsOfTable += 1;
    const plan = await planKeptRun(ledger.table, planned, weekly(`2025-0${runsOfTable}-13T08:00:00Z`));
    const run = await runs.requireRun(ledger.table, 'weekly', plan.period);
    await ledger.table.update(runs.runKey(run), { set: { withheld } });
    const finished = await finishRun(plan, { sentNow: 0, stopped: null }, { table: ledger.table, mayLeave, now });
    expect(finished.state).toBe(state);
  },
);
