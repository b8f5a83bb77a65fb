import { Temporal } from 'temporal-polyfill';
import type * as v from 'valibot';
import type { Schedule as ScheduleSettings } from './configuration/fields.ts';
import { instantText, periodBefore, periodKinds, weekdays, type Period } from './period.ts';

/** Which days of a week are no working days: their hours make nothing older, and no warning comes on them. */
export const weekends = { 'saturday-sunday': [6, 7], 'friday-saturday': [5, 6], none: [] } as const;
export type Weekend = keyof typeof weekends;

/** When a report is due: so often, on a weekday or a day of the month, at a time of day (`HH:MM`) in a zone. */
export type Schedule = v.InferOutput<typeof ScheduleSettings> & {
  /** Of a report of every day: the days on which it does not come. */
  except?: Weekend;
};

/** A run that a report is due: the instant that it is scheduled for, in UTC, and the last complete period before that. */
export type Due = ReturnType<typeof dueAt>;

/**
 * The run that a scheduled instant means; it depends on the instant alone, and not on when it is triggered.
 *
 * @param scheduledTime an instant, or its ISO 8601 text with `Z` or an offset
 * @throws RangeError for a text that is no instant
 */
export function dueAt({ every, timeZone, from }: Schedule, scheduledTime: Temporal.Instant | string) {
  const instant = Temporal.Instant.from(scheduledTime);
  return { scheduledTime: instant.toString(), period: periodBefore(every, timeZone, instant, from) };
}

/** Whether a report comes on the day of an instant on which its schedule fires: of two weeks, in that which follows their end. */
export function comesAt(schedule: Schedule, scheduledTime: string): boolean {
  const [instant, { timeZone }] = [Temporal.Instant.from(scheduledTime), schedule];
  const due = instantWithin(schedule, firstDateAt(schedule, instant));
  return dateAt(instant, timeZone).equals(dateAt(due, timeZone));
}

/** The run that a trigger means: that of its scheduled instant, or the latest that the report was due. */
export function dueOf({ schedule }: { schedule: Schedule }, scheduledTime: string | undefined, now: Temporal.Instant) {
  return scheduledTime === undefined ? latestDue(schedule, now) : dueAt(schedule, scheduledTime);
}

/** The run of the period that a date, `YYYY-MM-DD`, belongs to: that of the schedule's instant which closes it. */
export function dueFor(schedule: Schedule, date: string): Due {
  const first = firstDateOf(schedule, Temporal.PlainDate.from(date));
  return dueAt(schedule, instantWithin(schedule, first.add(periodKinds[schedule.every].step)));
}

/** The latest run that was due at `now` or before. */
export function latestDue(schedule: Schedule, now: Temporal.Instant): Due {
  for (let underWay = firstDateAt(schedule, now); ; underWay = underWay.subtract(periodKinds[schedule.every].step)) {
    const instant = instantWithin(schedule, underWay);
    if (comesOn(schedule, underWay) && Temporal.Instant.compare(instant, now) <= 0) return dueAt(schedule, instant);
  }
}

/** The first runs that are due after `now`, earliest first. */
export function nextDue(schedule: Schedule, now: Temporal.Instant, count: number): Due[] {
  const due: Due[] = [];
  const { step } = periodKinds[schedule.every];
  for (let underWay = firstDateAt(schedule, now); due.length < count; underWay = underWay.add(step)) {
    const instant = instantWithin(schedule, underWay);
    if (comesOn(schedule, underWay) && Temporal.Instant.compare(instant, now) > 0) due.push(dueAt(schedule, instant));
  }
  return due;
}

/** Whether a report of every day comes on a date; any other comes. */
function comesOn({ except = 'none' }: Schedule, { dayOfWeek }: Temporal.PlainDate): boolean {
  return weekends[except].every((day) => day !== dayOfWeek);
}

/**
 * The period that a report's digest counts. A warning's is from its instant of the last day on which it came to its own, which follows
 * the calendar day that the run is named after.
 */
export function countedPeriod(
  { schedule, warningOf }: { schedule: Schedule; warningOf?: object },
  period: Period,
): Period {
  if (warningOf === undefined) return period;
  const beforeEnd = Temporal.Instant.from(period.end).subtract({ nanoseconds: 1 });
  const [own] = nextDue({ ...schedule, except: 'none' }, beforeEnd, 1);
  const end = Temporal.Instant.from(own?.scheduledTime ?? period.end);
  const start = latestDue(schedule, end.subtract({ nanoseconds: 1 })).scheduledTime;
  const textOf = (instant: string): string => instantText(Date.parse(instant), period.timeZone);
  return { ...period, start: textOf(start), end: textOf(end.toString()) };
}

function firstDateOf({ every, from = '' }: Schedule, date: Temporal.PlainDate): Temporal.PlainDate {
  return periodKinds[every].firstDate(date, from);
}

function firstDateAt(schedule: Schedule, instant: Temporal.Instant): Temporal.PlainDate {
  return firstDateOf(schedule, dateAt(instant, schedule.timeZone));
}

function dateAt(instant: Temporal.Instant, timeZone: string): Temporal.PlainDate {
  return instant.toZonedDateTimeISO(timeZone).toPlainDate();
}

/** The one instant of a schedule within the period that begins on a date. */
function instantWithin({ on = 1, at, timeZone }: Schedule, firstDate: Temporal.PlainDate): Temporal.Instant {
  const days = typeof on === 'number' ? on - 1 : weekdays.indexOf(on);
  return firstDate.add({ days }).toZonedDateTime({ timeZone, plainTime: at }).toInstant();
}

/** The schedule's clock may be this much ahead of ours: the run then waits for the end of its period, and is not refused. */
const toleratedMs = 60_000;

/** Whether a period has longer to go than a clock that is slightly ahead can explain. */
export function isUnderWay({ end }: Period, now: Temporal.Instant): boolean {
  return Date.parse(end) - now.epochMilliseconds > toleratedMs;
}
