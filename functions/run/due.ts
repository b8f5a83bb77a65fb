import type { Temporal } from 'temporal-polyfill';
import type { ReportConfiguration } from '../domain/configuration/configuration.ts';
import { dueAt, latestDue, type Due } from '../domain/due.ts';
import { RunError } from './failure.ts';

/** The run that a trigger means: of its scheduled instant, or the latest that the report was due. `null` where it never was. */
export function findDue(
  report: ReportConfiguration,
  scheduledTime: string | undefined,
  now: Temporal.Instant,
): Due | null {
  return scheduledTime === undefined ? latestDue(report, now) : dueAt(report, scheduledTime);
}

/** As `findDue`. Throws a `RunError` where the report was never due. */
export function dueOf(report: ReportConfiguration, scheduledTime: string | undefined, now: Temporal.Instant): Due {
  const due = findDue(report, scheduledTime, now);
  if (due === null) throw new RunError('nothing-scheduled', `Report "${report.name}" has not been due yet.`);
  return due;
}
