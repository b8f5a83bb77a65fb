import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { expiresAfterMonths } from '../../../functions/ledger/table.ts';
import { readNotices } from '../../../functions/ledger/notices.ts';
import { recordReportSeen } from '../../../functions/ledger/reports.ts';
import { insertRun, recordOutcome, type RunState } from '../../../functions/ledger/runs/runs.ts';
import { publishNotices } from '../../../functions/watch/publish-notices.ts';
import { configurationWith } from '../../support/template.ts';
import { openLedger } from '../ledger/open-ledger.ts';
import { runOf } from './inspected-samples.ts';

const keepMonths = 26;
const reports = configurationWith().reports.filter(({ name }) => name === 'weekly');
const subjects: string[] = [];
const { table } = await openLedger();

async function look(now: string): Promise<void> {
  const { failures } = await publishNotices({
    table,
    reports,
    keepMonths,
    place: { environment: undefined, flags: [] },
    publish: async ({ subject }) => void subjects.push(subject),
    now: Temporal.Instant.from(now),
  });
  expect(failures).toEqual([]);
}

async function runEnds(state: RunState, finishedAt: string): Promise<void> {
  const { run, report, period, scheduledTime, plannedAt } = runOf();
  await insertRun(table, { run, report, period, scheduledTime, plannedAt }, 2_000_000_000);
  await recordOutcome(table, runOf(), { state, sentNow: 0, finishedAt });
}

const months = (at: string): number => expiresAfterMonths(keepMonths, new Date(at));
const expiries = async (): Promise<number[]> => (await readNotices(table)).map((notice) => notice.expiresAt);

test('a matter that lasts for years does not expire, and is over with a notice, after which its item expires', async () => {
  for (const report of reports) await recordReportSeen(table, report, '2040-01-01T00:00:00Z');
  await runEnds('failed', '2026-11-16T08:05:00Z');
  for (const at of ['2026-11-16T08:15:00Z', '2027-04-16T08:15:00Z', '2028-12-16T08:15:00Z']) await look(at);
  expect(await expiries()).toEqual([months('2026-11-16T08:15:00Z')]);
  await look('2028-12-20T08:15:00Z');
  expect(await expiries()).toEqual([months('2028-12-20T08:15:00Z')]);
  await runEnds('done', '2028-12-21T08:05:00Z');
  await look('2028-12-21T08:15:00Z');
  await look('2031-01-21T08:15:00Z');
  expect(await expiries()).toEqual([months('2028-12-20T08:15:00Z')]);
  expect(subjects).toEqual(['Run failed: weekly, 9 to 15 November 2026', 'Run done: weekly, 9 to 15 November 2026']);
});
