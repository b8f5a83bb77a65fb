import { Temporal } from 'temporal-polyfill';
import { memoize } from '../../../domain/memoize.ts';
import { periodKinds, type PeriodKind } from '../../../domain/period.ts';
import { plainSpaces, type Wording } from '../../../domain/wording.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Numbers, rates, dates and durations as text in one locale and zone. */
export interface Formats {
  /** A count: "1,234". */
  count(value: number): string;
  /** A change of counts with its sign: "+12", "−3". */
  change(value: number): string;
  /** A ratio as a whole percentage; where it only rounds to 0 or 100: "<1%", ">99%". */
  rate(ratio: number): string;
  /** A ratio as a percentage with at most one decimal. */
  fineRate(ratio: number): string;
  /** The change of two ratios in percentage points, as the difference of what `fineRate` shows: "+3.2 points". */
  points(now: number, before: number): string;
  /** A mean: one or two decimals. */
  mean(value: number): string;
  /** Seconds in the unit that suits them: "3 minutes". */
  duration(seconds: number): string;
  /** The date of an instant. */
  date(instant: string): string;
  /** Date and time of an instant, with the name of the zone. */
  instant(instant: string): string;
  /** What a trend calls the period that begins at `start`, by its first day or its months: "Nov 9", "Jul – Sep 2026". */
  beginning(start: string, kind: PeriodKind): string;
  /** The days from `start` to before `end`: "November 9 – 15, 2026". */
  days(start: string, end: string, month: 'long' | 'short'): string;
}

type Dates = Pick<Formats, 'date' | 'instant' | 'beginning' | 'days'>;

/**
 * Formats for a locale (BCP 47) and zone (IANA). Instants are ISO 8601 with an offset; anything else throws a `RangeError`.
 */
export function createFormats(locale: string, timeZone: string, wording: Wording): Formats {
  return { ...createNumbers(locale, wording), ...createDates(locale, timeZone) };
}

function createNumbers(locale: string, wording: Wording): Omit<Formats, keyof Dates> {
  const counts = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
  const signed = new Intl.NumberFormat(locale, { signDisplay: 'exceptZero', maximumFractionDigits: 1 });
  const whole = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 });
  const fine = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const means = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 2 });
  const grouped = (value: number): string => plainSpaces(counts.format(value));
  const percent = memoize((value: number) => plainSpaces(whole.format(value / 100)));
  // Small numbers without separators, in these digits, are faster without `Intl`.
  const smallest = grouped(987) === '987' ? 1000 : 0;
  return {
    count: (value) => (value >= 0 && value < smallest && Number.isInteger(value) ? String(value) : grouped(value)),
    change: (value) => minus(signed.format(value)),
    rate: (ratio) => {
      if (ratio > 0 && ratio < 0.01) return wording.say('rate.under', { rate: percent(1) });
      if (ratio > 0.99 && ratio < 1) return wording.say('rate.over', { rate: percent(99) });
      return percent(roundHalf(ratio * 100));
    },
    fineRate: (ratio) => plainSpaces(fine.format(ratio)),
    points: (now, before) => {
      const points = tenths(now) / 10 - tenths(before) / 10;
      const rounded = Math.round(points * 10) / 10;
      return wording.count('points', Math.abs(rounded), { count: minus(signed.format(rounded)) });
    },
    mean: (value) => plainSpaces(means.format(value)),
    duration: durationsIn(locale),
  };
}

/** Rounds a half up, also one that is a little less in binary. */
function roundHalf(value: number): number {
  return Math.round(value + 1e-9);
}

function createDates(locale: string, timeZone: string): Dates {
  const dates = new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'medium' });
  const instants = new Intl.DateTimeFormat(locale, {
    timeZone,
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  });
  const days = (month: 'long' | 'short'): ((interval: string) => string) => {
    const range = new Intl.DateTimeFormat(locale, { timeZone, year: 'numeric', month, day: 'numeric' });
    return memoize((interval: string) => {
      const [start = '', end = ''] = interval.split('/');
      // The end is the first instant after the period.
      return plainSpaces(range.formatRange(new Date(start), new Date(Date.parse(end) - 1)));
    });
  };
  const ranges = { long: days('long'), short: days('short') };
  const firstDays = new Intl.DateTimeFormat(locale, { timeZone, month: 'short', day: 'numeric' });
  const months = new Intl.DateTimeFormat(locale, { timeZone, month: 'short', year: 'numeric' });
  return {
    date: memoize((instant: string) => plainSpaces(dates.format(new Date(instant)))),
    instant: (instant) => plainSpaces(instants.format(new Date(instant))),
    beginning: (start, kind) => {
      const { months: length } = periodKinds[kind].step;
      if (length === undefined) return plainSpaces(firstDays.format(new Date(start)));
      const lastMonth = Temporal.Instant.from(start)
        .toZonedDateTimeISO(timeZone)
        .add({ months: length - 1 });
      return plainSpaces(months.formatRange(new Date(start), new Date(lastMonth.epochMilliseconds)));
    },
    days: (start, end, month) => ranges[month](`${start}/${end}`),
  };
}

/** Formatters are costly to make and cheap to use: each unit has one. */
function durationsIn(locale: string): Formats['duration'] {
  const formatOf = memoize((unit: string) => unitFormat(locale, unit));
  return (seconds) => {
    const [unit, size] = durationUnit(seconds);
    return formatOf(unit)(roundHalf(seconds / size));
  };
}

function unitFormat(locale: string, unit: string): (value: number) => string {
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' });
  return memoize((value: number) => plainSpaces(format.format(value)));
}

/** The largest unit of which there are two at least: "90 minutes" is more exact than "2 hours". */
function durationUnit(seconds: number): [unit: string, seconds: number] {
  if (seconds < 2 * MINUTE) {
    return ['second', 1];
  }
  if (seconds < 2 * HOUR) {
    return ['minute', MINUTE];
  }
  return seconds < 2 * DAY ? ['hour', HOUR] : ['day', DAY];
}

/** Tenths of a percent: what one decimal shows. */
function tenths(ratio: number): number {
  return Math.round(ratio * 1000);
}

/** The typographic minus is as wide as the plus above it and is never broken from its number. */
function minus(figure: string): string {
  return plainSpaces(figure.replace('-', '\u2212'));
}
