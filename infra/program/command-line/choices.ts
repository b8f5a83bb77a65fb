import { Temporal } from 'temporal-polyfill';
import type { Configuration, ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { nearest } from '../../../functions/domain/configuration/fault.ts';
import { partsOfRunName, periodKinds, runName, type NamedPeriod } from '../../../functions/domain/period.ts';
import { dueOf, latestDue, type Due } from '../../../functions/domain/schedule.ts';
import { readRunsFrom, type Run } from '../../../functions/ledger/runs/runs.ts';
import { findNamedRun } from '../../../functions/run/find-run.ts';
import { isUnderWay } from '../../../functions/run/plan/period-over.ts';
import type { LedgerTarget } from '../targets/target.ts';
import { UsageError } from './flags.ts';

/** The report of that name, by default the first one. Throws a `UsageError` that suggests the nearest one. */
export function chooseReport({ reports }: Configuration, name = reports[0]?.name ?? ''): ReportConfiguration {
  const report = reports.find((each) => each.name === name);
  if (report === undefined) {
    const names = reports.map((each) => each.name);
    throw new UsageError(`There is no report "${name}". ${hint(name, names)}`);
  }
  return report;
}

/**
 * The run of a report that is due at `at`, by default its latest one at `now`. Throws a `UsageError` where the period that the
 * instant closes is not over.
 */
export function chooseDue(report: ReportConfiguration, at: string | undefined, now = Temporal.Now.instant()): Due {
  const due = dueOf(report, at, now);
  if (!isUnderWay(due.period, now)) return due;
  const { every } = report.schedule;
  const latest = `The latest ${every} that is over is the default.`;
  throw new UsageError(`--at: the ${every} that begins on ${due.period.startDate} is not over. ${latest}`);
}

/** The run of that name, also where its report has another name now. Throws a `UsageError` that suggests the nearest one. */
export async function chooseRun({ configuration, table }: LedgerTarget, name: string): Promise<Run> {
  const run = await findNamedRun(table, configuration.reports, name);
  if (run !== null) return run;
  const parts = partsOfRunName(name);
  const reports = new Set(configuration.reports.map((report) => report.name));
  if (parts !== null) reports.add(parts.report);
  const runs: Run[] = [];
  for (const report of reports) runs.push(...(await readRunsFrom(table, { name: report }, '0000')));
  const shape = parts === null ? ' A run is called REPORT_PERIOD, such as weekly_2026-W46 or daily_2026-11-09.' : '';
  const suggestion = parts && hintOfPeriod(configuration, parts, runs);
  const names = runs.map(({ run: known }) => known);
  throw new UsageError(`There is no run "${name}".${shape} ${suggestion ?? hint(name, names)}`);
}

/**
 * What is said of a period that no run of a configured report has: the first day of a period, or the day or the week in which
 * the schedule fires, is easily taken for its name. Runs of other periods are named, but none of them is called near.
 */
function hintOfPeriod(
  configuration: Configuration,
  { report: called, period: { kind, startDate } }: { report: string; period: NamedPeriod },
  runs: readonly Run[],
): string | null {
  const report = configuration.reports.find((each) => each.name === called);
  if (report === undefined) return null;
  const known = runs.filter((run) => run.report === called);
  const started = known.find((run) => run.period.startDate === startDate);
  if (started !== undefined) return `Did you mean "${started.run}"?`;
  const start = Temporal.PlainDate.from(startDate);
  const { schedule } = report;
  const end = start.add(periodKinds[kind].step).toZonedDateTime(schedule.timeZone).toInstant();
  const due = latestDue(schedule, end.subtract({ nanoseconds: 1 }));
  const fired = Temporal.Instant.from(due.scheduledTime).toZonedDateTimeISO(schedule.timeZone).toPlainDate();
  const meant = runName(called, due.period);
  if (Temporal.PlainDate.compare(fired, start) >= 0 && known.some(({ run }) => run === meant)) {
    return `A run is named after its period: the one that was due on ${fired.toString()} is "${meant}".`;
  }
  const names = known.slice(-5).map(({ run }) => run);
  return names.length === 0 ? 'The report has not run yet.' : `Known: ${names.join(', ')}.`;
}

function hint(word: string, candidates: readonly string[]): string {
  const near = nearest(word, candidates);
  if (near !== undefined) return `Did you mean "${near}"?`;
  return candidates.length === 0 ? 'There are none yet.' : `Known: ${candidates.slice(-5).join(', ')}.`;
}
