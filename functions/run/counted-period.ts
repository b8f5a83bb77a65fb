import type { ReportConfiguration } from '../domain/configuration/configuration.ts';
import type { Period } from '../domain/period.ts';
import { warnedPeriod } from '../domain/schedule.ts';

/** The period that a report's digest counts: a warning's ends at its own instant, after the day that its run is named after. */
export function countedPeriod(
  { schedule, warningOf }: Pick<ReportConfiguration, 'schedule' | 'warningOf'>,
  period: Period,
): Period {
  return warningOf === undefined ? period : warnedPeriod(schedule, period);
}
