import { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** In the order of a week, which begins on Monday. */
export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

/** What a kind of period is. Beside its entry here, a kind needs the days of its schedule, and texts that have its name in their key. */
interface KindOfPeriod {
  /** The first date of the period that a date belongs to; where the calendar does not say it, one begins on `from`. */
  firstDate: (date: Temporal.PlainDate, from: string) => Temporal.PlainDate;
  /** From the first date of a period to that of the next. */
  step: { days?: number; months?: number };
  /** What the period that starts on a date is called. */
  nameOf: (startDate: Temporal.PlainDate) => string;
  /** A day of January that the first period of each year has, where that is not the first one. */
  inFirst?: number;
  /** For how many days after its start a run is watched, where two months are not enough. */
  watchedDays?: number;
}

/** The names of the kinds, shortest period first. */
export const periodKindNames = ['day', 'week', 'fortnight', 'month', 'quarter'] as const;
export type PeriodKind = (typeof periodKindNames)[number];

/** The Mondays from which a fortnight's letter counts: its name says in which of two weeks it begins. */
const firstMondays = { F: '2026-11-16', G: '2026-11-23' } as const;

const mondayOf = (date: Temporal.PlainDate): Temporal.PlainDate => date.subtract({ days: date.dayOfWeek - 1 });
const beginFortnight = (date: Temporal.PlainDate, from: string): Temporal.PlainDate =>
  date.subtract({ days: ((date.since(from).days % 14) + 14) % 14 });

/** A report's period: the calendar day, week (from Monday), month or quarter, or two weeks from a Monday of its own. */
export const periodKinds: Readonly<Record<PeriodKind, KindOfPeriod>> = {
  day: { firstDate: (date) => date, step: { days: 1 }, nameOf: (date) => date.toString() },
  week: {
    firstDate: mondayOf,
    step: { days: 7 },
    nameOf: ({ yearOfWeek, weekOfYear }) => `${yearOfWeek}-W${String(weekOfYear).padStart(2, '0')}`,
    // ISO 8601: the first week of a year has the fourth of January.
    inFirst: 4,
  },
  fortnight: {
    firstDate: beginFortnight,
    step: { days: 14 },
    nameOf: (date) => {
      const letter = beginFortnight(date, firstMondays.F).equals(date) ? 'F' : 'G';
      return `${date.yearOfWeek}-${letter}${String(Math.ceil((date.weekOfYear ?? 0) / 2)).padStart(2, '0')}`;
    },
    // In its second week, with which the first fortnight that begins in the year ends or begins.
    inFirst: 11,
  },
  month: {
    firstDate: (date) => date.with({ day: 1 }),
    step: { months: 1 },
    nameOf: (date) => date.toPlainYearMonth().toString(),
  },
  quarter: {
    firstDate: (date) => date.with({ month: date.month - ((date.month - 1) % 3), day: 1 }),
    step: { months: 3 },
    nameOf: ({ year, month }) => `${year}-Q${Math.ceil(month / 3)}`,
    watchedDays: 184,
  },
};

/** For how many days after its start a run is watched: long enough to close the period, and to be run and held. */
export const watchedDaysOf = (kind: PeriodKind): number => periodKinds[kind].watchedDays ?? 62;

/** A period as `digest.json` and `receipt.json` have it. */
export const publishedPeriodSchema = v.object({
  kind: v.picklist(periodKindNames),
  /** First instant, with the zone's offset and no bracketed zone: `2026-11-09T00:00:00+00:00`. */
  start: v.string(),
  /** First instant after the period, written as `start` is. */
  end: v.string(),
  /** IANA name of the zone whose calendar is meant. */
  timeZone: v.string(),
});

/** A period as a run's item has it. */
export const periodSchema = v.object({
  ...publishedPeriodSchema.entries,
  /** The calendar date on which the period starts, `YYYY-MM-DD`. */
  startDate: v.string(),
  /** The day, the ISO week, two of them, the month or the quarter: `2026-11-09`, `2026-W46`, `2026-F24`, `2026-11`, `2026-Q4`. */
  name: v.string(),
});

/** One complete period of a time zone's calendar: `[start, end)`. */
export type Period = v.InferOutput<typeof periodSchema>;

/** A period of no zone's calendar: what its name says. */
export type NamedPeriod = Pick<Period, 'kind' | 'startDate' | 'name'>;

/**
 * The last complete period of the zone's calendar before an instant. An instant that is exactly the end of a period
 * closes it. A day begins where the zone's day begins, which is not midnight where a clock change skips midnight.
 *
 * @param instant an instant, or its ISO 8601 text with `Z` or an offset
 * @param from a Monday, `YYYY-MM-DD`, on which a fortnight begins; without one, that of the instant's week
 * @throws RangeError for an unknown time zone, or a text that is no instant
 */
export function periodBefore(kind: PeriodKind, timeZone: string, instant: Temporal.Instant | string, from?: string) {
  const { firstDate, step, nameOf } = periodKinds[kind];
  const beginOf = (date: Temporal.PlainDate) => date.toZonedDateTime(timeZone);
  const before = Temporal.Instant.from(instant).toZonedDateTimeISO(timeZone);
  const today = before.toPlainDate();
  const date = firstDate(today, from ?? mondayOf(today).toString());
  const next = date.add(step);
  // A clock put back over midnight shows the old date again after the new day has begun.
  const end = beginOf(next).epochNanoseconds <= before.epochNanoseconds ? next : date;
  let start = end.subtract(step);
  // A zone that moved over the date line left a day out: that day starts and ends in the same instant.
  while (beginOf(start).epochNanoseconds >= beginOf(end).epochNanoseconds) start = start.subtract(step);
  const textOf = (date: Temporal.PlainDate): string => withOffset(beginOf(date));
  return { kind, start: textOf(start), end: textOf(end), timeZone, startDate: start.toString(), name: nameOf(start) };
}

/** An instant in epoch milliseconds as ISO 8601 with the zone's offset. */
export function instantText(milliseconds: number, timeZone: string): string {
  return withOffset(Temporal.Instant.fromEpochMilliseconds(milliseconds).toZonedDateTimeISO(timeZone));
}

function withOffset(zoned: Temporal.ZonedDateTime): string {
  return zoned.toString({ timeZoneName: 'never' });
}

/** The instants that divide a period from what is before and after it, and the start of the one before, in epoch milliseconds. */
export function boundsOf({ kind, start, end, timeZone }: Period) {
  const precedingStartMs = Date.parse(periodBefore(kind, timeZone, start).start);
  return { precedingStartMs, startMs: Date.parse(start), endMs: Date.parse(end) };
}

/** The period of that name; `null` where no period has it, such as `2026-W54`. */
export function periodNamed(name: string): NamedPeriod | null {
  const [, year, letter, number, day] = /^(\d{4})-([QWFG]?)(?!0+\b)(\d\d?)(?:-(?!00)(\d\d))?$/.exec(name) ?? [];
  if (year === undefined) return null;
  const from = firstMondays[letter === 'G' ? 'G' : 'F'];
  for (const kind of periodKindNames) {
    const { firstDate, nameOf, inFirst = 1, step } = periodKinds[kind];
    const first = firstDate(Temporal.PlainDate.from({ year: Number(year), month: 1, day: inFirst }), from);
    const before = Number(number) - 1;
    const { days = 0, months = 0 } = step;
    const start = first.add(
      day === undefined ? { days: days * before, months: months * before } : { months: before, days: Number(day) - 1 },
    );
    if (nameOf(start) === name) return { kind, startDate: start.toString(), name };
  }
  return null;
}

/** The name of the run on one report for one period: `<report>_<period>`, such as `weekly_2026-W46`. */
export function runName(report: string, period: Pick<Period, 'name'>): string {
  return `${report}_${period.name}`;
}

/** The report and the period that a run's name is made of; `null` where the text is no run's name. */
export function partsOfRunName(name: string): { report: string; period: NamedPeriod } | null {
  const [, report, periodName = ''] = /^([\w-]{1,53})_([^_]+)$/.exec(name) ?? [];
  const period = periodNamed(periodName);
  return report === undefined || period === null ? null : { report, period };
}

/** The name of the run on the same report for the period before; `null` where the text is no run's name. */
export function runNameBefore(name: string): string | null {
  const { report, period } = partsOfRunName(name) ?? {};
  if (report === undefined || period === undefined) return null;
  const { nameOf, step } = periodKinds[period.kind];
  return runName(report, { name: nameOf(Temporal.PlainDate.from(period.startDate).subtract(step)) });
}
