import { Temporal } from 'temporal-polyfill';
import type { ReportConfiguration } from '../domain/configuration/configuration.ts';
import { latestDue, type Due } from '../domain/schedule.ts';
import type { KnownReport } from '../ledger/reports.ts';

/**
 * The last run of a report that should have finished by now: that of the schedule's latest instant whose hours of grace are
 * over. `null` where there is none, where the ledger had not yet seen the report at that instant, or where the report was
 * paused then.
 */
export function lastDueRun(
  report: Pick<ReportConfiguration, 'schedule' | 'graceHours'>,
  known: KnownReport,
  now: Temporal.Instant,
): Due | null {
  const due = latestDue(report.schedule, now.subtract({ hours: report.graceHours }));
  const instant = Temporal.Instant.from(due.scheduledTime);
  return isBefore(instant, known.firstSeenAt) || wasPaused(instant, known) ? null : due;
}

function wasPaused(instant: Temporal.Instant, { pausedAt, lastPause }: KnownReport): boolean {
  if (pausedAt !== undefined && !isBefore(instant, pausedAt)) return true;
  return lastPause !== undefined && !isBefore(instant, lastPause.from) && isBefore(instant, lastPause.until);
}

function isBefore(instant: Temporal.Instant, other: string): boolean {
  return Temporal.Instant.compare(instant, Temporal.Instant.from(other)) < 0;
}
