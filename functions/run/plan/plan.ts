import { Temporal } from 'temporal-polyfill';
import type { ReportConfiguration } from '../../domain/configuration/configuration.ts';
import { recordExpires } from '../../ledger/retention.ts';
import { forEachAtOnce, type Table } from '../../ledger/table.ts';
import { cardId, planMessage, readMessages, type MessageRow } from '../../ledger/runs/messages.ts';
import { planAgain, readUnknown } from '../../ledger/runs/claims.ts';
import { recordKeepMonths, recordReportSeen } from '../../ledger/reports.ts';
import { insertRun, readRun, recordIntended, type Run } from '../../ledger/runs/runs.ts';
import { configuredIn, readSubscribers, type Configured } from '../../ledger/persons/members.ts';
import { openHashes, recordPersons, readTriggerSubscribers } from '../../ledger/persons/persons.ts';
import { runName, type Period } from '../../domain/period.ts';
import { comesAt, countedPeriod, dueOf, isUnderWay } from '../../domain/schedule.ts';
import { CodedError } from '../../domain/failures.ts';
import type { Dependencies } from '../dependencies.ts';
import type { RunTrigger } from '../trigger.ts';

/** What a trigger means, in keys, counts and instants: never an address. */
export interface Plan extends Pick<Run, 'run' | 'report' | 'period' | 'intended'> {
  /** The digest that a release released: this one is sent, or none. */
  digest?: string | undefined;
  /** The key of the persons that the trigger named: it sends their messages, and nobody else's. */
  subscribers?: string | undefined;
  /** It sends again what was unknown, and nothing else. */
  resends?: true;
  /** When the work of the trigger began; of a test it is not kept. */
  begunAt?: string | undefined;
}

/** What an execution returns that the schedule of a report triggered which is paused, off or not due: nothing was done. */
export type NothingDone = { report: string } & (
  | { paused: { at: string; by: string } }
  | { off: 'never switched on' }
  | { notDue: string }
);

/** What an execution works with that plans a run, or goes on with one. */
export type PlanOptions = Pick<Dependencies, 'configuration' | 'table'> & { execution: string; now: Temporal.Instant };

/**
 * Writes the run and its subscribers into the ledger, a row each, before the service is asked anything: what a run does is
 * fixed from then on. A later trigger adds rows for further subscribers; nobody's row is ever planned twice. A trigger may
 * come a little before the period is over, by the clock of the schedule: its end is then waited for. In a week in
 * which it does not come its schedule triggers nothing. One that is paused or off is not run by its schedule, but by an operator
 * who asks for it: that stands in the ledger, because a deployment would undo a disabled schedule. Throws a `CodedError` where the period is not over, where the run is sealed, and where what is to be
 * sent again is not unknown, or was sent again since it was asked for.
 */
export async function planRun(trigger: RunTrigger, options: PlanOptions): Promise<Plan | NothingDone> {
  const { table } = options;
  const { report, subscribers } = trigger;
  const { name } = report;
  const { scheduledTime, period } = dueOf(report, trigger.scheduledTime, options.now);
  if (trigger.trigger === 'schedule' && !comesAt(report.schedule, scheduledTime))
    return { report: name, notDue: scheduledTime };
  const now = await waitUntilOver(countedPeriod(report, period), options.now);
  const known = await recordReportSeen(table, report, now.toString());
  const { firstSeenAt, pausedAt, pausedBy } = known;
  if (trigger.trigger === 'schedule' && pausedAt !== undefined) {
    if (pausedBy === undefined) return { report: name, off: 'never switched on' };
    return { report: name, paused: { at: pausedAt, by: pausedBy } };
  }
  const hashOf = await openHashes(table);
  const { reports, ledger } = options.configuration;
  const { keepMonths } = ledger;
  const before = await readRun(table, name, period);
  // The release before could move a report to another name: its runs keep theirs.
  const run = before?.run ?? runName(name, period);
  // A run that is not there was never planned, or its item has expired: then it was planned at this instant or later.
  const plannedMs = Math.max(...(before === null ? [period.end, firstSeenAt] : [before.plannedAt]).map(Date.parse));
  const leastKept = await recordKeepMonths(table, report, known, keepMonths);
  refuseSealed(run, { known: before !== null, plannedMs }, { keepMonths: leastKept, now });
  const begunAt = now.toString();
  const { resendUnknown = false, again } = trigger;
  if (resendUnknown || again !== undefined) {
    if (again === undefined && (await readUnknown(table, run, now.epochMilliseconds)).length === 0)
      throw new CodedError('nothing-unknown', `No outcome of run "${run}" has been unknown for 15 minutes.`);
    if (again !== undefined && !(await planAgain(table, { run, ...again }, options.execution)))
      throw new CodedError(
        'already-sent',
        `This mail of run "${run}" was sent again since you were asked: it is not now.`,
      );
    return { run, report: name, period, intended: before?.intended ?? 0, subscribers, resends: true, begunAt };
  }
  const expiresAt = recordExpires({ keepMonths }, new Date(now.epochMilliseconds));
  if (before === null) {
    const planned = { run, report: name, period, scheduledTime, plannedAt: begunAt };
    await insertRun(table, { ...planned, plannedBy: trigger.trigger ?? 'operator' }, expiresAt);
  }
  // One who is named alone gets a mail alone: the cards go with the digest to all.
  const messages: PlannedMessage[] =
    subscribers === undefined
      ? await messagesToAll(table, report, configuredIn(reports, hashOf), expiresAt)
      : (await readTriggerSubscribers(table, subscribers)).map((id) => ({ id, named: true }));
  const intended = await planMessages(table, run, messages, expiresAt);
  await recordIntended(table, { report: name, period }, intended);
  return { run, report: name, period, intended, subscribers, begunAt };
}

/**
 * Waits for the end of a period where that is at most a minute after `now`. Returns the instant after the wait. Throws a
 * `CodedError` (`period-not-over`) where it is later: the figures are still growing, and the period's scheduled run would
 * find everything sent already.
 */
export async function waitUntilOver(period: Period, now: Temporal.Instant): Promise<Temporal.Instant> {
  if (isUnderWay(period, now)) {
    const message = `The ${period.kind} that begins on ${period.startDate} is not over: it ends at ${period.end}. Nothing was done.`;
    throw new CodedError('period-not-over', message);
  }
  const leftMs = Date.parse(period.end) - now.epochMilliseconds;
  if (leftMs <= 0) return now;
  await new Promise((resolve) => setTimeout(resolve, leftMs));
  return Temporal.Instant.from(period.end);
}

/** Rows count as expired this long before they are: from then on DynamoDB may delete them at any time. */
const sealedMonthsBefore = 1;

/**
 * Throws a `CodedError` where rows of a run that was planned at `plannedMs` (or later, where the run is not `known`) may have
 * expired: such a run never sends again, because without its rows nobody knows who got the mail.
 */
export function refuseSealed(
  name: string,
  { known, plannedMs }: { known: boolean; plannedMs: number },
  { keepMonths, now }: { keepMonths: number; now: Temporal.Instant },
): void {
  const months = known ? keepMonths - sealedMonthsBefore : keepMonths;
  const planned = Temporal.Instant.fromEpochMilliseconds(plannedMs);
  const sealedFrom = planned.toZonedDateTimeISO('UTC').add({ months });
  if (now.epochMilliseconds < sealedFrom.epochMilliseconds) return;
  throw new CodedError('sealed', `Run "${name}" is sealed: the ledger no longer knows for sure who got its mail.`);
}

type PlannedMessage = Pick<MessageRow, 'id' | 'named' | 'channel'>;

/** The mails and cards of a report. Subscribers who are configured are written down as persons for as long as the run is kept. */
async function messagesToAll(table: Table, report: ReportConfiguration, configured: Configured, expiresAt: number) {
  const subscribers = await readSubscribers(table, report, configured);
  const persons = [...subscribers].flatMap(([hash, address]) => (address === null ? [] : { hash, address }));
  await recordPersons(table, persons, expiresAt);
  const cards = report.channels.map(({ name, kind }) => ({ id: cardId(name), channel: `${kind}:${name}` }));
  return [...Array.from(subscribers.keys(), (id) => ({ id })), ...cards];
}

/** Plans those of the messages that the run does not have. Returns how many it has then. */
async function planMessages(table: Table, run: string, messages: readonly PlannedMessage[], expiresAt: number) {
  const planned = new Map((await readMessages(table, run)).map((row) => [row.id, row]));
  const open = messages.filter(({ id, named }) => named || (planned.get(id)?.state ?? 'removed') === 'removed');
  await forEachAtOnce(open, (message) => planMessage(table, run, { ...message, expiresAt }));
  return (await readMessages(table, run)).length;
}
