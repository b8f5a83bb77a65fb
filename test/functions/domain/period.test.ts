import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, it, test } from 'vitest';
import periods from '../../fixtures/periods.json' with { type: 'json' };
import {
  partsOfRunName,
  periodBefore,
  periodKindNames,
  periodNamed,
  runName,
  type PeriodKind,
} from '../../../functions/domain/period.ts';

const zoneNames =
  'Europe/London America/New_York America/Sao_Paulo America/St_Johns Asia/Kolkata Australia/Lord_Howe Pacific/Apia UTC';

const kinds = fc.constantFrom(...periodKindNames);
const zones = fc.constantFrom(...zoneNames.split(' '));
const instants = fc
  .integer({ min: Date.UTC(2008, 0, 1) / 60_000, max: Date.UTC(2032, 0, 1) / 60_000 })
  .map((minute) => Temporal.Instant.fromEpochMilliseconds(minute * 60_000));

describe('periodBefore', () => {
  it('is closed by the instant that is its end, and not a nanosecond earlier', () => {
    const end = Temporal.Instant.from('2026-11-16T00:00:00Z');
    expect(periodBefore('week', 'Europe/London', end).startDate).toBe('2026-11-09');
    expect(periodBefore('week', 'Europe/London', end.subtract({ nanoseconds: 1 })).startDate).toBe('2026-11-02');
  });

  const cases = periodKindNames.flatMap((kind) =>
    periods[kind].map((period) => Object.assign({ kind, why: '', from: undefined }, period)),
  );
  it.each(cases)('gives the $kind of $timeZone before $instant: $why', ({ kind, instant, from, ...period }) => {
    const { timeZone, start, end } = period;
    const expected = { kind, timeZone, start, end, startDate: start.slice(0, 10) };
    expect(periodBefore(kind, timeZone, instant, from)).toMatchObject(expected);
  });

  it('counts a day as over when the clock goes back over the midnight that ended it', () => {
    // At 00:01 on 7 November 2010 the clocks of Newfoundland were put back to 23:01.
    const again = Temporal.Instant.from('2010-11-07T02:45:00Z');
    expect(periodBefore('day', 'America/St_Johns', again).startDate).toBe('2010-11-06');
  });
});

test('the periods of a zone follow one another without gap or overlap, back from any instant to the next end', () => {
  fc.assert(
    fc.property(kinds, zones, instants, (kind, zone, instant) => {
      let period = periodBefore(kind, zone, instant);
      expect(Temporal.Instant.compare(period.end, instant)).toBeLessThanOrEqual(0);
      expect(Temporal.Instant.compare(following(period.end, kind, zone), instant)).toBe(1);
      expect(periodBefore(kind, zone, period.end)).toEqual(period);
      for (let count = 0; count < 10; count++) {
        const before = periodBefore(period.kind, period.timeZone, period.start);
        expect(before.end).toBe(period.start);
        expect(Temporal.Instant.compare(before.start, before.end)).toBe(-1);
        period = before;
      }
    }),
  );
}, 60_000);

describe('the name of a period', () => {
  it('says what the period is, and is the calendar’s own, for every kind, zone and instant', () => {
    fc.assert(
      fc.property(kinds, zones, instants, (kind, zone, instant) => {
        const { name, startDate } = periodBefore(kind, zone, instant);
        expect(periodNamed(name)).toEqual({ kind, startDate, name });
        const { yearOfWeek, weekOfYear } = Temporal.PlainDate.from(startDate);
        if (kind === 'week') expect(name).toBe(`${yearOfWeek}-W${String(weekOfYear).padStart(2, '0')}`);
      }),
    );
  });

  it('says in which of two weeks a fortnight begins, also after a year of 53 weeks', () => {
    const names = ['2026-F24', '2026-G24', '2026-F27', '2027-F01', '2027-G01'];
    const starts = names.map((name) => periodNamed(name)?.startDate);
    expect(starts).toEqual(['2026-11-16', '2026-11-23', '2026-12-28', '2027-01-11', '2027-01-04']);
  });

  it.each([
    ['a week', ['2026-W54', '2025-W53', '2026-W00', '2026-W5', '2026-w46', '2026-W046', '2026-W46-1', '0026-W01']],
    ['two weeks', ['2026-F28', '2025-F27', '2025-G27', '2026-F00', '2026-f24', '2026-F24-1']],
    ['a quarter', ['2026-Q5', '2026-Q0', '2026-Q04', '2026-q4', '2026-Q', '2026-Q4-01', '0026-Q1']],
    ['a month', ['2026-13', '2026-00', '2026-1', '2026', '26-11', '+002026-11', ' 2026-11', '2026-11\n']],
    [
      'a day',
      ['2026-02-29', '2026-0-05', '2026-11-31', '2026-11-00', '2026-11-9', '2026-13-01', '20261109', '2026-11-09T00'],
    ],
    ['anything', ['', '-', 'constructor', 'week', '2026W46', '9999999-W01']],
  ])('is no nonsense about %s', (_what, names) => {
    expect(names.filter((name) => periodNamed(name) !== null)).toEqual([]);
  });
});

describe('the name of a run', () => {
  it('is made of the report and the period, has at most 64 characters, and can be taken apart', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\w-]{1,53}$/), kinds, zones, instants, (report, kind, zone, instant) => {
        const { startDate, name, ...period } = periodBefore(kind, zone, instant);
        const run = runName(report, { ...period, name });
        expect(run).toBe(`${report}_${name}`);
        expect(run).toMatch(/^[\w-]{1,64}$/);
        expect(partsOfRunName(run)).toEqual({ report, period: { kind, startDate, name } });
      }),
    );
  });

  it('is no other text', () => {
    const halves = ['weekly', 'weekly_', '_2026-W46', '2026-W46'];
    const wrong = ['weekly_2026-W54', 'weekly_2026-W46_', 'we kly_2026-W46', `${'r'.repeat(54)}_2026-W46`];
    expect([...halves, ...wrong].filter((text) => partsOfRunName(text) !== null)).toEqual([]);
  });
});

/** The first end after an end, found by trying later and later instants. */
function following(end: string, kind: PeriodKind, zone: string): Temporal.Instant {
  let probe = Temporal.Instant.from(end);
  while (periodBefore(kind, zone, probe).end === end) probe = probe.add({ hours: 12 });
  return Temporal.Instant.from(periodBefore(kind, zone, probe).end);
}
