import type { Configuration } from '../../domain/configuration/configuration.ts';
import { readRunsFrom, type Run, type RunState } from '../../ledger/runs/runs.ts';
import type { Table } from '../../ledger/table.ts';
import { namesFor } from '../../domain/report-names.ts';
import { readNamedRun } from '../find-run.ts';
import { readReceipt, type Receipt } from '../receipt/receipt.ts';
import type { ListTrigger, ShowTrigger } from '../trigger.ts';

/** A run as a list names it. Instants are ISO 8601. */
interface ListedRun {
  run: string;
  state: RunState;
  plannedAt: string;
  finishedAt: string | null;
  intended: number;
}

/** What an execution returns that was asked for runs: the latest of each report, newest first. */
export interface Listed {
  runs: ListedRun[];
}

/** Runs of one report that a list names: a result in a durable history is to stay small. */
const mostOfReport = 50;

/** What an execution returns that was asked for one run: its receipt without the addresses. */
export type ShownRun = Omit<Receipt, 'messages'>;

/** The latest runs of a report, or of every report that is configured. */
export async function listRuns(
  trigger: ListTrigger,
  { configuration, table }: { configuration: Configuration; table: Table },
): Promise<Listed> {
  const reports =
    trigger.report === undefined ? configuration.reports : [namesFor(configuration.reports, trigger.report)];
  const runs: Run[] = [];
  for (const report of reports) runs.push(...(await readRunsFrom(table, report, '0000')).slice(-mostOfReport));
  return { runs: runs.toSorted(newestFirst).map(asListed) };
}

/** One run's receipt, without the addresses: what it returns stays in the execution's history. */
export async function showRun(
  { run }: ShowTrigger,
  { configuration, table, clock }: { configuration: Configuration; table: Table; clock: () => number },
): Promise<ShownRun> {
  const { messages: _addresses, ...receipt } = await readReceipt(
    table,
    await readNamedRun(table, configuration.reports, run),
    clock(),
  );
  return receipt;
}

function newestFirst(a: Run, b: Run): number {
  return b.period.startDate.localeCompare(a.period.startDate) || a.run.localeCompare(b.run);
}

function asListed({ run, state, plannedAt, finishedAt, intended }: Run): ListedRun {
  return { run, state, plannedAt, finishedAt: finishedAt ?? null, intended };
}
