import { Temporal } from 'temporal-polyfill';
import type { ReportConfiguration, ReportWithoutSubscribers } from '../domain/configuration/configuration.ts';
import { latestDue, type Due } from '../domain/schedule.ts';
import { partsOfRunName, periodKinds } from '../domain/period.ts';
import { readReportNames, recordReportSeen, type KnownReport } from '../ledger/reports.ts';
import { readMessages } from '../ledger/runs/messages.ts';
import { readRunsFrom, type Run } from '../ledger/runs/runs.ts';
import type { Table } from '../ledger/table.ts';
import type { WatchedRun } from './matters.ts';

/** SES's events come within days: after so many the messages of a run are not looked at any more. */
const messagesOfDays = 7;
const unknownAfterHours = 24;

/** What the ledger knows of one report. */
export interface InspectedReport {
  report: Pick<ReportWithoutSubscribers, 'name' | 'holdHours'>;
  /** The run that should be done by now; `null` where there is none. */
  due: Due | null;
  /** Oldest first. */
  runs: InspectedRun[];
}

/** A run, and its messages whose outcome is unknown; `null` where they were not looked at. */
export interface InspectedRun {
  run: Run;
  unknown: UnknownMessages | null;
}

interface UnknownMessages {
  count: number;
  /** Those of them that have been unknown for a day. */
  forADay: number;
}

/**
 * Reads what the ledger knows of a report: its runs for a time that depends on its period, and those since the earliest of
 * the runs named `openRuns`, about which there is an open matter. Records when the report was first seen.
 */
export async function inspectReport(
  table: Table,
  report: ReportWithoutSubscribers,
  { openRuns, now }: { openRuns: readonly string[]; now: Temporal.Instant },
): Promise<InspectedReport> {
  const known = await recordReportSeen(table, report, now.toString());
  const due = lastDueRun(report, known, now);
  const named = openRuns.flatMap((run) => partsOfRunName(run) ?? []);
  const ofReport = named.filter((parts) => parts.report === report.name);
  // A schedule may fire long after the end of its period, so the period that is due may be older than what is watched.
  const dates = [...ofReport.map(({ period }) => period.startDate), ...(due === null ? [] : [due.period.startDate])];
  return { report, due, runs: await inspectRuns(table, report, { dates, now }) };
}

/**
 * The last run of a report that should have finished by now: that of the schedule's latest instant whose hours of grace are
 * over. `null` where there is none, where the ledger had not yet seen the report at that instant, or where the report was
 * paused then.
 */
export function lastDueRun(
  report: Pick<ReportConfiguration, 'schedule' | 'graceHours'>,
  known: KnownReport,
  now: Temporal.Instant,
): Due | null {
  const due = latestDue(report.schedule, now.subtract({ hours: report.graceHours }));
  const instant = Temporal.Instant.from(due.scheduledTime);
  return isBefore(instant, known.firstSeenAt) || wasPaused(instant, known) ? null : due;
}

function wasPaused(instant: Temporal.Instant, { pausedAt, lastPause }: KnownReport): boolean {
  if (pausedAt !== undefined && !isBefore(instant, pausedAt)) return true;
  return lastPause !== undefined && !isBefore(instant, lastPause.from) && isBefore(instant, lastPause.until);
}

function isBefore(instant: Temporal.Instant, other: string): boolean {
  return Temporal.Instant.compare(instant, Temporal.Instant.from(other)) < 0;
}

/**
 * Reads the runs of a report for a time that depends on its period, and those since the earliest of `dates`, `YYYY-MM-DD`,
 * as they are without a schedule.
 */
export async function inspectRuns(
  table: Table,
  report: ReportWithoutSubscribers,
  { dates = [], now }: { dates?: readonly string[]; now: Temporal.Instant },
): Promise<InspectedRun[]> {
  const watchedFrom = dateBefore(now, periodKinds[report.schedule.every].watchedDays);
  const [from = watchedFrom] = [watchedFrom, ...dates].toSorted((a, b) => a.localeCompare(b));
  const inspected: InspectedRun[] = [];
  for (const run of await readRunsFrom(table, report, from)) {
    const unknown = mayHaveUnknown(run, now) ? await countUnknown(table, run.run, now) : null;
    inspected.push({ run, unknown });
  }
  return inspected;
}

/**
 * The last run of each report that the ledger knows and the configuration does not, where its period began not longer ago
 * than a quarter's run is watched: the report may have another name now.
 */
export async function inspectLeftReports(
  table: Table,
  reports: ReadonlyArray<{ name: string }>,
  now: Temporal.Instant,
): Promise<WatchedRun[]> {
  const configured = new Set(reports.map(({ name }) => name));
  const left: WatchedRun[] = [];
  for (const report of await readReportNames(table)) {
    if (configured.has(report)) continue;
    const from = dateBefore(now, periodKinds.quarter.watchedDays);
    const run = (await readRunsFrom(table, { name: report }, from)).at(-1);
    if (run === undefined) continue;
    const { run: name, period, scheduledTime } = run;
    const rest = { holdHours: 0, unknown: null, isDue: false, isLatest: true };
    left.push({ name, report, period, scheduledTime, run, ...rest });
  }
  return left;
}

/** Where the receipt says that no outcome is unknown, and nobody has begun to send since, none is. */
function mayHaveUnknown({ state, summary, plannedAt, finishedAt = plannedAt }: Run, now: Temporal.Instant): boolean {
  if (hoursBetween(finishedAt, now) > messagesOfDays * 24) return false;
  return summary === undefined || summary.unknown > 0 || state === 'sending';
}

async function countUnknown(table: Table, run: string, now: Temporal.Instant): Promise<UnknownMessages> {
  const unknown = { count: 0, forADay: 0 };
  for await (const { state, claimedAt } of readMessages(table, run)) {
    if (state !== 'claimed') continue;
    unknown.count += 1;
    const hours = claimedAt === undefined ? 0 : (now.epochMilliseconds - claimedAt) / 3_600_000;
    if (hours >= unknownAfterHours) unknown.forADay += 1;
  }
  return unknown;
}

function dateBefore(now: Temporal.Instant, days: number): string {
  return now.toZonedDateTimeISO('UTC').subtract({ days }).toPlainDate().toString();
}

/** The hours from an instant, ISO 8601, until another one. */
export function hoursBetween(from: string, until: Temporal.Instant): number {
  return (until.epochMilliseconds - Temporal.Instant.from(from).epochMilliseconds) / 3_600_000;
}
