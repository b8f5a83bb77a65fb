import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { periodBefore, type PeriodKind } from '../../../../functions/domain/period.ts';
import { chooseDue, chooseRun } from '../../../../infra/program/command-line/choices.ts';
import { openLedger } from '../../../functions/ledger/open-ledger.ts';
import { configured, reportOf } from '../../../functions/run/configured.ts';
import { planKeptRun } from '../../../functions/run/kept-run.ts';
import { targetOf } from '../target.ts';

const ledger = await openLedger();
const target = targetOf(ledger, { configuration: configured({ report: { name: 'weekly' } }) });

const planned: Array<[PeriodKind, string]> = [
  ['day', '2026-11-03T08:00:00Z'],
  ['week', '2026-11-09T08:00:00Z'],
  ['week', '2026-11-16T08:00:00Z'],
];
for (const [kind, end] of planned) await planKeptRun(ledger.table, 0, periodBefore(kind, 'Europe/London', end));

test.each(['weekly_2026-11-02', 'weekly_2026-W45', 'weekly_2026-W46'])('%s is a run', async (name) => {
  expect((await chooseRun(target, name)).run).toBe(name);
});

test.each([
  ['the runs that there are of the report', 'weekly_2026-W47'],
  ['the same where a period is called by its first day', 'weekly_2026-11-09'],
  ['the latest runs of all reports, where no report is called so', 'weakly_2026-W46'],
])('what is no run is answered with %s: %s', async (_what, name) => {
  const called = 'A run is called REPORT_PERIOD, such as weekly_2026-W46 or daily_2026-11-09.';
  const all = 'Known: weekly_2026-11-02, weekly_2026-W45, weekly_2026-W46.';
  await expect(chooseRun(target, name)).rejects.toThrow(`There is no run "${name}". ${called} ${all}`);
});

const now = Temporal.Instant.from('2026-11-17T10:00:00Z');

test.each(['2026-10-26', '2026-11-01', '2026-W44', '2026-w44'])('--period %s is the week that has it', (period) => {
  expect(chooseDue(reportOf(), { period }, now).scheduledTime).toBe('2026-11-02T08:00:00Z');
});

test.each([
  ['2026-11', 'Expected a day, or the name of a week, such as --period 2026-W46 (--at 2026-11-16T08:00:00Z).'],
  ['2026-02-30', 'Expected a day, or'],
  ['2026-11-18', 'the week that begins on 2026-11-16 is not over. The latest that was due: --period 2026-W46 (--at '],
])('--period %s is refused with what to type', (period, says) => {
  expect(() => chooseDue(reportOf(), { period }, now)).toThrow(`--period: ${says}`);
});

test('--period takes the names of the two weeks that a report has, and not of those between', () => {
  const schedule = { ...reportOf().schedule, every: 'fortnight', from: '2026-11-02' } as const;
  const report = { ...reportOf(), schedule };
  expect(chooseDue(report, { period: '2026-f23' }, now).scheduledTime).toBe('2026-11-16T08:00:00Z');
  expect(() => chooseDue(report, { period: '2026-g22' }, now)).toThrow('such as --period 2026-F23 (--at ');
});
