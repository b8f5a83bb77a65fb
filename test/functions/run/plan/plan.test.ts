import { Temporal } from 'temporal-polyfill';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Configuration } from '../../../../functions/domain/configuration/configuration.ts';
import { periodBefore } from '../../../../functions/domain/period.ts';
import { claimMessage, markSent } from '../../../../functions/ledger/runs/claims.ts';
import { messageIdOf, readMessages } from '../../../../functions/ledger/runs/messages.ts';
import { readReport, recordReportSeen } from '../../../../functions/ledger/reports.ts';
import { readRun, requireRun } from '../../../../functions/ledger/runs/runs.ts';
import { putTriggerSubscribers } from '../../../../functions/ledger/runs/triggers.ts';
import { requireReport } from '../../../../functions/run/find-run.ts';
import { waitUntilOver } from '../../../../functions/run/plan/period-over.ts';
import { planRun, type Plan } from '../../../../functions/run/plan/plan.ts';
import { erase } from '../../../../infra/program/addresses/erase.ts';
import { scanTable } from '../../../../infra/program/targets/scan.ts';
import { openLedger, readToEnd, type Ledger } from '../../ledger/open-ledger.ts';
import { configured } from '../configured.ts';
import { reportNamed } from '../../../support/report-named.ts';
import { named } from '../../../support/named.ts';

let ledger: Ledger;
let reports = 0;

beforeAll(async () => {
  ledger = await openLedger();
});

const monday = '2026-11-16T08:00:00Z';
const instant = (text: string) => Temporal.Instant.from(text);

/** A configuration whose report has a name of its own, so that the tests of this file do not meet. */
function ownReport(over: object = {}): { configuration: Configuration; name: string } {
  reports += 1;
  const name = `report-${reports}`;
  return { configuration: configured({ report: { name, ...over } }), name };
}

const plan = async (
  configuration: Configuration,
  trigger: { scheduledTime?: string; subscribers?: string } = {},
  now = '2026-11-16T08:00:05Z',
): Promise<Plan> => {
  const report = requireReport(configuration, configuration.reports[0]?.name ?? '');
  const options = { configuration, table: ledger.table, now: instant(now) };
  const planned = await planRun({ action: 'run', report, ...trigger }, options);
  if ('paused' in planned) throw new Error('The report is paused.');
  return planned;
};
const addressesOf = async (run: string) =>
  (await readToEnd(readMessages(ledger.table, run))).map(({ to }) => to).toSorted();

test('a trigger is planned as the run of its period, with a row for each subscriber', async () => {
  const { configuration, name } = ownReport();
  const planned = await plan(configuration, { scheduledTime: monday });
  const period = {
    kind: 'week',
    start: '2026-11-09T00:00:00+00:00',
    end: '2026-11-16T00:00:00+00:00',
    timeZone: 'Europe/London',
    startDate: '2026-11-09',
    name: '2026-W46',
  };
  expect(planned).toEqual({
    run: `${name}_2026-W46`,
    report: name,
    period,
    intended: 3,
  });
  expect(JSON.stringify(planned)).not.toContain('@');
  expect(await addressesOf(planned.run)).toEqual(['ada@example.com', 'alan@example.com', 'grace@example.com']);
  expect(await readRun(ledger.table, name, named('2026-W46'))).toMatchObject({
    run: planned.run,
    state: 'planned',
    scheduledTime: monday,
    plannedAt: '2026-11-16T08:00:05Z',
    intended: 3,
  });
});

test('an address that got a message of the run, was forgotten and subscribed again, gets no second one', async () => {
  const { configuration, name } = ownReport();
  const { run } = await plan(configuration, { scheduledTime: monday });
  const id = messageIdOf(run, 'ada@example.com');
  await claimMessage(ledger.table, run, id, { claim: 'claim-1', execution: 'execution-1', claimedAt: 1 });
  await markSent(ledger.table, { run, id, claim: 'claim-1' }, 'ses-1');
  const target = { table: ledger.table, scan: () => scanTable(ledger.client, 'ledger'), configuration };
  await erase(target, 'ada@example.com');
  expect(await plan(configuration, { scheduledTime: monday })).toMatchObject({ intended: 3 });
  expect(await addressesOf(run)).toEqual(['alan@example.com', 'forgotten', 'grace@example.com']);
  expect((await readRun(ledger.table, name, named('2026-W46')))?.intended).toBe(3);
});

test('a later trigger of the same period is the same run, and plans no subscriber twice', async () => {
  const { configuration, name } = ownReport();
  await plan(configuration, { scheduledTime: monday });
  const again = await plan(configuration, { scheduledTime: '2026-11-18T21:00:00+01:00' }, '2026-11-18T20:00:01Z');
  expect(again).toMatchObject({ run: `${name}_2026-W46`, intended: 3 });
  expect(await readRun(ledger.table, name, named('2026-W46'))).toMatchObject({
    scheduledTime: monday,
    plannedAt: '2026-11-16T08:00:05Z',
  });
});

test('a later trigger with further subscribers adds theirs alone, compared without case', async () => {
  const { configuration, name } = ownReport();
  await plan(configuration, { scheduledTime: monday });
  const subscribers = await putTriggerSubscribers(
    ledger.table,
    ['ADA@example.com', 'katherine@example.com', 'Katherine@example.com'],
    new Date(),
  );
  expect(await plan(configuration, { scheduledTime: monday, subscribers })).toMatchObject({ intended: 4 });
  expect(await addressesOf(`${name}_2026-W46`)).toHaveLength(4);
});

test('a trigger that names its subscribers plans those instead of the configured ones', async () => {
  const { configuration, name } = ownReport();
  const subscribers = await putTriggerSubscribers(ledger.table, ['katherine@example.com'], new Date());
  expect(await plan(configuration, { scheduledTime: monday, subscribers })).toMatchObject({ intended: 1 });
  expect(await addressesOf(`${name}_2026-W46`)).toEqual(['katherine@example.com']);
});

test('two triggers at once plan one run with each subscriber once', async () => {
  const { configuration, name } = ownReport();
  const plans = await Promise.all([1, 2, 3].map(() => plan(configuration, { scheduledTime: monday })));
  expect(plans.map(({ intended }) => intended)).toEqual([3, 3, 3]);
  expect(await addressesOf(`${name}_2026-W46`)).toHaveLength(3);
  expect(await readRun(ledger.table, name, named('2026-W46'))).toMatchObject({ intended: 3 });
});

test('a subscriber who is configured later is not planned by herself, and one who is no longer stays', async () => {
  const { configuration, name } = ownReport();
  await plan(configuration, { scheduledTime: monday });
  const changed = configured({ report: { name, subscribers: ['ada@example.com', 'edith@example.com'] } });
  expect(await plan(changed, { scheduledTime: monday })).toMatchObject({ intended: 4 });
});

test('more subscribers than fit into one write are all planned', async () => {
  const subscribers = Array.from({ length: 120 }, (_, n) => `subscriber-${n}@example.com`);
  const { configuration, name } = ownReport({ subscribers });
  expect(await plan(configuration, { scheduledTime: monday })).toMatchObject({ intended: 120 });
  expect(await addressesOf(`${name}_2026-W46`)).toEqual(subscribers.toSorted());
});

const scheduledOf = async (trigger: { scheduledTime?: string; trigger?: 'schedule' }, now: string) => {
  const { configuration, name } = ownReport();
  await plan(configuration, trigger, now);
  return (await readRun(ledger.table, name, named('2026-W46')))?.scheduledTime;
};

describe('the scheduled instant of a run', () => {
  test.each(['2026-11-16T08:00:00Z', '2026-11-18T14:30:00Z'])(
    'is the latest of the schedule, where a trigger at %s names none',
    async (now) => expect(await scheduledOf({}, now)).toBe('2026-11-16T08:00:00Z'),
  );

  test('is the one that the trigger names, in UTC', async () => {
    const named = { scheduledTime: '2026-11-17T10:00:00+01:00' };
    expect(await scheduledOf(named, '2026-11-18T14:30:00Z')).toBe('2026-11-17T09:00:00Z');
    expect(await scheduledOf({ scheduledTime: monday, trigger: 'schedule' }, monday)).toBe('2026-11-16T08:00:00Z');
  });
});

describe('a trigger that is early', () => {
  const end = '2026-11-16T00:00:00Z';
  const period = { ...periodBefore('week', 'UTC', end), end };

  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval'] }));
  afterEach(() => void vi.useRealTimers());

  /** The instant that a wait from `now` on returns. The clock has to be there by then. */
  async function waitedUntil(now: string): Promise<string> {
    vi.setSystemTime(new Date(now));
    const waiting = waitUntilOver(period, Temporal.Instant.from(now));
    await vi.runAllTimersAsync();
    const after = await waiting;
    expect(Date.now()).toBe(after.epochMilliseconds);
    return after.toString();
  }

  test.each(['2026-11-15T23:59:59.9Z', '2026-11-15T23:59:00Z'])('at %s waits', async (now) => {
    expect(await waitedUntil(now)).toBe(end);
  });

  test.each([end, '2026-11-16T08:00:00Z'])('at %s does not wait', async (now) => {
    expect(await waitedUntil(now)).toBe(Temporal.Instant.from(now).toString());
  });
});

describe('a period that is not over', () => {
  test.each(['2026-11-15T23:58:59.999Z', '2026-11-15T12:00:00Z', '2026-11-01T00:00:00Z'])(
    'is refused at %s, before anything is written',
    async (now) => {
      const { configuration, name } = ownReport();
      await expect(plan(configuration, { scheduledTime: monday }, now)).rejects.toMatchObject({
        name: 'period-not-over',
        message:
          'The week that begins on 2026-11-09 is not over: it ends at 2026-11-16T00:00:00+00:00. Nothing was done.',
      });
      expect(await readReport(ledger.table, reportNamed(name))).toBeNull();
      expect(await readRun(ledger.table, name, named('2026-W46'))).toBeNull();
    },
  );

  test('is over at the instant of its end', async () => {
    const { configuration, name } = ownReport();
    const planned = await plan(configuration, { scheduledTime: monday }, '2026-11-16T00:00:00Z');
    expect(planned.run).toBe(`${name}_2026-W46`);
  });
});

describe('a run is sealed', () => {
  test('a month before its rows may expire, and sends never again', async () => {
    const { configuration, name } = ownReport();
    await plan(configuration, { scheduledTime: monday }, '2026-11-16T08:00:00Z');
    await plan(configuration, { scheduledTime: monday }, '2028-12-16T07:59:59Z');
    await expect(plan(configuration, { scheduledTime: monday }, '2028-12-16T08:00:00Z')).rejects.toMatchObject({
      name: 'sealed',
      message: `Run "${name}_2026-W46" is sealed: the ledger no longer knows for sure who got its mail.`,
    });
  });

  test('where the ledger has nothing on it, once its items may have expired', async () => {
    const { configuration } = ownReport();
    await recordReportSeen(ledger.table, reportNamed(configuration.reports[0]?.name ?? ''), '2026-01-01T00:00:00Z');
    await expect(plan(configuration, { scheduledTime: monday }, '2029-01-16T00:00:00Z')).rejects.toMatchObject({
      name: 'sealed',
    });
    expect(await plan(configuration, { scheduledTime: monday }, '2029-01-15T23:59:59Z')).toMatchObject({ intended: 3 });
  });

  test('not where the ledger is too young to have forgotten anything, however old the period', async () => {
    const { configuration } = ownReport();
    expect(await plan(configuration, { scheduledTime: monday }, '2036-01-01T00:00:00Z')).toMatchObject({ intended: 3 });
    await expect(
      plan(configuration, { scheduledTime: '2026-11-09T08:00:00Z' }, '2038-03-01T00:00:00Z'),
    ).rejects.toMatchObject({ name: 'sealed' });
  });
});

test('a report whose period changes from day to week under its name plans two runs, and leaves nobody out', async () => {
  const { configuration, name } = ownReport({ schedule: { every: 'day', at: '08:00', timeZone: 'Europe/London' } });
  const daily = await plan(configuration, { scheduledTime: '2026-11-03T08:00:00Z' });
  const weekly = await plan(configured({ report: { name } }), {
    scheduledTime: '2026-11-09T08:00:00Z',
  });
  expect([daily.run, weekly.run]).toEqual([`${name}_2026-11-02`, `${name}_2026-W45`]);
  expect(daily.period.startDate).toBe(weekly.period.startDate);
  for (const { run, period } of [daily, weekly]) {
    expect(await readRun(ledger.table, name, period)).toMatchObject({ run, period, state: 'planned', intended: 3 });
    expect(await addressesOf(run)).toEqual(['ada@example.com', 'alan@example.com', 'grace@example.com']);
  }
});

test('a report that is not configured is refused, and the configured ones are named', () => {
  expect(() => requireReport(configured(), 'ada@example.com')).toThrow(
    'There is no report with that name. Configured: "weekly".',
  );
  expect(requireReport(configured(), 'weekly').name).toBe('weekly');
});

test('a run that the ledger lost is an error', async () => {
  await expect(requireRun(ledger.table, 'weekly', named('2020-W02'))).rejects.toThrow(
    'The ledger has no run of report "weekly" for 2020-01-06#week.',
  );
});
