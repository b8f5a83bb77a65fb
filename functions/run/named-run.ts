import { readRun, type Run } from '../ledger/runs.ts';
import type { Table } from '../ledger/table.ts';
import { RunError } from './failure.ts';

/** The report and the start date of the period that a run's name is made of: `<report>_<period start date>`. */
export function partsOfRunName(name: string): { report: string; startDate: string } {
  return { report: name.slice(0, -'_YYYY-MM-DD'.length), startDate: name.slice(-'YYYY-MM-DD'.length) };
}

/** The run of that name. Throws a `RunError` where there is none. */
export async function readNamedRun(table: Table, name: string): Promise<Run> {
  const { report, startDate } = partsOfRunName(name);
  const run = await readRun(table, report, startDate);
  if (run === null) throw new RunError('unknown-run', 'There is no run of that name.');
  return run;
}
