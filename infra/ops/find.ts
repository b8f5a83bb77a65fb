import type { Configuration, ReportConfiguration } from '../../functions/configuration.ts';
import { nearest } from '../../functions/configuration/nearest.ts';
import { readRunsFrom, type Run } from '../../functions/ledger/runs.ts';
import { partsOfRunName } from '../../functions/run/named-run.ts';
import { UsageError } from '../local/flags.ts';
import type { LedgerDesk } from './desk.ts';

/** The report of that name. Throws a `UsageError` with the nearest one. */
export function findReport(configuration: Configuration, name: string): ReportConfiguration {
  const names = configuration.reports.map((report) => report.name);
  const report = configuration.reports.find((configured) => configured.name === name);
  if (report === undefined) throw new UsageError([`There is no report "${shorten(name)}". ${hint(name, names)}`]);
  return report;
}

/** The run of that name. Throws a `UsageError` with the nearest one that there is. */
export async function findRun(desk: LedgerDesk, name: string): Promise<Run> {
  const { report, startDate } = partsOfRunName(name);
  const runs = new Map<string, Run>();
  for (const known of new Set([report, ...desk.configuration.reports.map(({ name: configured }) => configured)])) {
    for (const run of await readRunsFrom(desk.table, known, '0000')) runs.set(run.run, run);
  }
  const run = runs.get(name);
  if (run !== undefined) return run;
  const shape = /^\d{4}-\d{2}-\d{2}$/.test(startDate) ? '' : ' A run is called REPORT_YYYY-MM-DD.';
  throw new UsageError([`There is no run "${shorten(name)}".${shape} ${hint(name, [...runs.keys()])}`]);
}

function hint(word: string, candidates: readonly string[]): string {
  const near = nearest(word, candidates);
  if (near !== undefined) return `Did you mean "${near}"?`;
  return candidates.length === 0 ? 'There is none yet.' : `There is ${candidates.slice(-5).join(', ')}.`;
}

/** A word of the call for a message; never one that may be an address. */
function shorten(word: string): string {
  return word.includes('@') ? '…' : word.slice(0, 60);
}
