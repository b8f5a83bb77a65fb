import { Temporal } from 'temporal-polyfill';

/** A report's period: the calendar day, the week from Monday to Sunday, or the calendar month. */
export type PeriodKind = 'day' | 'week' | 'month';

/** One complete calendar day, week or month of a time zone: `[start, end)`. */
export interface Period {
  kind: PeriodKind;
  /** First instant, with the zone's offset and no bracketed zone: `2026-11-09T00:00:00+00:00`. */
  start: string;
  /** First instant after the period, written as `start` is. */
  end: string;
  /** IANA name of the zone whose calendar is meant. */
  timeZone: string;
  /** The calendar date on which the period starts, `YYYY-MM-DD`. */
  startDate: string;
}

/**
 * The last complete period of the zone's calendar before an instant. An instant that is exactly the end of a period
 * closes it. A day begins where the zone's day begins, which is not midnight where a clock change skips midnight.
 *
 * @param instant an instant, or its ISO 8601 text with `Z` or an offset
 * @throws RangeError for an unknown time zone, or a text that is no instant
 */
export function periodBefore(kind: PeriodKind, timeZone: string, instant: Temporal.Instant | string): Period {
  const end = lastBoundary(kind, timeZone, Temporal.Instant.from(instant));
  const start = boundaryBefore(kind, timeZone, end);
  return {
    kind,
    start: instantText(start.toZonedDateTime(timeZone)),
    end: instantText(end.toZonedDateTime(timeZone)),
    timeZone,
    startDate: start.toString(),
  };
}

/** The period of the same kind and zone that ends where the given one starts. */
export function precedingPeriod(period: Period): Period {
  return periodBefore(period.kind, period.timeZone, period.start);
}

/** The name of the run on one report for one period: `<report>_<period start date>`. */
export function runName(report: string, period: Pick<Period, 'startDate'>): string {
  return `${report}_${period.startDate}`;
}

/** The date on which the period begins that is under way at the instant. */
function lastBoundary(kind: PeriodKind, timeZone: string, instant: Temporal.Instant): Temporal.PlainDate {
  const date = firstDate(kind, instant.toZonedDateTimeISO(timeZone).toPlainDate());
  const next = date.add(unit(kind));
  // A clock put back over midnight shows the old date again after the new day has begun.
  return startInstant(next, timeZone) <= instant.epochNanoseconds ? next : date;
}

/** The date on which the period begins that ends with the start of the given date. */
function boundaryBefore(kind: PeriodKind, timeZone: string, end: Temporal.PlainDate): Temporal.PlainDate {
  let date = end.subtract(unit(kind));
  // A zone that moved over the date line left a day out: that day starts and ends in the same instant.
  while (startInstant(date, timeZone) >= startInstant(end, timeZone)) date = date.subtract(unit(kind));
  return date;
}

function firstDate(kind: PeriodKind, date: Temporal.PlainDate): Temporal.PlainDate {
  if (kind === 'day') return date;
  return kind === 'week' ? date.subtract({ days: date.dayOfWeek - 1 }) : date.with({ day: 1 });
}

function unit(kind: PeriodKind): Temporal.DurationLike {
  return { day: { days: 1 }, week: { weeks: 1 }, month: { months: 1 } }[kind];
}

function startInstant(date: Temporal.PlainDate, timeZone: string): bigint {
  return date.toZonedDateTime(timeZone).epochNanoseconds;
}

function instantText(instant: Temporal.ZonedDateTime): string {
  return instant.toString({ timeZoneName: 'never' });
}
