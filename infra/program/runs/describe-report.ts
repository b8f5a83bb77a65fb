import { Temporal } from 'temporal-polyfill';
import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import type { Note } from '../../../functions/domain/note.ts';
import * as ledger from '../../../functions/ledger/reports.ts';
import { readSuppressed } from '../../../functions/ledger/notices.ts';
import { readRunsFrom, type Run } from '../../../functions/ledger/runs/runs.ts';
import type { Table } from '../../../functions/ledger/table.ts';
import { inspectLeftReports, inspectReport, type WatchedRun } from '../../../functions/watch/inspect.ts';
import { openMatters } from '../../../functions/watch/matters.ts';
import { beginText } from '../../../functions/watch/notice-text.ts';
import { sayInstant } from '../command-line/result.ts';
import type { LedgerTarget } from '../targets/target.ts';

/** A report with what the ledger knows of it, and its runs, oldest first. */
export interface ReportState {
  report: ReportConfiguration;
  known: ledger.KnownReport | null;
  runs: Run[];
}

/** What the ledger knows of each of some reports, in their order. */
export async function readStates(table: Table, reports: readonly ReportConfiguration[]): Promise<ReportState[]> {
  const known = await ledger.readReports(table);
  return await Array.fromAsync(reports, async (report) => ({
    report,
    known: known.get(report.name) ?? null,
    runs: await readRunsFrom(table, report, '0000'),
  }));
}

/** Whether a report is off, since nobody has ever switched it on; else since when and by whom it is paused, `null` where it is on. */
export function switchOf(known: ledger.KnownReport | null) {
  const { pausedAt: since, pausedBy: by } = known ?? {};
  const isPaused = since !== undefined && by !== undefined;
  return { off: known === null || (since !== undefined && by === undefined), paused: isPaused ? { since, by } : null };
}

/** Says of a report that it is off, or since when it is paused, and by whom; nothing of one that is on. */
export async function describePause(table: Table, report: ReportConfiguration): Promise<string[]> {
  const { off, paused } = switchOf(await ledger.readReport(table, report));
  const since = paused && `was paused by ${paused.by}, ${sayInstant(paused.since, report.schedule.timeZone)}:`;
  const why = off ? 'is off: never switched on, so' : since;
  return why === null ? [] : [`Report "${report.name}" ${why} its schedule triggers nothing.`];
}

/** The note that a report's next digest has, in words; nothing where there is none. */
export function describeNote({ name, schedule }: ReportConfiguration, note: Note | null): string[] {
  if (note === null) return [];
  const since = `${note.by}, ${sayInstant(note.at, schedule.timeZone)}`;
  return [`The next digest of "${name}" has this note (${since}): ${note.text}`];
}

/**
 * The matters of these reports that are open in a ledger, as lines in the words of the notices, whether or not a notice was
 * published.
 */
export async function describeOpenMatters(
  target: LedgerTarget,
  states: readonly ReportState[],
  now = Temporal.Now.instant(),
) {
  const { table, configuration, flags, stack } = target;
  const watched: WatchedRun[] = [];
  // No watch has seen the reports of a local ledger, which has no schedule: nothing is due there.
  for (const { report, ...state } of states) watched.push(...(await inspectReport(table, report, { ...state, now })));
  // Nobody misses mail of a local ledger, such as the sample account's, which outlives many a cdk.json.
  const left = stack === null ? [] : await inspectLeftReports(table, configuration.reports, now);
  const open = openMatters({ watched, left, suppressed: await readSuppressed(table) }, now);
  const ofReports = open.filter((matter) => matter.isRecent && matter.watched !== undefined);
  return ofReports.flatMap((matter) => {
    const { subject, body } = beginText(matter, { ...configuration.operations, environment: undefined, flags });
    const lines = `Open: ${subject}\n${body}`.split('\n').filter((line) => line !== '');
    return lines.map((line, index) => (index === 0 ? line : `  ${line}`));
  });
}
