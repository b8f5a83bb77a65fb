import { Temporal } from 'temporal-polyfill';
import type { Configuration, ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { nearest } from '../../../functions/domain/configuration/fault.ts';
import { partsOfRunName } from '../../../functions/domain/period.ts';
import { dueOf, type Due } from '../../../functions/domain/schedule.ts';
import { readRunsFrom, type Run } from '../../../functions/ledger/runs/runs.ts';
import { findNamedRun } from '../../../functions/run/find-run.ts';
import { isUnderWay } from '../../../functions/run/plan/period-over.ts';
import type { LedgerTarget } from '../targets/target.ts';
import { UsageError } from './flags.ts';

/** The report of that name, by default the first one. Throws a `UsageError` that suggests the nearest one. */
export function chooseReport({ reports }: Configuration, name = reports[0]?.name ?? ''): ReportConfiguration {
  const report = reports.find((each) => each.name === name);
  if (report !== undefined) return report;
  const names = reports.map((each) => each.name);
  const near = nearest(name, names);
  const hint = near === undefined ? listed(names) : `Did you mean "${near}"?`;
  throw new UsageError(`There is no report "${name}". ${hint}`);
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

/** The run of that name, also where its report has another name now. Throws a `UsageError` with the latest ones that there are. */
export async function chooseRun({ configuration, table }: LedgerTarget, name: string): Promise<Run> {
  const run = await findNamedRun(table, configuration.reports, name);
  if (run !== null) return run;
  const named = configuration.reports.filter((report) => report.name === partsOfRunName(name)?.report);
  const runs: string[] = [];
  for (const report of named.length > 0 ? named : configuration.reports)
    for (const known of await readRunsFrom(table, report, '0000')) runs.push(known.run);
  const shape = 'A run is called REPORT_PERIOD, such as weekly_2026-W46 or daily_2026-11-09.';
  throw new UsageError(`There is no run "${name}". ${shape} ${listed(runs)}`);
}

function listed(candidates: readonly string[]): string {
  return candidates.length === 0 ? 'There are none yet.' : `Known: ${candidates.slice(-5).join(', ')}.`;
}
