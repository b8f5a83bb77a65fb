import { Temporal } from 'temporal-polyfill';
import type { Configuration, ReportConfiguration } from '../../domain/configuration/configuration.ts';
import { expiresAfterMonths } from '../../ledger/expiry.ts';
import { readForgottenInRun } from '../../ledger/addresses/forgotten-rows.ts';
import { planMessage, readMessages } from '../../ledger/runs/messages.ts';
import { recordReportSeen } from '../../ledger/reports.ts';
import { insertRun, readRun, recordIntended, type Run } from '../../ledger/runs/runs.ts';
import { readSubscribers } from '../../ledger/addresses/subscribers.ts';
import type { Table } from '../../ledger/table.ts';
import { readTriggerSubscribers } from '../../ledger/runs/triggers.ts';
import { periodBefore, runName, type Period } from '../../domain/period.ts';
import { reportCalled } from '../../domain/report-names.ts';
import { parseCron } from '../../domain/cron.ts';
import { latestFireTime } from '../../domain/schedule.ts';
import { RunError } from '../failure.ts';
import { refuseUnderWay } from './period-over.ts';
import { readRunOf } from '../find-run.ts';
import type { RunTrigger } from '../trigger.ts';

/** Rows count as expired this long before they are: from then on DynamoDB may delete them at any time. */
const sealedMonthsBefore = 1;
const rowsAtOnce = 25;

/** What a trigger means, in keys, counts and instants: never an address. */
export interface Plan {
  run: string;
  /** The report's name in the run's key: a former one where the run was planned before the report was renamed. */
  report: string;
  period: Period;
  /** Messages planned in this run so far, over all its triggers. */
  intended: number;
  /** The digest that a release released: this one is sent, or none. */
  digest?: string;
}

/** The report that has or had this name. Throws a `RunError` that names the configured ones. */
export function findReport(configuration: Configuration, name: string): ReportConfiguration {
  const report = reportCalled(configuration.reports, name);
  if (report !== undefined) return report;
  const known = configuration.reports.map((configured) => `"${configured.name}"`).join(', ');
  throw new RunError('unknown-report', `There is no report of that name. Configured: ${known}.`);
}

/** The period that a trigger means: of its scheduled instant, or of the report's latest. It depends on nothing else. */
export function periodOf(
  report: ReportConfiguration,
  scheduledTime: string | undefined,
  now: Temporal.Instant,
): Period {
  const instant = scheduledTime ?? latestFireTime(parseCron(report.cron), report.timeZone, now)?.toString();
  if (instant === undefined) throw new RunError('nothing-scheduled', `Report "${report.name}" was never due yet.`);
  return periodBefore(report.period, report.timeZone, instant);
}

/** The period that a trigger means now. Throws a `RunError` for a report that is not configured, or was never due. */
export function periodMeant(
  { report, scheduledTime }: Pick<RunTrigger, 'report' | 'scheduledTime'>,
  configuration: Configuration,
): Period {
  return periodOf(findReport(configuration, report), scheduledTime, Temporal.Now.instant());
}

/**
 * Writes the run and its subscribers into the ledger, a row each, before the service is asked anything: what a run does is
 * fixed from then on.
 * A later trigger adds rows for further subscribers; nobody's row is ever planned twice. Throws a `RunError` where the
 * period is not over, and where the run is sealed: its rows may begin to expire, and without them nobody knows who got the mail.
 */
export async function planRun(
  trigger: RunTrigger,
  options: { configuration: Configuration; table: Table; now: Temporal.Instant },
): Promise<Plan> {
  const { configuration, table, now } = options;
  const report = findReport(configuration, trigger.report);
  const period = periodOf(report, trigger.scheduledTime, now);
  refuseUnderWay(period, now);
  const { keepMonths } = configuration.ledger;

  // Under any of the report's names: a run that was planned before a rename continues under the old one.
  const before = await readRunOf(table, report, period.startDate);
  const name = before?.report ?? report.name;
  const run = runName(name, period);
  const { firstSeenAt } = await recordReportSeen(table, report, now.toString());
  // A run that is not there was never planned, or its item has expired: then it was planned at this instant or later.
  const plannedAt = before?.plannedAt ?? later(period.end, firstSeenAt);
  refuseSealed(run, { known: before !== null, plannedAt }, { keepMonths, now });
  const expiresAt = expiresAfterMonths(keepMonths);
  if (before === null) {
    const scheduledTime = trigger.scheduledTime ?? period.end;
    const plannedBy = trigger.trigger ?? 'operator';
    const planned: Parameters<typeof insertRun>[1] = {
      run,
      report: name,
      period,
      scheduledTime,
      plannedAt: now.toString(),
      plannedBy,
    };
    await insertRun(table, planned, expiresAt);
  }
  await planMessages(table, run, await subscribersOf(trigger, report, table), expiresAt);
  const intended = await countMessages(table, run);
  await recordIntended(table, await requireRun(table, name, period), intended);
  return { run, report: name, period, intended };
}

/** A run's own item. Throws where it is gone: it was written when the run was planned. */
export async function requireRun(table: Table, report: string, period: Pick<Period, 'startDate'>): Promise<Run> {
  const run = await readRun(table, report, period.startDate);
  if (run === null) throw new Error(`The ledger has no run of report "${report}" for ${period.startDate}.`);
  return run;
}

/** Throws a `RunError` where a run has no digest to send, or another one than `meant`: it was discarded meanwhile. */
export function refuseDropped({ run, digest }: Run, meant = digest): void {
  if (digest !== undefined && digest === meant) return;
  throw new RunError('discarded', `The digest of run "${run}" was dropped meanwhile: nothing is sent.`);
}

/**
 * Throws a `RunError` where rows of a run that was planned at `plannedAt` (or later, where the run is not `known`) may have
 * expired: such a run never sends again.
 */
export function refuseSealed(
  name: string,
  { known, plannedAt }: { known: boolean; plannedAt: string },
  { keepMonths, now }: { keepMonths: number; now: Temporal.Instant },
): void {
  const sealedFrom = monthsOn(plannedAt, known ? keepMonths - sealedMonthsBefore : keepMonths);
  if (Temporal.Instant.compare(now, sealedFrom) < 0) return;
  throw new RunError('sealed', `Run "${name}" is sealed: the ledger no longer knows for sure who got its mail.`);
}

function later(a: string, b: string): string {
  return Temporal.Instant.compare(Temporal.Instant.from(a), Temporal.Instant.from(b)) < 0 ? b : a;
}

function monthsOn(instant: string, months: number): Temporal.Instant {
  return Temporal.Instant.from(instant).toZonedDateTimeISO('UTC').add({ months }).toInstant();
}

async function subscribersOf(
  trigger: RunTrigger,
  report: ReportConfiguration,
  table: Table,
): Promise<readonly string[]> {
  return trigger.subscribers === undefined
    ? await readSubscribers(table, report)
    : await readTriggerSubscribers(table, trigger.subscribers);
}

async function planMessages(table: Table, run: string, addresses: readonly string[], expiresAt: number): Promise<void> {
  // The row of a forgotten address has another key: one that is subscribed again gets no second message of this run.
  const forgotten = await readForgottenInRun(table, run, addresses);
  const open = addresses.filter((address) => !forgotten.has(address.toLowerCase()));
  for (let start = 0; start < open.length; start += rowsAtOnce) {
    const batch = open.slice(start, start + rowsAtOnce);
    await Promise.all(batch.map((address) => planMessage(table, run, address, expiresAt)));
  }
}

async function countMessages(table: Table, run: string): Promise<number> {
  let count = 0;
  for await (const _row of readMessages(table, run)) count += 1;
  return count;
}
