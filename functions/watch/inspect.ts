import { Temporal } from 'temporal-polyfill';
import type { ReportWithoutSubscribers } from '../domain/configuration/configuration.ts';
import { forgottenAddress, readMessages } from '../ledger/runs/messages.ts';
import { recordReportSeen } from '../ledger/reports.ts';
import { readRunsFrom, type Run } from '../ledger/runs/runs.ts';
import type { Table } from '../ledger/table.ts';
import { periodKinds, runName } from '../domain/period.ts';
import { lastDueRun } from './overdue.ts';

/** The messages of a run are inspected until this many days after it. */
const messagesOfDays = 7;
const unknownAfterHours = 24;

/** What is wrong with the runs of one report; runs by their names. */
export interface Findings {
  report: string;
  /** The run that did not start, or did not finish. */
  overdue: string | null;
  /** Runs that have been held for longer than the report allows. */
  heldTooLong: string[];
  /** Runs with messages whose outcome has been unknown for a day, and how many. */
  unknown: Array<{ run: string; messages: number }>;
}

/** Compares a report's schedule with its runs in the ledger. Also records when the report was first seen. */
export async function inspectReport(
  table: Table,
  report: ReportWithoutSubscribers,
  now: Temporal.Instant,
): Promise<Findings> {
  const known = await recordReportSeen(table, report, now.toString());
  const due = lastDueRun(report, known, now);
  const watchedFrom = dateBefore(now, periodKinds[report.period].watchedDays);
  // A schedule may fire long after the end of its period, so the period that is due may be older than what is watched.
  const from = due === null || due.period.startDate > watchedFrom ? watchedFrom : due.period.startDate;
  const runs = await readRunsFrom(table, report, from);
  const ofPeriod = runs.filter(({ period }) => period.startDate === due?.period.startDate);
  const missed = due !== null && !ofPeriod.some(({ state }) => ['done', 'held'].includes(state));
  return {
    report: report.name,
    overdue: missed ? (ofPeriod[0]?.run ?? runName(report.name, due.period)) : null,
    heldTooLong: runs.filter((run) => isHeldTooLong(run, report.holdHours, now)).map(({ run }) => run),
    unknown: await findUnknown(table, runs, now),
  };
}

function isHeldTooLong({ state, finishedAt }: Run, holdHours: number, now: Temporal.Instant): boolean {
  return state === 'held' && finishedAt !== undefined && hoursSince(finishedAt, now) >= holdHours;
}

async function findUnknown(table: Table, runs: readonly Run[], now: Temporal.Instant): Promise<Findings['unknown']> {
  const found: Findings['unknown'] = [];
  for (const { run, plannedAt, finishedAt = plannedAt } of runs) {
    if (hoursSince(finishedAt, now) > messagesOfDays * 24) continue;
    let messages = 0;
    for await (const { to, state, claimedAt } of readMessages(table, run)) {
      const hours = claimedAt === undefined ? 0 : (now.epochMilliseconds - claimedAt) / 3_600_000;
      // Where the address was forgotten, there is nobody to ask and nothing to send again.
      if (state === 'claimed' && to !== forgottenAddress && hours >= unknownAfterHours) messages += 1;
    }
    if (messages > 0) found.push({ run, messages });
  }
  return found;
}

function hoursSince(instant: string, now: Temporal.Instant): number {
  return (now.epochMilliseconds - Temporal.Instant.from(instant).epochMilliseconds) / 3_600_000;
}

function dateBefore(now: Temporal.Instant, days: number): string {
  return now.toZonedDateTimeISO('UTC').subtract({ days }).toPlainDate().toString();
}
