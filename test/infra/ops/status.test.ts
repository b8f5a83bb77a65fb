import { beforeAll, expect, test } from 'vitest';
import { Temporal } from 'temporal-polyfill';
import { pauseReport, recordReportSeen } from '../../../functions/ledger/reports.ts';
import { readRun, recordOutcome } from '../../../functions/ledger/runs/runs.ts';
import { loadConfiguration } from '../../../infra/config.ts';
import { statusCommand } from '../../../infra/ops/commands/status.ts';
import type { LedgerTarget } from '../../../infra/ops/targets/target.ts';
import { openLedger, type Ledger } from '../../functions/ledger/open-ledger.ts';
import { planKeptRun } from '../../functions/run/kept-run.ts';
import { reportNamed } from '../../support/report-named.ts';
import { named } from '../../support/named.ts';

let ledger: Ledger;
let target: LedgerTarget;
const now = Temporal.Instant.from('2026-11-16T16:00:00Z');

beforeAll(async () => {
  ledger = await openLedger();
  target = {
    configuration: loadConfiguration(),
    table: ledger.table,
    scan: async function* () {},
    operator: 'ada',
    flags: [],
    liftFromAccount: () => Promise.resolve(null),
    readPagePlace: () => Promise.resolve(null),
    servePages: null,
    close: () => Promise.resolve(),
  };
  for (const report of ['weekly', 'daily']) {
    await recordReportSeen(ledger.table, reportNamed(report), '2026-11-01T00:00:00Z');
  }
  await pauseReport(ledger.table, reportNamed('daily'), { at: '2026-11-15T12:00:00Z', by: 'grace' });
  await planKeptRun(ledger.table, 2);
});

const weekly = async (): Promise<unknown> => Object(await statusCommand(target, now)).json.reports[0];

test('a report has its next runs, and a run that is not finished after its hours of grace is due', async () => {
  expect(await weekly()).toMatchObject({
    report: 'weekly',
    paused: null,
    next: [
      { run: 'weekly_2026-W47', scheduledTime: '2026-11-23T08:00:00Z' },
      { run: 'weekly_2026-W48', scheduledTime: '2026-11-30T08:00:00Z' },
      { run: 'weekly_2026-W49', scheduledTime: '2026-12-07T08:00:00Z' },
    ],
    last: { run: 'weekly_2026-W46', outcome: '2 planned' },
    due: '2026-11-16T08:00:00Z',
  });
});

test('a run that is done is due no more', async () => {
  const run = await readRun(ledger.table, 'weekly', named('2026-W46'));
  if (run === null) throw new Error('There is no run.');
  await recordOutcome(ledger.table, run, { state: 'done', sentNow: 0, finishedAt: '2026-11-16T08:05:00Z' });
  expect(await weekly()).toMatchObject({ last: { state: 'done' }, due: null });
});

test('a pause is shown in place of the next runs, and a paused report is not due', async () => {
  const { json, lines } = await statusCommand(target, now);
  expect(json).toMatchObject({
    reports: [{}, { report: 'daily', paused: { since: '2026-11-15T12:00:00Z', by: 'grace' }, due: null }, {}],
  });
  expect(lines.find((line) => line.startsWith('daily'))).toContain('paused by grace, 2026-11-15 12:00 Europe/London');
  expect(lines.filter((line) => / to \d{4}-/.test(line))).toEqual([
    'weekly_2026-W47  2026-11-23 08:00 Europe/London     2026-11-16 to 2026-11-22',
    'weekly_2026-W48  2026-11-30 08:00 Europe/London     2026-11-23 to 2026-11-29',
    'weekly_2026-W49  2026-12-07 08:00 Europe/London     2026-11-30 to 2026-12-06',
    'monthly_2026-11  2026-12-01 09:00 America/New_York  2026-11-01 to 2026-11-30',
    'monthly_2026-12  2027-01-01 09:00 America/New_York  2026-12-01 to 2026-12-31',
    'monthly_2027-01  2027-02-01 09:00 America/New_York  2027-01-01 to 2027-01-31',
  ]);
});
