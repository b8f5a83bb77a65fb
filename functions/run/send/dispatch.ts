import type { DurableContext } from '@aws/durable-execution-sdk-js';
import { Temporal } from 'temporal-polyfill';
import { isCard, readMessages, type Share } from '../../ledger/runs/messages.ts';
import { recordWait, recordSending, requireRun } from '../../ledger/runs/runs.ts';
import type { Failure } from '../../domain/failures.ts';
import { step } from '../step.ts';
import type { ReportDependencies } from '../dependencies.ts';
import { refuseDropped } from '../kept-digest.ts';
import type { Plan } from '../plan/plan.ts';
import { postCards } from './cards.ts';
import { isSendable } from './send-once.ts';
import { createSender, readNamed, sendShare, type Sender, type Sent } from './mails.ts';
import { readSendQuota } from './ses.ts';

/** About the time a batch takes at SES's rate: a crash repeats little, and a history stays short. */
const secondsOfBatch = 10;
const smallestBatch = 10;
const largestBatch = 2_000;
/** After so many batches the execution goes on in a new invocation, because each has a time limit. */
const batchesBetweenRests = 5;

/** How many messages this execution sent, and why it stopped early, if it did. */
export type Dispatch = Awaited<ReturnType<typeof dispatchMessages>>;

/**
 * Sends all messages of a run that are still to be sent: the mails, at SES's rate, in batches of a durable step each, then the cards. Where SES is
 * out of order it waits, an hour at most, and goes on; where SES's daily quota is used up, two days at most. Where that
 * does not help, the rest stays planned.
 */
export async function dispatchMessages(context: DurableContext, plan: Plan, options: ReportDependencies) {
  const execution = context.executionContext.durableExecutionArn;
  const nextWait = createWaits(options.configuration.mail.settleMinutes);
  let [part, parts, sentNow] = [0, 0, 0];
  let waitsForQuota = false;
  for (let start = 1; ; start += 1) {
    const nameOf = (name: string): string => (start === 1 ? name : `${name} ${start}`);
    const begin = () => beginSending(plan, execution, options);
    const { cards, mails, quota } = await step(context, nameOf('begin sending'), begin);
    let stopped: Sent['stopped'] = mails === 0 ? null : quota === null ? 'unreached' : 'daily-quota';
    let sent = 0;
    if (quota?.isUsedUp === false) {
      const { rate } = quota;
      const ofBatch = Math.min(largestBatch, Math.max(smallestBatch, Math.round(rate * secondsOfBatch)));
      parts ||= Math.ceil(plan.intended / ofBatch);
      let sender: Promise<Sender> | null = null;
      const openSender = (): Promise<Sender> => (sender ??= createSender(plan, { execution, rate }, options));
      ({ part, sent, stopped } = await sendShares(context, { part, parts }, openSender));
    }
    sentNow += sent;
    const minutes = stopped === null ? null : nextWait({ stopped, sent });
    if (minutes === null) {
      // Last, and also where SES was given up: neither channel nor mail waits for the other's fault.
      if (cards > 0) sentNow += await postCards(context, plan, { ...options, nameOf });
      const failure = stopped === 'daily-quota' ? quotaUsedUp : sesUnavailable;
      return { sentNow, stopped: stopped === null ? null : failure };
    }
    if (stopped === 'daily-quota' && !waitsForQuota) {
      waitsForQuota = true;
      const until = () => Temporal.Now.instant().add({ hours: hoursForQuota }).toString();
      await step(context, 'wait for the quota', () => recordWait(options.table, plan, until()));
    }
    await context.wait(nameOf(stopped === 'daily-quota' ? 'daily quota' : 'SES is out of order'), { minutes });
  }
}

const quotaUsedUp: Failure = {
  code: 'daily-quota',
  message: "SES's daily quota is used up. Run it again once SES takes messages, to continue with those who are left.",
};
const sesUnavailable: Failure = {
  code: 'ses-unavailable',
  message:
    'SES cannot be reached, does not answer, or accepts nothing even at a low rate. Run it again to continue with those who are left.',
};

/** How many cards and mails an execution has to send, and what SES takes; `null` where it does not say. */
async function beginSending(plan: Plan, execution: string, { table, ses, configuration }: ReportDependencies) {
  const run = await requireRun(table, plan.report, plan.period);
  refuseDropped(run, plan.digest);
  const sending = { execution, named: await readNamed(table, plan), resends: plan.resends };
  const open = (await readMessages(table, plan.run)).filter((row) => isSendable(row, sending));
  const cards = open.filter(isCard).length;
  const mails = open.length - cards;
  if (cards + mails === 0 && run.state === 'done') return { cards, mails, quota: null };
  if (!(await recordSending(table, run))) {
    const changed = await requireRun(table, plan.report, plan.period);
    refuseDropped(changed, run.digest);
    // An operator held the run in between: the rest stays planned.
    if (changed.withheld !== undefined) return { cards: 0, mails: 0, quota: null };
    throw new Error(`Run "${plan.run}" changed while sending began.`);
  }
  return { cards, mails, quota: mails === 0 ? null : await readSendQuota(ses, configuration.mail) };
}

/** Sends share after share. Returns the part to go on with, how many mails were sent, and why it stopped early. */
async function sendShares(context: DurableContext, next: Share, openSender: () => Promise<Sender>) {
  const { parts } = next;
  let [part, sent] = [next.part, 0];
  for (let batches = 1; part < parts; batches += 1) {
    const send = async (): Promise<Sent> => sendShare(await openSender(), { part, parts });
    const batch = await step(context, `send ${part + 1} of ${parts}`, send);
    sent += batch.sent;
    if (batch.stopped === null) part += 1;
    else if (batch.stopped !== 'out-of-time') return { part, sent, stopped: batch.stopped };
    if (batches % batchesBetweenRests === 0 && part < parts) await context.wait(`rest ${part}`, { seconds: 1 });
  }
  return { part, sent, stopped: null };
}

/** The waits for SES to come back, one after the other, in minutes. */
const waitsInARow = [1, 2, 4, 8, 16, 32];
/** Where SES comes and goes, because an execution's history is limited. */
const mostWaits = 24;
/** SES's 24 hours roll: it is asked every hour whether it takes messages again. An execution is given five days in all. */
const hoursForQuota = 48;

/**
 * Returns how many minutes to wait each time that sending stopped; `null` where it is time to give up. After messages
 * were sent in between, the next wait for an SES that is out of order is a short one again. With `settleMinutes` 0, as on
 * embedded parts, nothing is waited for.
 */
function createWaits(settleMinutes: number): (batch: Sent) => number | null {
  let quotaWaits = 0;
  let waits = 0;
  let inARow = 0;
  return ({ stopped, sent }) => {
    if (settleMinutes === 0) return null;
    if (stopped === 'daily-quota') {
      quotaWaits += 1;
      return quotaWaits > hoursForQuota ? null : 60;
    }
    if (sent > 0) inARow = 0;
    const minutes = waitsInARow[inARow];
    if (minutes === undefined || waits === mostWaits) return null;
    inARow += 1;
    waits += 1;
    return minutes;
  };
}
