import { Temporal } from 'temporal-polyfill';
import type { ReportConfiguration, ReportWithoutSubscribers } from '../domain/configuration/configuration.ts';
import { latestDue, type Due } from '../domain/schedule.ts';
import { hourMs, partsOfRunName, watchedDaysOf, runName } from '../domain/period.ts';
import { readLeftReports, type KnownReport, type Named } from '../ledger/reports.ts';
import { messagesOf } from '../ledger/runs/messages.ts';
import { readRunsFrom, type Run } from '../ledger/runs/runs.ts';
import type { Table } from '../ledger/table.ts';

/** SES's events come within days: after so many the messages of a run are not looked at any more. */
const messagesOfDays = 7;
const unknownAfterHours = 24;

/** A run as the watch sees it. One that never began has what follows from its schedule, and no state. */
export type WatchedRun = Partial<Run> &
  Pick<Run, 'run' | 'report' | 'period' | 'scheduledTime'> & {
    holdHours: number;
    /** How many of its messages have an unknown outcome, and have had it for a day; `null` where they were not looked at. */
    unknown: { count: number; forADay: number } | null;
    /** Whether it should be done by now. */
    isDue: boolean;
  };

/** What is known of a report: perhaps all of its `runs`, which are not read again then. */
interface Known {
  known: KnownReport | null;
  openRuns?: readonly string[];
  runs?: readonly Run[];
  now: Temporal.Instant;
}

/**
 * The runs of a report for a time that depends on its period, and those since the earliest of `openRuns`, about which there is
 * an open matter. With what the ledger knows of the report, the run that should be done by now is among them, also
 * where it never began.
 */
export async function inspectReport(
  table: Table,
  report: ReportWithoutSubscribers,
  { known, openRuns = [], runs, now }: Known,
): Promise<WatchedRun[]> {
  const due = known === null ? null : lastDueRun(report, known, now);
  const named = openRuns.flatMap((run) => partsOfRunName(run) ?? []).filter((parts) => parts.report === report.name);
  // A schedule may fire long after the end of its period, so the period that is due may be older than what is watched.
  const dates = [...named, ...(due === null ? [] : [due])].map(({ period }) => period.startDate);
  const watchedFrom = dateBefore(now, watchedDaysOf(report.schedule.every));
  const [from = watchedFrom] = [watchedFrom, ...dates].toSorted((a, b) => a.localeCompare(b));
  const recent = runs?.filter(({ period }) => period.startDate >= from) ?? (await readRunsFrom(table, report, from));
  const all = await Array.fromAsync(recent, async (run) => ({ ...run, unknown: await countUnknown(table, run, now) }));
  return watchedRuns(report, due, all);
}

/**
 * The last run of a report that should have finished by now: that of the schedule's latest instant whose hours of grace are
 * over. `null` where there is none, where the ledger had not yet seen the report at that instant, or where the report was
 * paused or off then.
 */
export function lastDueRun(
  report: Pick<ReportConfiguration, 'schedule' | 'graceHours'>,
  known: KnownReport,
  now: Temporal.Instant,
): Due | null {
  const due = latestDue(report.schedule, now.subtract({ hours: report.graceHours }));
  const at = Date.parse(due.scheduledTime);
  return at < Date.parse(known.firstSeenAt) || wasPaused(at, known) ? null : due;
}

function wasPaused(at: number, { pausedAt, lastPause }: KnownReport): boolean {
  if (pausedAt !== undefined && at >= Date.parse(pausedAt)) return true;
  return lastPause !== undefined && at >= Date.parse(lastPause.from) && at < Date.parse(lastPause.until);
}

/** The runs of a report, and the one that is due where it never began. */
export function watchedRuns(
  { name: report, holdHours }: Pick<ReportConfiguration, 'name' | 'holdHours'>,
  due: Due | null,
  runs: ReadonlyArray<Run & Pick<WatchedRun, 'unknown'>>,
): WatchedRun[] {
  const ofPeriod = runs.filter(({ period }) => period.name === due?.period.name);
  const watched = runs.map((run): WatchedRun => ({ ...run, report, holdHours, isDue: run === ofPeriod[0] }));
  if (due === null || ofPeriod.length > 0) return watched;
  return [...watched, { run: runName(report, due.period), report, ...due, holdHours, unknown: null, isDue: true }];
}

/**
 * The last run of each report that the ledger knows and the configuration does not, where its period began not longer ago
 * than a quarter's run is watched: the report may have another name now.
 */
export async function inspectLeftReports(table: Table, reports: readonly Named[], now: Temporal.Instant) {
  const left: WatchedRun[] = [];
  for (const name of await readLeftReports(table, reports)) {
    const last = (await readRunsFrom(table, { name }, dateBefore(now, watchedDaysOf('quarter')))).at(-1);
    if (last !== undefined) left.push({ ...last, report: name, holdHours: 0, unknown: null, isDue: false });
  }
  return left;
}

async function countUnknown(table: Table, run: Run, now: Temporal.Instant): Promise<WatchedRun['unknown']> {
  const { plannedAt, finishedAt = plannedAt, summary } = run;
  if (hoursBetween(finishedAt, now) > messagesOfDays * 24) return null;
  // Where the receipt says that no outcome is unknown, and nobody has begun to send since, none is.
  if (summary?.unknown === 0 && run.state !== 'sending') return null;
  const unknown = { count: 0, forADay: 0 };
  const aDayAgo = now.epochMilliseconds - unknownAfterHours * hourMs;
  for await (const { state, claimedAt = Infinity } of messagesOf(table, run.run)) {
    if (state !== 'claimed') continue;
    unknown.count += 1;
    if (claimedAt <= aDayAgo) unknown.forADay += 1;
  }
  return unknown;
}

export function dateBefore(now: Temporal.Instant, days: number): string {
  return now.toZonedDateTimeISO('UTC').subtract({ days }).toPlainDate().toString();
}

/** The hours from an instant, ISO 8601, until another one. */
export function hoursBetween(from: string, until: Temporal.Instant): number {
  return (until.epochMilliseconds - Temporal.Instant.from(from).epochMilliseconds) / hourMs;
}
