import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { periodBefore, runName } from '../../../functions/domain/period.ts';
import { pauseReport, resumeReport } from '../../../functions/ledger/reports.ts';
import { putFigures, putHistory } from '../../../functions/ledger/runs/digests.ts';
import { insertRun, recordOutcome } from '../../../functions/ledger/runs/runs.ts';
import { accountOf } from '../../../functions/run/earlier-figures.ts';
import { readBeside } from '../../../functions/warnings/judged-report.ts';
import { openLedger } from '../ledger/open-ledger.ts';
import { configured } from '../run/configured.ts';
import { collected, compose, figuresOf, history, week } from '../run/compose/collected-samples.ts';

const { table } = await openLedger();
const expiresAt = 1_900_000_000;
const { service, reports } = configured({ report: { warning: { at: '09:00', afterHours: 48, belowShare: 0.5 } } });
const [weekly, warning] = reports;
const account = accountOf(service);
if (weekly === undefined || warning === undefined) throw new Error('There is no warning.');

/** What the run of a day leaves of a delivery that it named; it ended with so many messages sent, or, held, without any receipt. */
async function endRun(day: string, sent: number | null) {
  const period = periodBefore('day', 'Europe/London', `${day}T09:00:00Z`);
  const key = { run: runName(warning?.name ?? '', period), report: warning?.name ?? '', period };
  await insertRun(table, { ...key, scheduledTime: `${day}T09:00:00Z`, plannedAt: `${day}T09:00:00Z` }, expiresAt);
  if (sent !== null) {
    const summary = { balanced: true, sent, failed: 1, unknown: 0 };
    const ended = { state: 'done' as const, sentNow: sent, workedMs: 1, finishedAt: `${day}T09:01:00Z` };
    await recordOutcome(table, key, { ...ended, summary });
  }
  return { warning: { listedAt: 0, last: { at: `${day}T09:00:00+00:00`, seen: 3, day: period.startDate } } };
}

test('a warning is said of a delivery only where its run has mailed somebody, in this period or the one before', async () => {
  const deliveries: Parameters<typeof history>[0] = {
    'long-ago': await endRun('2026-10-20', 2),
    mailed: await endRun('2026-11-11', 2),
    held: await endRun('2026-11-12', null),
    refused: await endRun('2026-11-13', 0),
  };
  const period = periodBefore('day', 'Europe/London', '2026-11-13T09:00:00Z');
  const figures = figuresOf(compose(collected(), { period }));
  await putFigures(table, warning.name, period, figures, expiresAt);
  await putHistory(table, figures, history(deliveries), expiresAt);
  const { lastWarnings } = await readBeside(table, weekly, { period: week, until: Date.parse(week.end), account });
  expect(lastWarnings).toEqual(new Map([['mailed', { at: '2026-11-11T09:00:00+00:00', seen: 3 }]]));
});

test('a warning begins with the first run that is due once it was switched on', async () => {
  const sinceOf = async () => {
    const { judgedReport } = await readBeside(table, warning, { period: week, until: Date.parse(week.end), account });
    return judgedReport?.since;
  };
  expect(await sinceOf()).toBe(null);
  await pauseReport(table, warning, { at: '2026-11-02T08:00:00Z', by: 'Ada' });
  expect(await sinceOf()).toBe(null);
  await resumeReport(table, warning, '2026-11-03T10:00:00Z');
  expect(await sinceOf()).toBe(Temporal.Instant.from('2026-11-04T09:00:00Z').epochMilliseconds);
});
