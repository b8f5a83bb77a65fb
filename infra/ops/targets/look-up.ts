import type { Configuration, ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { nearest } from '../../../functions/domain/configuration/nearest.ts';
import { readRunsFrom, type Run } from '../../../functions/ledger/runs/runs.ts';
import { partsOfRunName } from '../../../functions/domain/period.ts';
import { namesFor, reportByName } from '../../../functions/domain/report-names.ts';
import { findNamedRun } from '../../../functions/run/find-run.ts';
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
  throw new UsageError([`There is no run "${shorten(name)}".${shape} ${hint(name, runs)}`]);
}

function hint(word: string, candidates: readonly string[]): string {
  const near = nearest(word, candidates);
  if (near !== undefined) return `Did you mean "${near}"?`;
  return candidates.length === 0 ? 'There are none yet.' : `Known are ${candidates.slice(-5).join(', ')}.`;
}
