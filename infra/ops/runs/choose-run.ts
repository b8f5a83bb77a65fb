import { Temporal } from 'temporal-polyfill';
import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { runName, type Period } from '../../../functions/domain/period.ts';
import { dueAt } from '../../../functions/domain/schedule.ts';
import { readRunOf } from '../../../functions/run/find-run.ts';
import { chooseInstant } from '../../local/command-line/choices.ts';
import { lookUpReport } from '../targets/look-up.ts';
import type { LedgerTarget } from '../targets/target.ts';

/** A run that may be triggered, whether or not it was planned already. */
export interface ChosenRun {
  report: ReportConfiguration;
  scheduledTime: string;
  period: Period;
  /** Its name, under which it was planned where the report has another one now. */
  run: string;
}

/**
 * The run of a report for the period before the instant `at`, by default the report's latest one at `now`. Throws a `UsageError`
 * where there is no such report, or the period is not over.
 */
export async function chooseRun(
  { configuration, table }: LedgerTarget,
  name: string,
  { at, now }: { at: string | undefined; now: Temporal.Instant },
): Promise<ChosenRun> {
  const report = lookUpReport(configuration, name);
  const scheduledTime = Temporal.Instant.from(chooseInstant(report, at, now)).toString();
  const { period } = dueAt(report.schedule, scheduledTime);
  const run = (await readRunOf(table, report, period))?.run ?? runName(report.name, period);
  return { report, scheduledTime, period, run };
}
