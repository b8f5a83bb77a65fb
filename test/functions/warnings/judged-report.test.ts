import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { pauseReport, resumeReport } from '../../../functions/ledger/reports.ts';
import { readBeside } from '../../../functions/warnings/judged-report.ts';
import { openLedger } from '../ledger/open-ledger.ts';
import { configured } from '../run/configured.ts';
import { week } from '../run/compose/collected-samples.ts';

const { table } = await openLedger();
const { reports } = configured({ report: { warning: { at: '09:00', afterHours: 48, belowShare: 0.5 } } });
const [, warning] = reports;
if (warning === undefined) throw new Error('There is no warning.');

test('a warning begins with the first run that is due once it was switched on', async () => {
  const account = 'reporting.example.com';
  const context = { period: week, until: Date.parse(week.end), account };
  const sinceOf = async () => {
    const { judgedReport } = await readBeside(table, warning, context);
    return judgedReport?.since;
  };
  expect(await sinceOf()).toBe(null);
  await pauseReport(table, warning, { at: '2026-11-02T08:00:00Z', by: 'Ada' });
  expect(await sinceOf()).toBe(null);
  await resumeReport(table, warning, '2026-11-03T10:00:00Z');
  expect(await sinceOf()).toBe(Temporal.Instant.from('2026-11-04T09:00:00Z').epochMilliseconds);
});
