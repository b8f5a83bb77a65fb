import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import { parseCron } from '../../../functions/domain/cron.ts';
import {
  fireTimes,
  fireTimesFrom,
  latestFireTime,
  skippedTimes,
  type FireTime,
} from '../../../functions/domain/schedule.ts';

const at = (text: string) => Temporal.Instant.from(text);
const plain = (times: FireTime[]) => times.map((time) => ({ ...time, instant: time.instant?.toString() ?? null }));

describe('fireTimes', () => {
  it('keeps the wall time through the year', () => {
    const times = fireTimes(
      parseCron('0 8 ? * MON *'),
      'Europe/London',
      at('2026-10-19T00:00Z'),
      at('2026-11-01T00:00Z'),
    );
    expect(plain(times)).toEqual([
      { local: '2026-10-19T08:00', instant: '2026-10-19T07:00:00Z', repeated: false },
      { local: '2026-10-26T08:00', instant: '2026-10-26T08:00:00Z', repeated: false },
    ]);
  });

  it('fires once at a wall time that occurs twice: the first time', () => {
    const times = fireTimes(
      parseCron('30 1 * * ? *'),
      'Europe/London',
      at('2026-10-25T00:00Z'),
      at('2026-10-27T00:00Z'),
    );
    expect(plain(times)).toEqual([
      { local: '2026-10-25T01:30', instant: '2026-10-25T00:30:00Z', repeated: true },
      { local: '2026-10-26T01:30', instant: '2026-10-26T01:30:00Z', repeated: false },
    ]);
  });

  it('does not fire when an hour occurs the second time', () => {
    const cron = parseCron('0/30 * * * ? *');
    const times = fireTimes(cron, 'Europe/London', at('2026-10-25T01:00Z'), at('2026-10-25T02:30Z'));
    expect(times.map(({ local }) => local)).toEqual(['2026-10-25T02:00']);
  });

  it('names a wall time that a clock change skips, without an instant', () => {
    const times = fireTimes(
      parseCron('30 2 ? * SUN *'),
      'America/New_York',
      at('2026-03-08T00:00-05:00'),
      at('2026-03-09T00:00-04:00'),
    );
    expect(plain(times)).toEqual([{ local: '2026-03-08T02:30', instant: null, repeated: false }]);
  });

  it('handles clock changes of half an hour', () => {
    const times = fireTimes(
      parseCron('0/15 2 4 10 ? *'),
      'Australia/Lord_Howe',
      at('2026-10-03T00:00Z'),
      at('2026-10-05T00:00Z'),
    );
    expect(plain(times)).toEqual([
      { local: '2026-10-04T02:00', instant: null, repeated: false },
      { local: '2026-10-04T02:15', instant: null, repeated: false },
      { local: '2026-10-04T02:30', instant: '2026-10-03T15:30:00Z', repeated: false },
      { local: '2026-10-04T02:45', instant: '2026-10-03T15:45:00Z', repeated: false },
    ]);
  });

  it('ends where a skipped wall time would come after the end', () => {
    const cron = parseCron('0/30 0-2 29 3 ? *');
    const times = fireTimes(cron, 'Europe/London', at('2026-03-29T00:30Z'), at('2026-03-29T01:00Z'));
    expect(times.map(({ local }) => local)).toEqual(['2026-03-29T00:30', '2026-03-29T01:00', '2026-03-29T01:30']);
  });

  it('includes its beginning and not its end', () => {
    const cron = parseCron('0 8 * * ? *');
    const times = fireTimes(cron, 'UTC', at('2026-11-20T08:00Z'), at('2026-11-22T08:00Z'));
    expect(times.map(({ local }) => local)).toEqual(['2026-11-20T08:00', '2026-11-21T08:00']);
  });

  it.each([
    ['0 8 L * ? *', ['2028-01-31T08:00', '2028-02-29T08:00', '2028-03-31T08:00']],
    ['0 8 ? 1-3 TUE#2 *', ['2028-01-11T08:00', '2028-02-08T08:00', '2028-03-14T08:00']],
    ['0 8 31 1-3 ? *', ['2028-01-31T08:00', '2028-03-31T08:00']],
    ['0 8 ? FEB SUN#5 *', []],
    ['0 8 ? FEB TUE#5 *', ['2028-02-29T08:00']],
    [
      '0 8 ? JAN MON-SUN *',
      Array.from({ length: 31 }, (_, day) => `2028-01-${String(day + 1).padStart(2, '0')}T08:00`),
    ],
  ])('finds the dates of %s in the first quarter of 2028', (text, expected) => {
    const times = fireTimes(parseCron(text), 'Asia/Kolkata', at('2028-01-01T00:00Z'), at('2028-04-01T00:00Z'));
    expect(times.map(({ local }) => local)).toEqual(expected);
  });

  it('finds a day by its name in every year', () => {
    const times = fireTimes(
      parseCron('0 8 ? * MON *'),
      'Europe/London',
      at('2026-01-01T00:00Z'),
      at('2031-01-01T00:00Z'),
    );
    expect(new Set(times.map(({ local }) => Temporal.PlainDate.from(local).dayOfWeek))).toEqual(new Set([1]));
    expect(times).toHaveLength(261);
  });
});

describe('fireTimesFrom', () => {
  it('computes only as many as are used of a cron that fires every minute', () => {
    const times = fireTimesFrom(parseCron('* * * * ? *'), 'UTC', at('2026-11-20T08:00:30Z'));
    expect(times.next().value).toMatchObject({ local: '2026-11-20T08:01' });
    expect(times.next().value).toMatchObject({ local: '2026-11-20T08:02' });
  });
});

describe('skippedTimes', () => {
  it.each([
    ['30 1 * * ? *', 'Europe/London', ['2027-03-28T01:30', '2028-03-26T01:30', '2029-03-25T01:30']],
    ['30 1 ? * MON *', 'Europe/London', []],
    ['0 2 * * ? *', 'Europe/London', []],
    ['0 1 * * ? *', 'Europe/London', ['2027-03-28T01:00', '2028-03-26T01:00', '2029-03-25T01:00']],
    ['30 2 8-14 MAR ? *', 'America/New_York', ['2027-03-14T02:30', '2028-03-12T02:30', '2029-03-11T02:30']],
    ['30 1 * * ? *', 'Asia/Kolkata', []],
  ])('finds those of %s in %s', (text, zone, expected) => {
    const [from, until] = [at('2026-11-20T00:00Z'), at('2029-11-20T00:00Z')];
    expect(skippedTimes(parseCron(text), zone, from, until)).toEqual(expected);
  });

  it('finds midnight where a zone skips it', () => {
    const skipped = skippedTimes(
      parseCron('0 0 * * ? *'),
      'America/Sao_Paulo',
      at('2018-01-01T00:00Z'),
      at('2020-01-01T00:00Z'),
    );
    expect(skipped).toEqual(['2018-11-04T00:00']);
  });
});

describe('latestFireTime', () => {
  it.each([
    ['0 8 ? * MON *', '2026-11-23T08:00:00Z', '2026-11-23T08:00:00Z'],
    ['0 8 ? * MON *', '2026-11-23T07:59:59Z', '2026-11-16T08:00:00Z'],
    ['0 9 1 * ? *', '2026-11-20T00:00:00Z', '2026-11-01T09:00:00Z'],
    // The clocks go back from 02:00 to 01:00: at the second 01:10 the only 01:45 of the schedule is over.
    ['45 1 * * ? *', '2026-10-25T01:10:00Z', '2026-10-25T00:45:00Z'],
    ['30 1 * * ? *', '2026-03-29T12:00:00Z', '2026-03-28T01:30:00Z'],
    ['0 8 29 2 ? *', '2026-11-20T00:00:00Z', '2024-02-29T08:00:00Z'],
  ])('is for %s at %s the instant %s', (text, instant, expected) => {
    expect(latestFireTime(parseCron(text), 'Europe/London', at(instant))?.toString()).toBe(expected);
  });

  it('is null for a date that does not exist', () => {
    expect(latestFireTime(parseCron('0 8 30 2 ? *'), 'Europe/London', at('2026-11-20T00:00Z'))).toBeNull();
  });
});

describe('the next fire time', () => {
  it.each([
    ['0 8 ? * MON *', '2026-11-23T08:00:00Z', '2026-11-30T08:00:00Z'],
    ['0 8 ? * MON *', '2026-11-23T07:59:59Z', '2026-11-23T08:00:00Z'],
    ['30 1 * * ? *', '2026-03-28T12:00:00Z', '2026-03-30T00:30:00Z'],
    ['30 1 * * ? *', '2026-10-25T00:30:00Z', '2026-10-26T01:30:00Z'],
  ])('is for %s after %s the instant %s', (text, instant, expected) => {
    expect(nextAfter(text, 'Europe/London', at(instant))?.toString()).toBe(expected);
  });

  it('is null for a date that does not exist', () => {
    expect(nextAfter('0 8 31 4 ? *', 'Europe/London', at('2026-11-20T00:00Z'))).toBeNull();
  });

  it('agrees with the latest one: between the two nothing fires', () => {
    const crons = fc.constantFrom('30 1 * * ? *', '0/20 0-3 * * ? *', '0 0 ? * SUN *', '15 2 L * ? *');
    const zones = fc.constantFrom('Europe/London', 'Australia/Lord_Howe', 'America/Sao_Paulo', 'Pacific/Apia');
    const minutes = fc.integer({ min: Date.UTC(2008, 0, 1) / 60_000, max: Date.UTC(2032, 0, 1) / 60_000 });
    fc.assert(
      fc.property(crons, zones, minutes, (text, zone, minute) => {
        const instant = Temporal.Instant.fromEpochMilliseconds(minute * 60_000);
        const next = nextAfter(text, zone, instant) ?? instant;
        const latest = latestFireTime(parseCron(text), zone, instant);
        expect(Temporal.Instant.compare(next, instant)).toBe(1);
        expect(latestFireTime(parseCron(text), zone, next)?.equals(next)).toBe(true);
        expect(latestFireTime(parseCron(text), zone, next.subtract({ nanoseconds: 1 }))).toEqual(latest);
      }),
    );
  });
});

/** The first instant after another on which a cron fires; `null` for one that never does. */
function nextAfter(text: string, zone: string, after: Temporal.Instant): Temporal.Instant | null {
  for (const { instant } of fireTimesFrom(parseCron(text), zone, after.add({ nanoseconds: 1 }))) {
    if (instant !== null) return instant;
  }
  return null;
}
