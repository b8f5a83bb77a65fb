import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { weekdays } from '../../../functions/domain/period.ts';
import { comesAt, countedPeriod, dueAt, latestDue, nextDue, type Due } from '../../../functions/domain/schedule.ts';
import { scheduleExpression } from '../../../infra/schedule-expression.ts';

type Schedule = ReportConfiguration['schedule'];

const daily: Schedule = { every: 'day', at: '04:00', timeZone: 'Europe/London' };
const weekly: Schedule = { every: 'week', on: 'sunday', at: '08:00', timeZone: 'America/New_York' };
const fortnightly: Schedule = { ...weekly, every: 'fortnight', from: '2026-11-16' };
const monthly: Schedule = { every: 'month', on: 28, at: '21:59', timeZone: 'Australia/Lord_Howe' };
const quarterly: Schedule = { every: 'quarter', on: 15, at: '09:05', timeZone: 'Europe/Berlin' };

const instant = (text: string): Temporal.Instant => Temporal.Instant.from(text);
const textOf = ({ scheduledTime, period }: Due): string => `${scheduledTime} ${period.name}`;

test.each<{ schedule: Schedule; expression: string; now: string; due: string[] }>([
  {
    schedule: daily,
    expression: 'cron(0 4 * * ? *)',
    now: '2026-10-24T03:00:00Z',
    due: ['2026-10-24T03:00:00Z 2026-10-23', '2026-10-25T04:00:00Z 2026-10-24', '2026-10-26T04:00:00Z 2026-10-25'],
  },
  {
    schedule: weekly,
    expression: 'cron(0 8 ? * SUN *)',
    now: '2026-03-08T11:59:59Z',
    due: ['2026-03-01T13:00:00Z 2026-W08', '2026-03-08T12:00:00Z 2026-W09', '2026-03-15T12:00:00Z 2026-W10'],
  },
  {
    schedule: fortnightly,
    expression: 'cron(0 8 ? * SUN *)',
    now: '2026-11-29T13:00:00Z',
    due: ['2026-11-22T13:00:00Z 2026-F23', '2026-12-06T13:00:00Z 2026-F24', '2026-12-20T13:00:00Z 2026-F25'],
  },
  {
    schedule: monthly,
    expression: 'cron(59 21 28 * ? *)',
    now: '2027-02-01T00:00:00Z',
    due: ['2027-01-28T10:59:00Z 2026-12', '2027-02-28T10:59:00Z 2027-01', '2027-03-28T10:59:00Z 2027-02'],
  },
  {
    schedule: quarterly,
    expression: 'cron(5 9 15 1,4,7,10 ? *)',
    now: '2027-01-14T23:00:00Z',
    due: ['2026-10-15T07:05:00Z 2026-Q3', '2027-01-15T08:05:00Z 2026-Q4', '2027-04-15T07:05:00Z 2027-Q1'],
  },
])('the runs of a schedule of $expression around $now', ({ schedule, expression, now, due }) => {
  expect(scheduleExpression(schedule)).toBe(expression);
  expect([latestDue(schedule, instant(now)), ...nextDue(schedule, instant(now), 2)].map(textOf)).toEqual(due);
  expect(due.every((one) => comesAt(schedule, one.slice(0, 20)))).toBe(true);
});

test.each<[NonNullable<Schedule['except']>, string, ...expected: string[][]]>([
  ['saturday-sunday', 'cron(0 14 ? * MON-FRI *)', ['11-13', '11-12', '11-13'], ['11-16', '11-13', '11-16']],
  ['friday-saturday', 'cron(0 14 ? * SUN-THU *)', ['11-15', '11-12', '11-15'], ['11-16', '11-15', '11-16']],
  ['none', 'cron(0 14 * * ? *)', ['11-14', '11-13', '11-14'], ['11-15', '11-14', '11-15']],
])('a warning comes on no day of a weekend of %s, and counts since the last', (except, expression, ...expected) => {
  const schedule: Schedule = { every: 'day', at: '14:00', timeZone: 'Europe/London', except };
  expect(scheduleExpression(schedule)).toBe(expression);
  const due = nextDue(schedule, instant(`2026-${expected[0]?.[0]}T00:00:00Z`), 2);
  const found = due.map(({ scheduledTime, period }) => {
    const { start, end, name } = countedPeriod({ schedule, warningOf: {} }, period);
    expect(name).toBe(period.name);
    return [scheduledTime, start, end].map((text) => text.slice(5, 16));
  });
  expect(found).toEqual(expected.map((days) => days.map((day) => `${day}T14:00`)));
  const { period } = dueAt(schedule, '2026-11-13T14:00:00Z');
  expect(countedPeriod({ schedule }, period)).toBe(period);
  const saturday = nextDue({ ...schedule, except: 'none' }, instant('2026-11-14T00:00:00Z'), 1)[0]?.period ?? period;
  expect(countedPeriod({ schedule, warningOf: {} }, saturday).end.slice(5, 16)).toBe('11-14T14:00');
});

test('a warning at midnight counts the day that is over', () => {
  const schedule: Schedule = { every: 'day', at: '00:00', timeZone: 'UTC' };
  const { period } = dueAt(schedule, '2026-11-17T00:00:00Z');
  const { start, end } = countedPeriod({ schedule, warningOf: {} }, period);
  expect([start, end].map((text) => text.slice(0, 10))).toEqual(['2026-11-16', '2026-11-17']);
});

const anyKind = fc.oneof(
  fc.constant({ every: 'day' } as const),
  fc.record({ every: fc.constant('week'), on: fc.constantFrom(...weekdays) }),
  fc.record({
    every: fc.constant('fortnight'),
    on: fc.constantFrom(...weekdays),
    from: fc.constantFrom('2026-11-16', '2024-02-26'),
  }),
  fc.record({ every: fc.constantFrom('month', 'quarter'), on: fc.integer({ min: 1, max: 28 }) }),
);
const anySchedule: fc.Arbitrary<Schedule> = fc
  .tuple(anyKind, fc.integer({ min: 4 * 60, max: 22 * 60 - 1 }), fc.constantFrom(...Intl.supportedValuesOf('timeZone')))
  .map(([kind, minutes, timeZone]) => {
    const at = Temporal.PlainTime.from('00:00').add({ minutes }).toString({ smallestUnit: 'minute' });
    return Object.assign({}, kind, { at, timeZone });
  });

test('the runs of a schedule follow one another without a gap, at the time that the clock shows, in every zone', () => {
  const start = Temporal.Instant.from('2026-01-01T00:00:00Z').epochMilliseconds;
  const within = fc.integer({ min: 0, max: 4 * 365 * 86_400 }).map((seconds) => start + seconds * 1000);
  fc.assert(
    fc.property(anySchedule, within, (schedule, milliseconds) => {
      const now = Temporal.Instant.fromEpochMilliseconds(milliseconds);
      const runs = [latestDue(schedule, now), ...nextDue(schedule, now, 4)];
      const times = runs.map(({ scheduledTime }) => instant(scheduledTime));
      expect(times.map((time) => Temporal.Instant.compare(time, now) > 0)).toEqual([false, true, true, true, true]);
      for (const time of times) {
        const wall = time.toZonedDateTimeISO(schedule.timeZone).toPlainTime();
        expect(wall.toString({ smallestUnit: 'minute' })).toBe(schedule.at);
      }
      const periods = runs.map(({ period }) => period);
      expect(periods.slice(1).map(({ start }) => start)).toEqual(periods.slice(0, -1).map(({ end }) => end));
    }),
  );
});
