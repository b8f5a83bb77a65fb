import { Temporal } from 'temporal-polyfill';
import { expect, it } from 'vitest';
import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { claimMessage, settleClaim } from '../../../functions/ledger/runs/claims.ts';
import { retireReport, readReport, resumeReport } from '../../../functions/ledger/reports.ts';
import * as runs from '../../../functions/ledger/runs/runs.ts';
import { runName } from '../../../functions/domain/period.ts';
import { dueAt } from '../../../functions/domain/schedule.ts';
import { requireReport } from '../../../functions/run/find-run.ts';
import { inspectLeftReports, inspectReport, lastDueRun } from '../../../functions/watch/inspect.ts';
import { openMatters } from '../../../functions/watch/matters.ts';
import { configurationWith } from '../../support/configuration.ts';
import { openLedger } from '../ledger/open-ledger.ts';

const expiresAt = 2_000_000_000;
const scheduledTime = '2026-11-16T08:00:00Z';
const ledger = await openLedger();
const { table } = ledger;
let reports = 0;
const weekly = requireReport(configurationWith(), 'weekly');

/** A report for this test alone, which has been on for a long time. */
async function openReport(more: Partial<ReportConfiguration> = {}): Promise<ReportConfiguration> {
  reports += 1;
  const configured = { ...weekly, name: `weekly-${reports}`, ...more };
  await resumeReport(table, configured, '2026-01-01T00:00:00Z');
  return configured;
}

async function runOf(report: ReportConfiguration, state: runs.RunState, finishedAt: string, due = scheduledTime) {
  const { period } = dueAt(report.schedule, due);
  const run = runName(report.name, period);
  await runs.insertRun(table, { run, report: report.name, period, scheduledTime, plannedAt: scheduledTime }, expiresAt);
  await runs.recordOutcome(table, await runs.requireRun(table, report.name, period), { state, sentNow: 0, finishedAt });
  return run;
}

/** The matters that are open, as "kind run". */
async function look(report: ReportConfiguration, now: string, openRuns: readonly string[] = []): Promise<string[]> {
  const instant = Temporal.Instant.from(now);
  const known = await readReport(table, report);
  const watched = await inspectReport(table, report, { known, openRuns, now: instant });
  // Whoever has read them all is told the same.
  const state = { known, openRuns, runs: await runs.readRunsFrom(table, report, '0000') };
  expect(await inspectReport(table, report, { ...state, now: instant })).toEqual(watched);
  return openMatters({ watched, left: [], suppressed: [] }, instant)
    .filter(({ isRecent }) => isRecent)
    .map(({ kind, subject }) => `${kind} ${subject}`);
}

it.each([
  ['day', {}, '2027-01-16T23:59:59Z'],
  ['quarter', { on: 1 }, '2027-01-01T23:59:59Z'],
] as const)(
  'a run of long ago is watched while it is held, for a time that follows the period: %s',
  async (every, day, until) => {
    const report = await openReport({ schedule: { every, ...day, at: '08:00', timeZone: 'Europe/London' } });
    const run = await runOf(report, 'held', scheduledTime);
    const after = Temporal.Instant.from(until).add({ seconds: 1 }).toString();
    expect(await look(report, until)).toContain(`held-too-long ${run}`);
    expect(await look(report, after)).not.toContain(`held-too-long ${run}`);
    // Operators know of it: it is watched until it is over.
    expect(await look(report, after, [run])).toContain(`held-too-long ${run}`);
  },
);

it('a run that never began is overdue, and one that ended is not, however long ago its period began', async () => {
  const report = await openReport();
  expect(await look(report, '2026-11-16T14:00:00Z')).toEqual([`overdue ${report.name}_2026-W46`]);
  const schedule = { every: 'quarter', on: 28, at: '08:00', timeZone: 'Europe/London' } as const;
  const quarterly = await openReport({ schedule });
  await runOf(quarterly, 'done', '2026-10-28T08:05:00Z', '2026-10-28T08:00:00Z');
  expect(await look(quarterly, '2027-01-20T08:00:00Z')).toEqual([]);
});

it('a report that is not configured any more is reported as long as its last run is watched, unless its name was moved', async () => {
  const report = await openReport();
  await runOf(report, 'done', '2026-11-09T08:05:00Z', '2026-11-09T08:00:00Z');
  const run = await runOf(report, 'done', '2026-11-16T08:05:00Z');
  const left = async (now: string, configured: ReportConfiguration[] = []) => {
    const all = await inspectLeftReports(table, configured, Temporal.Instant.from(now));
    return all.filter(({ report: name }) => name === report.name);
  };
  const gone = await left('2026-11-17T08:00:00Z');
  expect(gone).toMatchObject([{ run, report: report.name }]);
  const look = { watched: [], left: gone, suppressed: [] };
  const matters = openMatters(look, Temporal.Instant.from('2026-11-17T08:00:00Z'));
  expect(matters).toMatchObject([{ kind: 'not-configured', subject: report.name, isRecent: true }]);
  expect(await left('2026-11-17T08:00:00Z', [report])).toEqual([]);
  expect(await left('2027-05-13T00:00:00Z')).toEqual([]);
  await retireReport(table, report);
  expect(await left('2026-11-17T08:00:00Z')).toEqual([]);
});

/** A run that ended on Monday at 08:05 with a message that was sent, and one whose outcome is unknown. */
async function runWithUnknown(report: ReportConfiguration, claimedAt: string): Promise<{ run: string; id: string }> {
  const run = await runOf(report, 'done', '2026-11-16T08:05:00Z');
  const [id = '', other = ''] = await ledger.plan(run, 'ada@example.com', 'grace@example.com');
  const claim = { claim: 'claim-1', execution: 'execution-1', claimedAt: Date.parse(claimedAt) };
  await claimMessage(table, run, id, claim);
  await claimMessage(table, run, other, { ...claim, claimedAt: 0 });
  await settleClaim(table, { run, id: other, claim: claim.claim }, { state: 'sent', messageId: 'ses-1' });
  return { run, id };
}

it('a message whose outcome is unknown is reported after a day, for a week', async () => {
  const report = await openReport();
  const { run } = await runWithUnknown(report, '2026-11-16T08:01:00Z');
  expect(await look(report, '2026-11-17T08:00:59Z')).toEqual([]);
  expect(await look(report, '2026-11-17T08:01:00Z')).toEqual([`unknown ${run}`]);
  expect(await look(report, '2026-11-23T08:05:00Z')).toContain(`unknown ${run}`);
  expect(await look(report, '2026-11-23T08:05:01Z')).not.toContain(`unknown ${run}`);
  // By the receipt none is, until somebody sends again.
  const known = await runs.requireRun(table, report.name, dueAt(report.schedule, scheduledTime).period);
  for (const [state, unknown, matters] of [
    ['done', 1, [`unknown ${run}`]],
    ['done', 0, []],
    ['sending', 0, [`unknown ${run}`]],
  ] as const) {
    const summary = { balanced: true, sent: 2, failed: 0, unknown };
    await runs.recordOutcome(table, known, { state, sentNow: 0, summary, finishedAt: scheduledTime });
    const open = await look(report, '2026-11-17T08:01:00Z');
    expect(open.filter((matter) => matter.startsWith('unknown'))).toEqual(matters);
  }
});

const pause = (from: string, until: string) => ({ lastPause: { from, until } });
const paused = pause('2026-11-13T00:00:00Z', '2026-11-16T09:00:00Z');
const monday = '2026-11-16T14:00:00Z';

it.each([
  ['whose hours of grace are over', monday, {}, scheduledTime],
  ['while the grace of the last one is not over', '2026-11-16T13:59:59Z', {}, '2026-11-09T08:00:00Z'],
  ['before the report was seen', monday, { firstSeenAt: '2026-11-16T08:00:01Z' }, undefined],
  ['when it was first seen', monday, { firstSeenAt: scheduledTime }, scheduledTime],
  ['when a pause began', monday, { pausedAt: scheduledTime }, undefined],
  ['before a pause began', monday, { pausedAt: '2026-11-16T08:00:01Z' }, scheduledTime],
  ['when a pause had just begun', monday, pause(scheduledTime, '2026-11-16T09:00:00Z'), undefined],
  ['when a pause was just over', monday, pause('2026-11-13T00:00:00Z', scheduledTime), scheduledTime],
  ['before an earlier pause', monday, pause('2026-11-16T08:30:00Z', '2026-11-16T09:00:00Z'), scheduledTime],
  ['in a pause that is over', monday, paused, undefined],
  ['after a pause', '2026-11-23T14:00:00Z', paused, '2026-11-23T08:00:00Z'],
])('the run that is due is the last one, by the clock of the report’s zone: %s', (_, now, over, due) => {
  const schedule = { every: 'week', on: 'monday', at: '08:00', timeZone: 'Europe/London' } as const;
  const known = { firstSeenAt: '2026-01-01T00:00:00Z', ...over };
  expect(lastDueRun({ schedule, graceHours: 6 }, known, Temporal.Instant.from(now))?.scheduledTime).toBe(due);
});
