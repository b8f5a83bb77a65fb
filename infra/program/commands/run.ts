import * as v from 'valibot';
import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import type { Due } from '../../../functions/domain/schedule.ts';
import { countWords } from '../../../functions/domain/counts-by-word.ts';
import { count } from '../../../functions/domain/wording.ts';
import { isLongClaimed, readUnknown } from '../../../functions/ledger/runs/claims.ts';
import { cardId, isCard, readMessage, readMessages, type MessageRow } from '../../../functions/ledger/runs/messages.ts';
import { findDigest, OlderDigestError } from '../../../functions/ledger/runs/digests.ts';
import { readRun, type Run } from '../../../functions/ledger/runs/runs.ts';
import type { Failure } from '../../../functions/run/failure.ts';
import { describeStanding, readKnown, waysBack } from './subscribers.ts';
import { commandLine, createProgress, done, exitCodes, sayInstant } from '../command-line/answer.ts';
import { chooseReport, chooseRun } from '../command-line/choices.ts';
import { UsageError } from '../command-line/flags.ts';
import * as outcomes from '../runs/outcome.ts';
import type { Meant } from '../runs/outcome.ts';
import { whyTooLate } from '../../../functions/run/orders/stored-digest.ts';
import { keepLatest } from '../runs/outbox.ts';
import { describePause } from './report.ts';
import { confirm, confirmMailing, order, type YesFlag, type RunTarget } from '../targets/target.ts';

export interface RunOptions extends YesFlag {
  hold: boolean;
  follow: boolean;
  resendUnknown: boolean;
  /** One address: the digest of the run goes to this subscriber alone. */
  to?: string[];
  /** Confirms in advance that this subscriber gets it once more. */
  again?: boolean;
}

/**
 * Triggers the run that is due; one that was begun continues where it stopped. With `to` one subscriber is mailed what it
 * stored. Waits for its end with `hold` or `follow`.
 */
export async function runCommand(target: RunTarget, report: ReportConfiguration, due: Due, options: RunOptions) {
  const { table, flags, outbox, stack } = target;
  const { hold, resendUnknown } = options;
  const meant = await outcomes.findDueRun(table, report, due);
  const { run: name } = meant;
  const [to, ...others] = options.to ?? [];
  if (others.length > 0) throw new UsageError('--to takes one address.');
  const mail = to === undefined ? {} : await confirmMail(target, report, meant, to, options);
  const confirmRun = async () =>
    hold || (await confirmMailing(await describeReach(target, report, meant), target, options));
  const isConfirmed = to !== undefined || (await (resendUnknown ? confirmResend(target, name, options) : confirmRun()));
  if (!isConfirmed || mail === null) return done({ run: name, triggered: false }, ['Nothing was done.']);

  const since = Date.now();
  const follow = await outcomes.orderRun(target, report, due, { hold, resendUnknown, ...mail });
  const show = commandLine(['show', name], flags);
  const notes = [
    ...(resendUnknown
      ? ['What was handed to SES in the last 15 minutes is not sent again: its outcome may still come.']
      : []),
    // A local system has no schedule.
    ...(stack === null ? [] : await describePause(table, report)),
  ];
  if (!options.follow && !hold) {
    return done({ run: name, triggered: true }, [`Triggered run ${name}. To see it: ${show}`, ...notes]);
  }
  const { run, ...outcome } = await follow();
  const { receipt, digest } = outcome;
  const code = outcomes.exitCodeOf(receipt, digest, { asOrdered: hold });
  if (run === null) return { json: receipt, lines: [...outcomes.summarize(receipt, null), ...notes], code };
  const { json, lines } = await outcomes.presentRun(target, run, outcome, since);
  if (receipt.state === 'held')
    lines.push(`To see it: ${show}`, `To send it: ${commandLine(['release', name], flags)}`);
  lines.push(...(await keepLatest(outbox, receipt.messages, show)), ...notes);
  return { json, lines, code };
}

/**
 * Asks before one subscriber is mailed what a run has stored. Who has it by the ledger, or may have it, gets it again by a yes
 * to that question or by `--again`, and not by `--yes`: a call that is simply repeated mails nobody twice. Returns what to order;
 * `null` without a yes. Throws a `UsageError` where the person cannot get it, or not yet.
 */
async function confirmMail(target: RunTarget, report: ReportConfiguration, run: Meant, to: string, flags: RunOptions) {
  const { table, stack } = target;
  const why = run.digest === undefined ? 'has no digest yet' : run.withheld && `is ${run.withheld}`;
  if (why !== undefined) throw new UsageError(`${run.run} ${why}: nobody is mailed what it has stored.`);
  const [person] = await readKnown(target, report, [to]);
  if (person?.gets !== true)
    throw new UsageError(`It gets no mail of "${report.name}": ${person?.why}. What helps: addresses show ADDRESS`);
  const row = await readMessage(table, run.run, person.hash);
  const { state, claim = '', sentBeforeAt } = row ?? {};
  const handed = state === 'sent' || state === 'claimed' ? { id: person.hash, claim } : undefined;
  if (row === null || (handed === undefined && sentBeforeAt === undefined)) {
    const whom = `One subscriber, who has not got ${run.run}, would get it now.`;
    return (await confirmMailing(whom, target, flags)) ? { to: [to], detail: 'to one subscriber' } : null;
  }
  if (handed !== undefined && !isLongClaimed(row, Date.now()))
    throw new UsageError('SES was handed this mail within the last 15 minutes: it may be on its way. Try later.');
  const from = stack === null ? '' : ` from ${stack}`;
  const question = `${to} has got ${run.run} by the ledger, or may have. Send it once more${from}?`;
  if (!(await confirm(question, { yes: flags.again === true }, '--again'))) return null;
  return { ...(handed === undefined ? { to: [to] } : { again: handed }), detail: 'once more to one subscriber' };
}

/** Asks before what is unknown is sent again. Throws a `UsageError` where nothing is. */
async function confirmResend({ table, stack }: RunTarget, run: string, flags: YesFlag): Promise<boolean> {
  const unknown = await readUnknown(table, run, Date.now());
  if (unknown.length === 0)
    throw new UsageError(`No outcome of ${run} has been unknown for 15 minutes: nothing is sent again.`);
  const from = stack === null ? '' : ` from ${stack}`;
  const cards = unknown.filter(isCard).length;
  const whom = sayWhom(unknown.length - cards, cards);
  return await confirm(`It is unknown whether ${whom} got ${run}. Send it to them alone${from}, perhaps again?`, flags);
}

/**
 * Whom a run has reached, and whom an order would mail now: "weekly_2026-W46 is done: 3 have it. 253 subscribers would get it
 * now." A release mails nobody who was added since; nothing else sends a run that is held or empty.
 */
async function describeReach(target: RunTarget, report: ReportConfiguration, meant: Meant, isRelease = false) {
  const { run, state, digest, withheld } = meant;
  const messages = await readMessages(target.table, run);
  const mails = messages.filter((message) => !isCard(message));
  const counts = countWords(mails.map((mail) => (hasBounced(mail) ? 'bounced' : mail.state)));
  const { sent = 0, claimed = 0, bounced = 0 } = counts;
  const states = new Map(messages.map((message) => [message.id, message.state]));
  const openStates = isRelease ? ['planned', 'failed'] : withheld === undefined ? ['planned', 'failed', 'removed'] : [];
  const isOpen = (id: string): boolean => openStates.includes(states.get(id) ?? 'removed');
  const persons = (await readKnown(target, report)).filter(({ hash, gets }) => gets && isOpen(hash)).length;
  const cards = report.channels.filter(({ name }) => isOpen(cardId(name))).length;
  const lost = `${bounced === 0 ? '' : `, ${bounced} bounced`}${claimed === 0 ? '' : `, of ${claimed} it is not known`}`;
  const when = report.hold === 'always' && digest === undefined ? 'after its release' : 'now';
  const progress = state === undefined ? 'has not begun' : `is ${state}`;
  const have = sent === 0 ? 'nobody has' : sent === 1 ? '1 has' : `${sent} have`;
  return `${run} ${progress}: ${have} it${lost}. ${sayWhom(persons, cards)} would get it ${when}.`;
}

/** Whether a mail that SES took came back, for good or for now. */
function hasBounced({ bouncedAt, softBouncedAt, deliveredAt }: MessageRow): boolean {
  return bouncedAt !== undefined || (softBouncedAt !== undefined && deliveredAt === undefined);
}

function sayWhom(persons: number, cards: number): string {
  const subscribers = count(persons, 'subscriber');
  return cards === 0 ? subscribers : `${subscribers} and ${count(cards, 'channel')}`;
}

/** Sends a held run: exactly the digest that was stored, to the subscribers it was planned with. */
export async function releaseCommand(target: RunTarget, name: string, options: YesFlag) {
  const run = await chooseRun(target, name);
  const report = chooseReport(target.configuration, run.report);
  const whom = await describeReach(target, report, run, true);
  if (!(await confirmMailing(whom, target, options))) {
    return done({ run: run.run, state: run.state }, ['Nothing was done.']);
  }
  const since = Date.now();
  const failure = await actOn(target, run, 'release');
  if (failure !== null) return refused(run.run, failure);
  const released = (await readRun(target.table, run.report, run.period)) ?? run;
  const { json, lines, code, receipt } = await outcomes.presentRun(target, released, undefined, since);
  const show = commandLine(['show', run.run], target.flags);
  return { json, lines: [...lines, ...(await keepLatest(target.outbox, receipt.messages, show))], code };
}

/** Drops a run's digest, after asking, so that the run collects again when it is triggered. */
export async function discardCommand(target: RunTarget, name: string, flags: YesFlag) {
  const run = await chooseRun(target, name);
  // Where nothing will be gone, its function says why that is refused.
  const lost = (await whyTooLate(target.table, run)) === null ? run.digest : undefined;
  if (lost !== undefined && !(await confirm(await describeLoss(target, run, lost), flags)))
    return done({ run: run.run, state: run.state, discarded: false }, ['Nothing was done.']);
  const failure = await actOn(target, run, 'discard');
  if (failure !== null) return refused(run.run, failure);
  const line = `The digest of run ${run.run} was discarded: the next "run" collects again.`;
  return done({ run: run.run, state: 'planned', discarded: true }, [line]);
}

/** What will be gone with a digest, and a question; of one that has expired, or that an earlier release stored, without figures. */
async function describeLoss({ table }: RunTarget, { run, period }: Run, id: string): Promise<string> {
  const stored = await findDigest(table, run, id).catch((error: unknown) => {
    if (error instanceof OlderDigestError) return null;
    throw error;
  });
  const made = stored && `, made ${sayInstant(stored.readAt, period.timeZone)}. ${outcomes.describeFigures(stored)}`;
  return `This deletes the digest of ${run}${made ?? ''}. What the service no longer lists cannot be collected again. Go on?`;
}

/** Gives an order about a run and waits for its end. Returns why it was refused or failed, else `null`. */
async function actOn(target: RunTarget, run: Run, action: 'release' | 'discard'): Promise<Failure | null> {
  const ended = await order(target, { what: action, report: run.report, run: run.run }, { action, run: run.run });
  return (await outcomes.followRun(target, run, ended())).failure;
}

/** The answer for an order that the run function refused, or that failed. */
function refused(run: string, failure: Failure) {
  return { json: { run, error: failure }, lines: [failure.message], code: exitCodes.noDigest };
}

/**
 * Why a test is not sent, in sentences: somebody gets no mail at all, or has unsubscribed and the operator does not want to
 * mail them all the same. `null` where it is sent.
 */
async function refuseTest(target: RunTarget, report: ReportConfiguration, options: TestOptions) {
  const standings = (await readKnown(target, report, options.to)).map(({ standing }) => standing);
  const stopped = standings
    .filter(({ suppression, forgottenAt }) => suppression !== null || forgottenAt !== null)
    .map((standing) => Object.assign(standing, { leftAt: null, member: null }));
  if (stopped.length > 0) {
    const whys = stopped.map(
      (person) => `${person.address} gets no mail: ${describeStanding(person, { isConfigured: false }).why}.`,
    );
    return [...whys, 'Nothing was sent.', ...waysBack(stopped)];
  }
  const left = standings.filter(({ leftAt }) => leftAt !== null).map(({ address }) => address);
  const question = `Unsubscribed from "${report.name}": ${left.join(', ')}. Send the test all the same?`;
  return left.length === 0 || (await confirm(question, options)) ? null : ['Nothing was done.'];
}

interface TestOptions extends YesFlag {
  to: readonly string[];
}

const testedSchema = v.object({ kept: v.boolean(), sent: v.number(), notSent: v.number(), unknown: v.number() });

/** Sends the real digest of a report, marked as a test, to these addresses only. */
export async function testCommand(target: RunTarget, report: ReportConfiguration, due: Due, options: TestOptions) {
  const { to } = options;
  const { run } = await outcomes.findDueRun(target.table, report, due);
  const refusal = await refuseTest(target, report, options);
  if (refusal !== null) return { json: { run, refused: refusal }, lines: refusal, code: exitCodes.noDigest };
  using progress = createProgress();
  progress.say('Sending the test, with the stored digest or one that is collected for it …');
  const ended = await order(
    target,
    { what: 'test', report: report.name, run, detail: count(to.length, 'address', 'addresses') },
    { action: 'test', report: report.name, scheduledTime: due.scheduledTime },
    to,
  );
  const { failure, result: tested } = await ended();
  if (failure !== null) return refused(run, failure);
  const result = v.parse(testedSchema, tested);
  const { kept, sent, notSent, unknown } = result;
  const source = kept ? 'the stored digest' : 'a digest made for it';
  const failures = notSent === 0 ? '' : ` ${notSent} could not be sent.`;
  const lost = unknown === 0 ? '' : ` SES's answer to ${unknown} was lost: they may have been sent.`;
  const lines = [`Test of run ${run}, ${source}: sent to ${count(sent, 'address', 'addresses')}.${failures}${lost}`];
  const code = sent + unknown === 0 ? exitCodes.noDigest : exitCodes.incomplete;
  return { json: { run, ...result }, lines, code: notSent + unknown === 0 ? exitCodes.done : code };
}
