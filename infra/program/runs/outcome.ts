import { setTimeout as sleep } from 'node:timers/promises';
import { withNote, type Digest } from '../../../functions/digest/schema.ts';
import { runName } from '../../../functions/domain/period.ts';
import type { Due } from '../../../functions/domain/schedule.ts';
import { countWords } from '../../../functions/domain/counts-by-word.ts';
import { count } from '../../../functions/domain/wording.ts';
import { isOrderName, readActions, type Action } from '../../../functions/ledger/runs/actions.ts';
import { hasOlderDigest, readDigest } from '../../../functions/ledger/runs/digests.ts';
import { readNoteOf, readRun, type Run } from '../../../functions/ledger/runs/runs.ts';
import { longestInvocationMs } from '../../../functions/ledger/runs/claims.ts';
import { readMessages, type MessageRow, countSent } from '../../../functions/ledger/runs/messages.ts';
import type { Table } from '../../../functions/ledger/table.ts';
import { countRequests } from '../../../functions/reporting-service/coverage.ts';
import { failureOf, type Failure } from '../../../functions/domain/failures.ts';
import { failedReceipt, outcomes, readReceipt, type Receipt } from '../../../functions/run/receipt/receipt.ts';
import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { accountOf } from '../../../functions/domain/configuration/account.ts';
import { knownDeliveries, observedLists, readCurrent } from '../../../functions/ledger/observations.ts';
import type { RunTrigger } from '../../../functions/run/trigger.ts';
import { commandLine, createProgress, exitCodes, failed, sayInstant } from '../command-line/result.ts';
import { type LedgerTarget, type TriggerOutcome, type RunTarget, order } from '../targets/target.ts';

/** The receipt and the digest of a run. */
type RunOutcome = Awaited<ReturnType<typeof readOutcome>>;

/** What the ledger has of a run now. */
async function readOutcome(table: Table, run: Run) {
  const stored = run.digest === undefined || hasOlderDigest(run) ? null : await readDigest(table, run.run, run.digest);
  // Its report may have another name since.
  const digest = stored && withNote({ ...stored, report: run.report }, await readNoteOf(table, run.report, run));
  return { receipt: await readReceipt(table, run, Date.now()), digest };
}

/** What became of a report's run whose execution has ended so: where that failed, the run did, whatever it was before. */
export async function readEnded(table: Table, { name }: { name: string }, { period }: Due, ended: TriggerOutcome) {
  const { failure } = ended;
  const run = await readRun(table, name, period);
  if (run === null) {
    const notPlanned = { run: runName(name, period), report: name, period };
    return { run, receipt: failedReceipt(notPlanned, failure ?? failureOf(null)), digest: null };
  }
  const { receipt, digest } = await readOutcome(table, run);
  if (failure === null) return { run, receipt, digest };
  return { run, receipt: { ...receipt, state: 'failed' as const, error: failure }, digest };
}

/**
 * The exit code of a run, the first that applies: 1 where there is no digest, the receipt does not balance, or every
 * attempt to send failed; 2 where something was unavailable, the run is held, or a message failed, is unknown or left
 * for later; 0 otherwise, skipped and nothing left to send included. In a run that is kept, the messages that are left were
 * not asked for: a dry run sends none, and --to sends its own. Nor were those of one that is held `asOrdered`.
 */
export function exitCodeOf(receipt: Receipt, digest: Pick<Digest, 'unavailable'> | null, { asOrdered = false } = {}) {
  const { balance, error, state } = receipt;
  const attempted = balance.failed > 0 || error !== undefined;
  if (digest === null || !balance.balanced || state === 'failed') return exitCodes.noDigest;
  if (attempted && balance.sentNow === 0 && balance.sent === 0 && balance.unknown === 0) return exitCodes.noDigest;
  const isAsOrdered = state === 'held' && asOrdered;
  const left = isAsOrdered ? 0 : balance.held + (state === 'kept' ? 0 : balance.planned);
  const lacks = balance.failed + balance.unknown + left + digest.unavailable.length;
  return lacks > 0 || (state === 'held' && !isAsOrdered) ? exitCodes.incomplete : exitCodes.done;
}

/** What became of a run, where the state in its receipt is no word for readers. */
const stateInWords: Partial<Record<Receipt['state'], string>> = { kept: 'digest stored, some messages not sent yet' };

/** What would become of the run of a dry run. */
const stateOfDryRun: Partial<Record<Receipt['state'], string>> = {
  kept: 'ready to be sent',
  held: 'ready to be sent, but its settings would hold it',
};

function sayOutcomes(balance: Receipt['balance']): string {
  const met = outcomes.filter((outcome) => balance[outcome] > 0);
  return met.map((outcome) => `${balance[outcome]} ${outcome}`).join(', ');
}

/** The lines that are printed when a run has ended, or a dry run of it. Of a draft, which has no subscribers, no outcomes are told. */
export function summarize(receipt: Receipt, digest: Digest | null, { dryRun = false, draft = false } = {}): string[] {
  const { run, state, period, balance, coverage, error } = receipt;
  const inWords = (dryRun ? stateOfDryRun : stateInWords)[state] ?? state;
  const lines = [`Run ${run}: ${inWords}. Period ${sayPeriod(period)}.`];
  if (error !== undefined) lines.push(error.message);
  const requests = count(countRequests(coverage), 'request');
  if (digest !== null)
    lines.push(`${describeFigures(digest)} (${requests} to the service).`, ...describeMissing(digest));
  if (draft) return lines;
  const met = sayOutcomes(balance) || 'none with an outcome';
  lines.push(`Messages: ${balance.intended} intended, ${met}; ${balance.sentNow} sent now.`);
  if (!balance.balanced) lines.push('The receipt does not balance: some subscribers are unaccounted for.');
  if (state === 'held' && !dryRun) lines.push('The messages are held until an operator releases them.');
  return lines;
}

/** What a digest says, as a sentence without its end: its totals and how many broadcasts it names, or its warning. */
export function describeFigures({ totals, warning, needs }: Digest): string {
  if (warning !== null) return `The warning names ${count(needs.length, 'broadcast')}`;
  const { broadcasts, seen, responded } = totals;
  return `New broadcasts ${broadcasts ?? 'not known'}, views ${seen ?? 'not known'}, responses ${responded ?? 'not known'}; ${needs.length} need somebody`;
}

/** From when to when, by the period's own clock: "2026-11-09 00:00 to 2026-11-16 00:00 Europe/London". */
function sayPeriod({ start, end, timeZone }: Receipt['period']): string {
  return `${sayInstant(start, timeZone).slice(0, 'YYYY-MM-DD HH:MM'.length)} to ${sayInstant(end, timeZone)}`;
}

/** What is missing in words, a line for each kind and reason, and what helps: "Not available: 2 × content of type "quiz" forbidden (403)." */
function describeMissing({ unavailable, broadcasts }: Pick<Digest, 'unavailable' | 'broadcasts'>): string[] {
  const deliveries = broadcasts.flatMap((broadcast) => broadcast.deliveries);
  const reasons = unavailable.map(({ what, reason, status, delivery, content }) => {
    const contents = deliveries.find(({ id }) => id === delivery)?.contents;
    const type = contents?.find(({ id }) => id === content)?.type;
    const thing = type === undefined ? what : `${what} of type "${type.slice(0, 40)}"`;
    return `${thing} ${reason.replaceAll('-', ' ')}${status === undefined ? '' : ` (${status})`}`;
  });
  const lines = Object.entries(countWords(reasons)).map(([why, times]) => `Not available: ${times} × ${why}.`);
  const isRefused = unavailable.some(({ status }) => status === 403 || status === 404);
  return isRefused ? [...lines, refusedForGood] : lines;
}

const refusedForGood =
  "This digest stays as it is. For the next ones ask the service's contact for the right to read what it refuses (403, 404).";

/**
 * A run for an operator: its state, its gaps, what was done with it `since` then (epoch milliseconds), without any address. Its
 * receipt and digest, where they were read before, are `outcome`.
 */
export async function presentRun({ table, flags }: LedgerTarget, run: Run, outcome?: RunOutcome, since = 0) {
  const { receipt, digest } = outcome ?? (await readOutcome(table, run));
  const rows = await readMessages(table, run.run);
  const actionsOfReport = await readActions(table, run.report);
  const actions = actionsOfReport.filter((action) => action.run === run.run && Date.parse(action.at) >= since);
  const { messages: _addresses, ...rest } = receipt;
  const { plannedAt, plannedBy = null, finishedAt = null } = run;
  const [released = null, discarded = null] = [run.released, run.discarded].map((order) => order && { at: order.at });
  const { totals: figures = null, unavailable = null, warning = null } = digest ?? {};
  const ordered = { released, discarded };
  const json = { ...rest, plannedAt, plannedBy, finishedAt, ...ordered, figures, unavailable, warning, actions };
  const lines = [
    ...summarize(receipt, digest),
    ...describeUnknown(run, rows, flags, receipt.messages.filter(({ noEvent }) => noEvent).length),
    describeTimes(run),
    ...actions.map((action) => describeAction(action, run.period.timeZone)),
  ];
  return { json, lines, code: exitCodeOf(receipt, digest), receipt, digest };
}

/** What it means that outcomes of a run are unknown; the command that sends those messages again, from when, and what that risks. */
export function describeUnknown(run: Run, rows: readonly MessageRow[], flags: readonly string[], unsent = 0): string[] {
  const unknown = rows.filter(({ state }) => state === 'claimed');
  if (unknown.length === 0 || (run.state === 'sending' && run.error === undefined)) return [];
  const from = Math.max(...unknown.map(({ claimedAt = 0 }) => claimedAt)) + longestInvocationMs;
  const at = sayInstant(new Date(from).toISOString(), run.period.timeZone);
  const again = commandLine(['run', run.report, '--at', run.scheduledTime, '--resend-unknown'], flags);
  const probably = unsent === 0 ? '' : ` SES reported on others of this run: ${unsent} probably not sent.`;
  return [
    `The outcome of ${count(unknown.length, 'message')} of ${run.run} is unknown: the answer was lost, so it may or may not have been sent. Nothing is sent again by itself.${probably}`,
    `To send again, from ${at} on, perhaps a second time: ${again}`,
  ];
}

/** When a run was planned and by what: which operator it was is said with what they ordered. */
function describeTimes({ plannedAt, plannedBy, finishedAt, period: { timeZone } }: Run): string {
  const by = plannedBy === 'schedule' ? 'its schedule' : 'an operator';
  const ended = finishedAt === undefined ? '' : `, last ended ${sayInstant(finishedAt, timeZone)}`;
  return `Planned ${sayInstant(plannedAt, timeZone)} by ${by}${ended}.`;
}

/** What an operator did, and what became of it: a refused order is not to read as if it had been carried out. */
function describeAction({ at, what, by, detail, outcome }: Action, timeZone: string): string {
  const described = `${sayInstant(at, timeZone)}  ${what}${detail === undefined ? '' : ` (${detail})`}  by ${by}`;
  if (outcome === undefined) return isOrderName(what) ? `${described}: no outcome recorded` : described;
  const { state, error, note } = outcome;
  const why = error === undefined ? '' : ` (${error.code}). ${error.message}`;
  return `${described}: ${state}${why}${note === undefined ? '' : `. ${note}`}`;
}

/** What became of a run's messages, in a few words: "3 sent", or "discarded" until the run collects again. */
export function describeOutcome(run: Run, balance: Receipt['balance']): string {
  if (isDiscarded(run)) return 'discarded';
  return [sayOutcomes(balance), run.error?.code ?? ''].filter((text) => text !== '').join(', ') || 'nobody';
}

/** Where a run's digest was discarded and nothing was collected since: when, and the command that collects again. */
export function describeDiscarded(run: Run, flags: readonly string[]): string[] {
  if (!isDiscarded(run)) return [];
  const at = sayInstant(run.discarded?.at ?? run.plannedAt, run.period.timeZone);
  const command = commandLine(['run', run.report, '--at', run.scheduledTime], flags);
  return [`The digest of ${run.run} was discarded, ${at}. To collect again: ${command}`];
}

function isDiscarded({ state, digest, discarded, error }: Run): boolean {
  return discarded !== undefined && state === 'planned' && digest === undefined && error === undefined;
}

/** What SES's events said of a message, and when it was sent before: the instant of each, ISO 8601, by its name. */
export function eventsOf(row: MessageRow): Readonly<Record<string, string>> {
  const instants = {
    delivered: row.deliveredAt,
    [row.bounceStatus === undefined ? 'bounced' : `bounced ${row.bounceStatus}`]: row.bouncedAt,
    'bounced for now': row.softBouncedAt,
    complained: row.complainedAt,
    rejected: row.rejectedAt,
    'held back by SES': row.heldBackAt,
    'sent before': row.sentBeforeAt,
  };
  return Object.fromEntries(Object.entries(instants).flatMap(([name, at]) => (at === undefined ? [] : [[name, at]])));
}

/** Events in words: "bounced 5.1.1 2026-11-16 08:00 Europe/London". */
export function sayEvents(events: Readonly<Record<string, string>>, timeZone?: string): string[] {
  return Object.entries(events).map(([name, at]) => `${name} ${sayInstant(at, timeZone)}`);
}

type RunKey = Pick<Run, 'report' | 'period'>;

/** A run that may not have begun: its name alone then. */
export type Meant = Pick<Run, 'run'> & Partial<Run>;

const lookEveryMs = 1_000;

/** A report's run as the ledger has it, where the report may have had another name when it began; its name alone where it has not. */
export async function findDueRun(table: Table, { name }: ReportConfiguration, { period }: Due): Promise<Meant> {
  return (await readRun(table, name, period)) ?? { run: runName(name, period) };
}

/** Orders the run of a report that is due, `to` these subscribers instead of the configured ones, or one message `again`. Gives what follows it to its end. */
export async function orderRun(
  target: RunTarget,
  report: ReportConfiguration,
  due: Due,
  options: Partial<Pick<RunTrigger, 'hold' | 'resendUnknown' | 'again'>> & { to?: readonly string[]; detail?: string },
) {
  const { name } = report;
  const { scheduledTime, period } = due;
  const { to, hold, resendUnknown, again, detail } = options;
  const what = resendUnknown ? 'resend-unknown' : hold ? 'hold' : 'run';
  const { run } = await findDueRun(target.table, report, due);
  const action = { what, report: name, run, ...(detail === undefined ? {} : { detail }) } as const;
  const flags = { hold: hold || undefined, resendUnknown: resendUnknown || undefined, again };
  const ended = await order(target, action, { action: 'run', report: name, scheduledTime, ...flags }, to);
  const follow = () => followRun(target, { report: name, period }, ended());
  return async () => await readEnded(target.table, report, due, await follow());
}

/** Says on standard error what a run is doing, as the ledger has it, until `ended` resolves. Gives what that gives. */
async function followRun({ table, configuration }: RunTarget, meant: RunKey, ended: Promise<TriggerOutcome>) {
  using progress = createProgress();
  // An execution that fails while the ledger is being read is noticed below.
  ended.catch(() => undefined);
  for (let reported = ''; ;) {
    const run = await readRun(table, meant.report, meant.period);
    const text = run === null ? 'Starting' : await describeProgress(table, accountOf(configuration.service), run);
    // Where standard error is no terminal each line stays, so a line is not repeated.
    if (text !== reported) progress.say(`${text} …`);
    reported = text;
    const outcome = await Promise.race([ended, sleep(lookEveryMs, null, { ref: false })]);
    if (outcome !== null) return outcome;
  }
}

/** Gives an order about a run and waits for its end. Returns why it was refused or failed, else `null`. */
export async function actOn(target: RunTarget, run: Run, action: 'release' | 'discard'): Promise<Failure | null> {
  const ended = await order(target, { what: action, report: run.report, run: run.run }, { action, run: run.run });
  return (await followRun(target, run, ended())).failure;
}

/** The answer for an order that the run function refused, or that failed. */
export function refused(run: string, failure: Failure) {
  return failed({ run, error: failure }, [failure.message]);
}

/** How far a run is, in words: what was read of the account so far and of how much, then the messages. */
export async function describeProgress(table: Table, account: string, run: Run): Promise<string> {
  const { state, digest, intended, waitsUntil } = run;
  if (digest === undefined) return `${run.run}: ${(await describeObservation(table, account)) ?? state}`;
  if (state === 'done' || state === 'failed') return `${run.run}: ${state}`;
  if (state !== 'sending') return `${run.run}: the digest is ready`;
  const waits = waitsUntil === undefined ? '' : `; SES's daily quota is used up, and is waited for until ${waitsUntil}`;
  return `${run.run}: ${await countSent(table, run.run)} of ${intended} messages done${waits}`;
}

/** How much of the account was read, in words; `null` where nobody reads it. */
async function describeObservation(table: Table, account: string): Promise<string | null> {
  const current = await readCurrent(table, account);
  if (current === null || current.state !== 'open') return null;
  const key = { account, observation: current.id };
  const list = await observedLists.read(table, key);
  if (list === null) return 'reading the list of deliveries';
  return `${(await knownDeliveries.readParts(table, key)).flat().length} of ${list.deliveries} deliveries read`;
}
