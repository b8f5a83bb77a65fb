import { countSent } from '../ledger/runs/messages.ts';
import { readRun, type PeriodKey, type Run } from '../ledger/runs/runs.ts';
import type { Table } from '../ledger/table.ts';
import { partsOfRunName } from '../domain/period.ts';
import { namesFor, namesOf, type ReportNames, reportByName } from '../domain/report-names.ts';
import { RunError } from './failure.ts';
import { Temporal } from 'temporal-polyfill';

/**
 * The run of a report for a period, under whichever name of the report it was planned; `null` where there is none. A period that was planned under two names, before anybody said that they are one report's, has the
 * run that was sent to somebody, else that of the oldest name: when that one was planned, the later names were not known.
 */
export async function readRunOf(table: Table, report: ReportNames, period: PeriodKey): Promise<Run | null> {
  const found = await Promise.all(namesOf(report).map((name) => readRun(table, name, period)));
  const runs = found.filter((run) => run !== null).toReversed();
  if (runs.length > 1) for (const run of runs) if (await isBegun(table, run)) return run;
  return runs[0] ?? null;
}

async function isBegun(table: Table, { run, state }: Run): Promise<boolean> {
  return state === 'sending' || state === 'done' || (await countSent(table, run)) > 0;
}

/** Throws a `RunError` where the run of this run's period is another one, under another name of the report. */
export async function refuseOther(table: Table, report: ReportNames, run: Pick<Run, 'run' | 'period'>): Promise<void> {
  const ofPeriod = await readRunOf(table, report, run.period);
  if (ofPeriod === null || ofPeriod.run === run.run) return;
  throw new RunError(
    'renamed',
    `Run "${run.run}" is not sent: the report had another name when run "${ofPeriod.run}" was planned for the same ` +
      'period. Run the report to continue that one.',
  );
}

/** Throws a `RunError` where a run has no digest to send, or another one than `meant`: it was discarded meanwhile. */
export function refuseDropped({ run, digest }: Run, meant = digest): void {
  if (digest !== undefined && digest === meant) return;
  throw new RunError('discarded', `The digest of run "${run}" was discarded meanwhile: nothing is sent.`);
}

/** The run of that name; where there is none, the run of its period under another name of the report; else `null`. */
export async function findNamedRun(table: Table, reports: readonly ReportNames[], name: string): Promise<Run | null> {
  const parts = partsOfRunName(name);
  if (parts === null) return null;
  const { report, period } = parts;
  return (await readRun(table, report, period)) ?? (await readRunOf(table, namesFor(reports, report), period));
}

/** As `findNamedRun`. Throws a `RunError` where there is none. */
export async function readNamedRun(table: Table, reports: readonly ReportNames[], name: string): Promise<Run> {
  const run = await findNamedRun(table, reports, name);
  if (run === null) throw new RunError('unknown-run', 'There is no run with that name.');
  return run;
}

/** The report that has or had this name. Throws a `RunError` that names the configured ones. */
export function requireReport<R extends ReportNames>({ reports }: { reports: readonly R[] }, name: string): R {
  const report = reportByName(reports, name);
  if (report === undefined) throw new RunError('unknown-report', unknownReportMessage(reports));
  return report;
}

/** Names the reports that there are, and never the one that was asked for: that may be any text. */
export function unknownReportMessage(reports: readonly ReportNames[]): string {
  return `There is no report with that name. Configured: ${reports.map(({ name }) => `"${name}"`).join(', ')}.`;
}

/** Rows count as expired this long before they are: from then on DynamoDB may delete them at any time. */
const sealedMonthsBefore = 1;

/**
 * Throws a `RunError` where rows of a run that was planned at `plannedAt` (or later, where the run is not `known`) may have
 * expired: such a run never sends again, because without its rows nobody knows who got the mail.
 */
export function refuseSealed(
  name: string,
  { known, plannedAt }: { known: boolean; plannedAt: string },
  { keepMonths, now }: { keepMonths: number; now: Temporal.Instant },
): void {
  const months = known ? keepMonths - sealedMonthsBefore : keepMonths;
  const sealedFrom = Temporal.Instant.from(plannedAt).toZonedDateTimeISO('UTC').add({ months }).toInstant();
  if (Temporal.Instant.compare(now, sealedFrom) < 0) return;
  throw new RunError('sealed', `Run "${name}" is sealed: the ledger no longer knows for sure who got its mail.`);
}
