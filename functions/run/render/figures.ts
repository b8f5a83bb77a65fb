import type { Wording } from './wording.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Numbers, rates, dates and durations as text in one locale and zone. */
export interface Figures {
  /** A count: "1,234". */
  count(value: number): string;
  /** A change of counts with its sign: "+12", "−3". */
  change(value: number): string;
  /** A ratio as a whole percentage; one that only rounds to none or all says so: "<1%". */
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
  /** The days from `start` to before `end`: "November 9 – 15, 2026". */
  days(start: string, end: string, month: 'long' | 'short'): string;
}

/**
 * Figures in a locale (BCP 47) and zone (IANA). Instants are ISO 8601 with an offset; what is no instant throws
 * a `RangeError`.
 */
export function createFigures(locale: string, timeZone: string, wording: Wording): Figures {
  return { ...createNumbers(locale, wording), ...createDates(locale, timeZone) };
}

function createNumbers(locale: string, wording: Wording): Omit<Figures, 'date' | 'instant' | 'days'> {
  const counts = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
  const signed = new Intl.NumberFormat(locale, { signDisplay: 'exceptZero', maximumFractionDigits: 1 });
  const whole = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 });
  const fine = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const means = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 2 });
  return {
    count: (value) => counts.format(value),
    change: (value) => minus(signed.format(value)),
    rate: (ratio) => {
      if (ratio > 0 && ratio < 0.01) {
        return wording.say('rate.under', { rate: whole.format(0.01) });
      }
      if (ratio > 0.99 && ratio < 1) {
        return wording.say('rate.over', { rate: whole.format(0.99) });
      }
      return whole.format(ratio);
    },
    fineRate: (ratio) => fine.format(ratio),
    points: (now, before) => {
      const points = tenths(now) / 10 - tenths(before) / 10;
      const rounded = Math.round(points * 10) / 10;
      return wording.count('points', Math.abs(rounded), { count: minus(signed.format(rounded)) });
    },
    mean: (value) => means.format(value),
    duration: (seconds) => formatDuration(locale, seconds),
  };
}

function createDates(locale: string, timeZone: string): Pick<Figures, 'date' | 'instant' | 'days'> {
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
  return {
    date: (instant) => spaces(dates.format(new Date(instant))),
    instant: (instant) => spaces(instants.format(new Date(instant))),
    days: (start, end, month) => {
      const days = new Intl.DateTimeFormat(locale, { timeZone, year: 'numeric', month, day: 'numeric' });
      // The end is the first instant that no longer belongs to the period.
      return spaces(days.formatRange(new Date(start), new Date(Date.parse(end) - 1)));
    },
  };
}

function formatDuration(locale: string, seconds: number): string {
  const [unit, size] = durationUnit(seconds);
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    unitDisplay: 'long',
    maximumFractionDigits: 0,
  }).format(seconds / size);
}

/** The largest unit that still leaves a number of two: 90 minutes tell more than 2 hours. */
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
  return figure.replace('-', '\u2212');
}

/** Intl puts thin spaces around dashes and before "AM"; the fonts of some mail programs have no glyph for them. */
function spaces(text: string): string {
  return text.replaceAll(/[\u2009\u202f]/g, '\u00a0');
}
