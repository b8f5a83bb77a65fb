import { Temporal } from 'temporal-polyfill';
import type { ReportConfiguration } from '../domain/configuration/configuration.ts';
import { parseCron } from '../domain/cron.ts';
import type { KnownReport } from '../ledger/reports.ts';
import { periodBefore, type Period } from '../domain/period.ts';
import { latestFireTime } from '../domain/schedule.ts';

/** A run that should have finished by now: the instant it was scheduled for, and its period. */
export interface DueRun {
  scheduledTime: string;
  period: Period;
}

/**
 * The last run of a report that should have finished by now: that of the schedule's latest instant whose hours of grace are
 * over. `null` where there is none, where the ledger had not yet seen the report at that instant, or where the report was
 * paused then.
 */
export function lastDueRun(
  report: Pick<ReportConfiguration, 'cron' | 'timeZone' | 'period' | 'graceHours'>,
  known: KnownReport,
  now: Temporal.Instant,
): DueRun | null {
  const { cron, timeZone, period, graceHours } = report;
  const instant = latestFireTime(parseCron(cron), timeZone, now.subtract({ hours: graceHours }));
  if (instant === null || isBefore(instant, known.firstSeenAt) || wasPaused(instant, known)) return null;
  return { scheduledTime: instant.toString(), period: periodBefore(period, timeZone, instant) };
}

function wasPaused(instant: Temporal.Instant, { pausedAt, lastPause }: KnownReport): boolean {
  if (pausedAt !== undefined && !isBefore(instant, pausedAt)) return true;
  return lastPause !== undefined && !isBefore(instant, lastPause.from) && isBefore(instant, lastPause.until);
}

function isBefore(instant: Temporal.Instant, other: string): boolean {
  return Temporal.Instant.compare(instant, Temporal.Instant.from(other)) < 0;
}
