import { Temporal } from 'temporal-polyfill';
import type { PeriodKind } from '../../../functions/domain/period.ts';

/** A period of a report. */
export interface Calendar {
  timeZone: string;
  kind: PeriodKind;
  /** The instant at which the report is due. */
  at: string;
  start: string;
  end: string;
}

const lengths = { day: { days: 1 }, week: { weeks: 1 }, month: { months: 1 }, quarter: { months: 3 } } as const;

/** The period of a kind whose first day this is, due at 08:00 on the day after it. */
export function calendarOf(kind: PeriodKind, timeZone: string, firstDay: string): Calendar {
  const first = Temporal.PlainDate.from(firstDay);
  const after = first.add(lengths[kind]);
  const instant = (day: Temporal.PlainDate, plainTime: string): string =>
    day.toZonedDateTime({ timeZone, plainTime }).toInstant().toString();
  return { timeZone, kind, at: instant(after, '08:00'), start: instant(first, '00:00'), end: instant(after, '00:00') };
}

/** So many periods of a kind in a row. */
export function calendarsFrom(kind: PeriodKind, timeZone: string, firstDay: string, count: number): Calendar[] {
  if (count === 0) return [];
  const first = calendarOf(kind, timeZone, firstDay);
  return [first, ...calendarsFrom(kind, timeZone, firstDayOf({ start: first.end, timeZone }), count - 1)];
}

/** The day on which a period begins, in its own zone. */
export function firstDayOf({ start, timeZone }: Pick<Calendar, 'start' | 'timeZone'>): string {
  return Temporal.Instant.from(start).toZonedDateTimeISO(timeZone).toPlainDate().toString();
}

const before = new Map<string, Calendar>();

/** The period before another, of the same kind and in the same zone. */
export function calendarBefore({ kind, timeZone, start }: Pick<Calendar, 'kind' | 'timeZone' | 'start'>): Calendar {
  const key = `${kind} ${timeZone} ${start}`;
  const firstDay = (): Temporal.PlainDate => Temporal.PlainDate.from(firstDayOf({ start, timeZone }));
  const calendar = before.get(key) ?? calendarOf(kind, timeZone, firstDay().subtract(lengths[kind]).toString());
  before.set(key, calendar);
  return calendar;
}

const weeksInLondon = calendarsFrom('week', 'Europe/London', '2026-10-19', 5);
const daysInLondon = calendarsFrom('day', 'Europe/London', '2026-11-06', 3);

/** Successive periods of one report; in some its zone or its kind of period changes. */
export const successions: ReadonlyArray<readonly Calendar[]> = [
  weeksInLondon,
  weeksInLondon.slice(0, 3),
  calendarsFrom('week', 'America/New_York', '2026-10-19', 4),
  calendarsFrom('day', 'Asia/Kathmandu', '2026-11-12', 5),
  calendarsFrom('month', 'Pacific/Auckland', '2026-08-01', 3),
  calendarsFrom('quarter', 'Europe/Berlin', '2026-04-01', 3),
  [...weeksInLondon.slice(0, 2), ...calendarsFrom('week', 'Asia/Kathmandu', '2026-11-02', 2)],
  [...weeksInLondon.slice(0, 2), ...calendarsFrom('week', 'America/New_York', '2026-11-02', 2)],
  [...daysInLondon, ...weeksInLondon.slice(3)],
  [...weeksInLondon.slice(0, 2), ...calendarsFrom('day', 'Europe/London', '2026-11-02', 3)],
];
