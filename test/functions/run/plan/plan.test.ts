import { Temporal } from 'temporal-polyfill';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Configuration } from '../../../../functions/domain/configuration/configuration.ts';
import { periodBefore } from '../../../../functions/domain/period.ts';
import { pauseReport, readReport, recordReportSeen, resumeReport } from '../../../../functions/ledger/reports.ts';
import { readRun, type Run } from '../../../../functions/ledger/runs/runs.ts';
import { planRun, waitUntilOver, type Plan } from '../../../../functions/run/plan/plan.ts';
import type { RunTrigger } from '../../../../functions/run/trigger.ts';
import { openLedger } from '../../ledger/open-ledger.ts';
import { configured, reportOf } from '../configured.ts';
import { named } from '../../../support/named.ts';

const ledger = await openLedger();
let reports = 0;

const monday = '2026-11-16T08:00:00Z';

/** A configuration whose report has a name of its own, so that the tests of this file do not meet. */
function ownReport(over: object = {}): { configuration: Configuration; name: string } {
  reports += 1;
  const name = `report-${reports}`;
  return { configuration: configured({ report: { name, ...over } }), name };
}

const plan = async (
  configuration: Configuration,
  trigger: Omit<RunTrigger, 'action' | 'report'> = { scheduledTime: monday },
  now = '2026-11-16T08:00:05Z',
): Promise<Plan> => {
  const [report = reportOf()] = configuration.reports;
  const options = { configuration, table: ledger.table, execution: 'e', now: Temporal.Instant.from(now) };
  const planned = await planRun({ action: 'run', report, ...trigger }, options);
  if (!('run' in planned)) throw new Error(JSON.stringify(planned));
  return planned;
};
/** The ledger's item of a report's run for the week before that Monday. */
const runOf = (name: string): Promise<Run | null> => readRun(ledger.table, name, named('2026-W46'));

test('the schedule of a report that is off, paused or not due triggers nothing, and an operator runs it all the same', async () => {
  const { configuration, name } = ownReport();
  const scheduled = () => plan(configuration, { scheduledTime: monday, trigger: 'schedule' });
  await expect(scheduled()).rejects.toThrow(`{"report":"${name}","off":"never switched on"}`);
  await resumeReport(ledger.table, { name }, monday);
  await pauseReport(ledger.table, { name }, { at: monday, by: 'grace' });
  await expect(scheduled()).rejects.toThrow(`{"report":"${name}","paused":{"at":"${monday}","by":"grace"}}`);
  const schedule = { every: 'fortnight', on: 'monday', at: '08:00', timeZone: 'Europe/London' } as const;
  const ofTwoWeeks = ownReport({ schedule: { ...schedule, from: '2026-11-09' } });
  const notDue = plan(ofTwoWeeks.configuration, { scheduledTime: monday, trigger: 'schedule' });
  await expect(notDue).rejects.toThrow(`{"report":"${ofTwoWeeks.name}","notDue":"${monday}"}`);
  expect(await runOf(name)).toBeNull();
  expect(await plan(configuration)).toMatchObject({ intended: 3 });
});

describe('a period that is not over', () => {
  const end = '2026-11-16T00:00:00Z';
  const period = { ...periodBefore('week', 'UTC', end), end };

  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval'] }));
  afterEach(() => void vi.useRealTimers());

  test.each([
    { now: '2026-11-15T23:59:00Z', until: end },
    { now: monday, until: monday },
  ])('is waited for, a minute at most: at $now until $until', async ({ now, until }) => {
    vi.setSystemTime(new Date(now));
    const waiting = waitUntilOver(period, Temporal.Instant.from(now));
    await vi.runAllTimersAsync();
    expect((await waiting).toString()).toBe(until);
    expect(Date.now()).toBe(Date.parse(until));
  });

  test('is refused where it has longer to go, before anything is written', async () => {
    vi.useRealTimers();
    const { configuration, name } = ownReport();
    const planned = planAt(configuration, '2026-11-15T23:58:59.999Z');
    await expect(planned).rejects.toMatchObject({ name: 'period-not-over' });
    expect([await readReport(ledger.table, { name }), await runOf(name)]).toEqual([null, null]);
  });
});

const planAt = (configuration: Configuration, now: string) => plan(configuration, { scheduledTime: monday }, now);

test('a run is sealed a month before its rows may expire, and sends never again', async () => {
  const { configuration } = ownReport();
  await planAt(configuration, '2026-11-16T08:00:00Z');
  await planAt(configuration, '2028-12-16T07:59:59Z');
  await expect(planAt(configuration, '2028-12-16T08:00:00Z')).rejects.toMatchObject({ name: 'sealed' });
});

test('a run of which the ledger has nothing is sealed once its items may have expired, and not before it can have forgotten any', async () => {
  const { configuration, name } = ownReport();
  await recordReportSeen(ledger.table, { name }, '2026-01-01T00:00:00Z');
  await expect(planAt(configuration, '2029-01-16T00:00:00Z')).rejects.toMatchObject({ name: 'sealed' });
  expect(await planAt(configuration, '2029-01-15T23:59:59Z')).toMatchObject({ intended: 3 });
  expect(await planAt(ownReport().configuration, '2036-01-01T00:00:00Z')).toMatchObject({ intended: 3 });
});

test('a run that was kept for fewer months than are set now is sealed as early: its rows may be gone', async () => {
  const { configuration, name } = ownReport();
  await recordReportSeen(ledger.table, { name }, '2026-01-01T00:00:00Z');
  const kept = (keepMonths: number) => ({ ...configuration, ledger: { ...configuration.ledger, keepMonths } });
  await plan(kept(6), { scheduledTime: '2027-01-04T08:00:00Z' }, '2027-01-04T08:00:00Z');
  await expect(planAt(kept(26), '2027-07-16T08:00:00Z')).rejects.toMatchObject({ name: 'sealed' });
});

test('a trigger that names no instant means the latest run that was due, not the week that has just ended', async () => {
  const { configuration } = ownReport();
  const periodAt = async (now: string): Promise<string> => (await plan(configuration, {}, now)).period.name;
  expect(await periodAt('2026-11-16T07:59:59Z')).toBe('2026-W45');
  expect(await periodAt('2026-11-16T08:00:00Z')).toBe('2026-W46');
});
