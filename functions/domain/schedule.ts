import { Temporal } from 'temporal-polyfill';
import { hourMs, periodBefore, periodKinds, type Period, type PeriodKind } from './period.ts';

/** In the order of a week, which begins on Monday. */
export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

/** Two runs a day apart may be so much closer: they begin some minutes off, and a clock change takes an hour. */
export const offScheduleMs = 2 * hourMs;

/** When a report is due: so often, on a weekday or a day of the month, at a time of day (`HH:MM`) in a zone. */
export interface Schedule {
  every: PeriodKind;
  on?: (typeof weekdays)[number] | number;
  at: string;
  timeZone: string;
}

/** A run that a report is due. */
export interface Due {
  /** The instant that it is scheduled for, in UTC: `2026-11-16T08:00:00Z`. */
  scheduledTime: string;
  /** The last complete period before that instant. */
  period: Period;
}

/**
 * The run that a scheduled instant means; it depends on the instant alone, and not on when it is triggered.
 *
 * @param scheduledTime an instant, or its ISO 8601 text with `Z` or an offset
 * @throws RangeError for a text that is no instant
 */
export function dueAt({ every, timeZone }: Schedule, scheduledTime: Temporal.Instant | string): Due {
  const instant = Temporal.Instant.from(scheduledTime);
  return { scheduledTime: instant.toString(), period: periodBefore(every, timeZone, instant) };
}

/** The run that a trigger means: that of its scheduled instant, or the latest that the report was due. */
export function dueOf({ schedule }: { schedule: Schedule }, scheduledTime: string | undefined, now: Temporal.Instant) {
  return scheduledTime === undefined ? latestDue(schedule, now) : dueAt(schedule, scheduledTime);
}

/** The run of the period that a date, `YYYY-MM-DD`, belongs to: that of the schedule's instant which closes it. */
export function dueFor(schedule: Schedule, date: string): Due {
  const { firstDate, step } = periodKinds[schedule.every];
  return dueAt(schedule, instantWithin(schedule, firstDate(Temporal.PlainDate.from(date)).add(step)));
}

/** The latest run that was due at `now` or before. */
export function latestDue(schedule: Schedule, now: Temporal.Instant): Due {
  const underWay = firstDateAt(schedule, now);
  const instant = instantWithin(schedule, underWay);
  if (Temporal.Instant.compare(instant, now) <= 0) return dueAt(schedule, instant);
  return dueAt(schedule, instantWithin(schedule, underWay.subtract(periodKinds[schedule.every].step)));
}

/** The first runs that are due after `now`, earliest first. */
export function nextDue(schedule: Schedule, now: Temporal.Instant, count: number): Due[] {
  const due: Due[] = [];
  let underWay = firstDateAt(schedule, now);
  while (due.length < count) {
    const instant = instantWithin(schedule, underWay);
    if (Temporal.Instant.compare(instant, now) > 0) due.push(dueAt(schedule, instant));
    underWay = underWay.add(periodKinds[schedule.every].step);
  }
  return due;
}

function firstDateAt({ every, timeZone }: Schedule, instant: Temporal.Instant): Temporal.PlainDate {
  return periodKinds[every].firstDate(instant.toZonedDateTimeISO(timeZone).toPlainDate());
}

/** The one instant of a schedule within the period that begins on a date. */
function instantWithin({ on = 1, at, timeZone }: Schedule, firstDate: Temporal.PlainDate): Temporal.Instant {
  const days = typeof on === 'number' ? on - 1 : weekdays.indexOf(on);
  return firstDate.add({ days }).toZonedDateTime({ timeZone, plainTime: at }).toInstant();
}
