import { partsOfRunName } from '../domain/period.ts';
import { readPresentName } from '../ledger/renamed-reports.ts';
import { readRun, type Run } from '../ledger/runs/runs.ts';
import type { Table } from '../ledger/table.ts';
import { CodedError } from '../domain/failures.ts';

/** The run of that name, also where its report has another name now; else `null`. */
export async function findNamedRun(table: Table, reports: ReadonlyArray<{ name: string }>, name: string) {
  const parts = partsOfRunName(name);
  if (parts === null) return null;
  return await readRun(table, await readPresentName(table, parts.report, reports), parts.period);
}

/** As `findNamedRun`. Throws a `CodedError` where there is none. */
export async function readNamedRun(table: Table, reports: ReadonlyArray<{ name: string }>, name: string): Promise<Run> {
  const run = await findNamedRun(table, reports, name);
  if (run === null) throw new CodedError('unknown-run', 'There is no run with that name.');
  return run;
}

/** The report of that name. Throws a `CodedError` that names the configured ones. */
export function requireReport<R extends { name: string }>({ reports }: { reports: readonly R[] }, name: string): R {
  const report = reports.find((configured) => configured.name === name);
  if (report === undefined) throw new CodedError('unknown-report', unknownReportMessage(reports));
  return report;
}

/** Names the reports that there are, and never the one that was asked for: that may be any text. */
export function unknownReportMessage(reports: ReadonlyArray<{ name: string }>): string {
  return `There is no report with that name. Configured: ${reports.map(({ name }) => `"${name}"`).join(', ')}.`;
}
