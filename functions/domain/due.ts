import { Temporal } from 'temporal-polyfill';
import { parseCron } from './cron.ts';
import { periodBefore, type Period, type PeriodKind } from './period.ts';
import { latestFireTime } from './schedule.ts';

/** A run that a report is due. */
export interface Due {
  /** The instant that it is scheduled for, in UTC: `2026-11-16T08:00:00Z`. */
  scheduledTime: string;
  /** The last complete period before that instant. */
  period: Period;
}

interface Scheduled {
  cron: string;
  timeZone: string;
  period: PeriodKind;
}

/**
 * The run that a scheduled instant means; it depends on the instant alone, and not on when it is triggered.
 *
 * @param scheduledTime an instant, or its ISO 8601 text with `Z` or an offset
 * @throws RangeError for a text that is no instant
 */
export function dueAt(report: Omit<Scheduled, 'cron'>, scheduledTime: Temporal.Instant | string): Due {
  const instant = Temporal.Instant.from(scheduledTime);
  return { scheduledTime: instant.toString(), period: periodBefore(report.period, report.timeZone, instant) };
}

/** The latest run that a report's schedule was due at `now` or before; `null` where it was never due. */
export function latestDue(report: Scheduled, now: Temporal.Instant): Due | null {
  const instant = latestFireTime(parseCron(report.cron), report.timeZone, now);
  return instant === null ? null : dueAt(report, instant);
}
