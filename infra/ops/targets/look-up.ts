import { Temporal } from 'temporal-polyfill';
import type { Configuration, ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { nearest } from '../../../functions/domain/configuration/nearest.ts';
import { latestDue } from '../../../functions/domain/due.ts';
import { readRunsFrom, type Run } from '../../../functions/ledger/runs/runs.ts';
import { partsOfRunName } from '../../../functions/domain/period.ts';
import { namesFor, reportByName } from '../../../functions/domain/report-names.ts';
import { findNamedRun } from '../../../functions/run/find-run.ts';
import { isInstant } from '../../local/command-line/choices.ts';
import { shorten, UsageError } from '../../local/command-line/usage-error.ts';
import type { LedgerTarget } from './target.ts';

/** The report of that name. Throws a `UsageError` that suggests the nearest one. */
export function lookUpReport(configuration: Configuration, name: string): ReportConfiguration {
  const names = configuration.reports.map((report) => report.name);
  const report = reportByName(configuration.reports, name);
  if (report === undefined) throw new UsageError([`There is no report "${shorten(name)}". ${hint(name, names)}`]);
  if (report.name !== name) throw new UsageError([`Report "${name}" is now called "${report.name}".`]);
  return report;
}

/** The run of that name, also where its report had another name then. Throws a `UsageError` that suggests the nearest one. */
export async function lookUpRun({ configuration, table }: LedgerTarget, name: string): Promise<Run> {
  const isName = /^[\w-]+_\d{4}-\d{2}-\d{2}$/.test(name);
  const run = isName ? await findNamedRun(table, configuration.reports, name) : null;
  if (run !== null) return run;
  const reports = [...configuration.reports, namesFor(configuration.reports, partsOfRunName(name).report)];
  const runs: string[] = [];
  for (const report of new Set(reports))
    runs.push(...(await readRunsFrom(table, report, '0000')).map(({ run: known }) => known));
  const shape = isName ? '' : ' A run is called REPORT_YYYY-MM-DD.';
  const suggestion = (isName ? hintOfDate(configuration, name, runs) : undefined) ?? hint(name, runs);
  throw new UsageError([`There is no run "${shorten(name)}".${shape} ${suggestion}`]);
}

/**
 * What is said of a date that no run of a configured report has: the day on which the schedule fires is easily taken for the
 * first day of the period. Runs of other periods are named, but none of them is called near.
 */
function hintOfDate(configuration: Configuration, name: string, runs: readonly string[]): string | undefined {
  const { report: called, startDate } = partsOfRunName(name);
  const report = reportByName(configuration.reports, called);
  if (report === undefined || !isInstant(`${startDate}T00:00Z`)) return undefined;
  const day = Temporal.PlainDate.from(startDate);
  const due = latestDue(
    report,
    day.add({ days: 1 }).toZonedDateTime(report.timeZone).subtract({ seconds: 1 }).toInstant(),
  );
  const fired = due && Temporal.Instant.from(due.scheduledTime).toZonedDateTimeISO(report.timeZone).toPlainDate();
  const meant = `${called}_${due?.period.startDate}`;
  if (fired?.equals(day) && runs.includes(meant)) {
    return `A run is named after the first day of its period: the one that was due on ${startDate} is "${meant}".`;
  }
  const known = runs.filter((run) => partsOfRunName(run).report === called).slice(-5);
  return known.length === 0 ? 'The report has not run yet.' : `Known: ${known.join(', ')}.`;
}

function hint(word: string, candidates: readonly string[]): string {
  const near = nearest(word, candidates);
  if (near !== undefined) return `Did you mean "${near}"?`;
  return candidates.length === 0 ? 'There are none yet.' : `Known: ${candidates.slice(-5).join(', ')}.`;
}
