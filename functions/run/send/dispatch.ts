import type { DurableContext } from '@aws/durable-execution-sdk-js';
import { Temporal } from 'temporal-polyfill';
import type { ReportConfiguration } from '../../domain/configuration/configuration.ts';
import { isCard, readMessages, type Share } from '../../ledger/runs/messages.ts';
import { openHashes } from '../../ledger/persons/persons.ts';
import { recordWait, recordSending, requireRun } from '../../ledger/runs/runs.ts';
import { readTriggerSubscribers } from '../../ledger/runs/triggers.ts';
import type { Table } from '../../ledger/table.ts';
import { pageOf } from '../../warnings/judged-report.ts';
import type { Failure } from '../failure.ts';
import { retryUnexpected } from '../retry.ts';
import { openDigest, refuseDropped } from '../find-run.ts';
import type { Plan } from '../plan/plan.ts';
import type { Dependencies } from '../dependencies.ts';
import { postCards } from './channels.ts';
import { createRateLimiter } from './rate-limiter.ts';
import { isSendable, sendShare, type Sender, type Sent } from './send.ts';
import { createCircuitBreaker, readSendQuota } from './ses.ts';

/** About the time a batch takes at SES's rate: a crash repeats little, and a history stays short. */
const secondsOfBatch = 10;
const smallestBatch = 10;
const largestBatch = 2_000;
/** After about this long of sending, the execution goes on in a new invocation, because each has a time limit. */
export const secondsBetweenRests = 300;

/** How many messages this execution sent, and why it stopped early, if it did. */
export interface Dispatch {
  sentNow: number;
  stopped: Failure | null;
}

type Options = Dependencies & { report: ReportConfiguration };

/**
 * Sends all messages of a run that are still to be sent, at SES's rate, in batches of a durable step each. Where SES is
 * out of order it waits, an hour at most, and goes on; where SES's daily quota is used up, two days at most. Where that
 * does not help, the rest stays planned.
 */
export async function dispatchMessages(context: DurableContext, plan: Plan, options: Options): Promise<Dispatch> {
  const execution = context.executionContext.durableExecutionArn;
  const nextWait = createWaits(options.configuration.mail.settleMinutes);
  let share: Share | null = null;
  let sentNow = 0;
  let waitsForQuota = false;
  for (let start = 1; ; start += 1) {
    const nameOf = (name: string): string => (start === 1 ? name : `${name} ${start}`);
    const begin = () => beginSending(plan, execution, options);
    const { cards, open, quota } = await context.step(nameOf('begin sending'), begin, retryUnexpected);
    // First, because mails may have to wait for SES for long.
    if (cards > 0) sentNow += await postCards(context, plan, { ...options, nameOf });
    if (open === 0) return { sentNow, stopped: null };
    let stopped: Sent['stopped'] = quota === null ? 'unreached' : 'daily-quota';
    let sent = 0;
    if (quota?.isUsedUp === false) {
      const { rate } = quota;
      share ??= { part: 0, of: batchesOf(plan.intended, rate) };
      // A replay that has nothing to send renders nothing.
      let sender: Promise<Sender> | null = null;
      const openSender = (): Promise<Sender> => (sender ??= createSender(plan, { execution, rate }, options));
      ({ share, sent, stopped } = await sendShares(context, share, openSender));
    }
    sentNow += sent;
    if (stopped === null) return { sentNow, stopped };
    const minutes = nextWait({ stopped, sent });
    if (minutes === null) return { sentNow, stopped: failureOfStop(stopped) };
    if (stopped === 'daily-quota' && !waitsForQuota) {
      waitsForQuota = true;
      const until = () => Temporal.Now.instant().add({ hours: hoursForQuota }).toString();
      await context.step('wait for the quota', () => recordWait(options.table, plan, until()), retryUnexpected);
    }
    await context.wait(nameOf(stopped === 'daily-quota' ? 'daily quota' : 'SES is out of order'), { minutes });
  }
}

/** How many cards and mails an execution has to send, and what SES takes; `null` where it does not say. */
async function beginSending(plan: Plan, execution: string, { table, ses, configuration }: Options) {
  const run = await requireRun(table, plan.report, plan.period);
  refuseDropped(run, plan.digest);
  const by = { execution, named: await readNamed(table, plan), resends: plan.resends };
  let cards = 0;
  let open = 0;
  for await (const row of readMessages(table, plan.run)) {
    if (!isSendable(row, by)) continue;
    if (isCard(row)) cards += 1;
    else open += 1;
  }
  if (cards + open === 0 && run.state === 'done') return { cards, open, quota: null };
  if (!(await recordSending(table, run))) {
    const changed = await requireRun(table, plan.report, plan.period);
    refuseDropped(changed, run.digest);
    // An operator held the run in between: the rest stays planned.
    if (changed.withheld !== undefined) return { cards: 0, open: 0, quota: null };
    throw new Error(`Run "${plan.run}" changed while sending began.`);
  }
  return { cards, open, quota: open === 0 ? null : await readSendQuota(ses, configuration.mail.from) };
}

/** How many batches the messages of a run are sent in, at a rate a second. */
export function batchesOf(intended: number, rate: number): number {
  const size = Math.min(largestBatch, Math.max(smallestBatch, Math.round(rate * secondsOfBatch)));
  return Math.ceil(intended / size);
}

/** The longest that SES takes to answer. It decides how many messages have to be on their way at once. */
const secondsOnTheWay = 0.25;
const maxWidth = 50;
/** Longer than three requests that SES never answers; an invocation has time for this and for the batches before it. */
const longestBatchMs = 120_000;

/**
 * A sender for a run that has a digest, at `rate` messages a second. Its circuit breaker begins anew. Throws where the run
 * has no digest.
 */
async function createSender(
  plan: Plan,
  { execution, rate }: { execution: string; rate: number },
  options: Options,
): Promise<Sender> {
  const { report, table, ses, configurationSet, render, unsubscribeLinks, linkToPage } = options;
  const { mail } = options.configuration;
  const { id, digest } = await openDigest(table, plan);
  const page = await linkToPage(pageOf(digest, { report: report.name, run: plan.run, digest: id }));
  const rendered = render({ digest, report, mail, canUnsubscribe: true, page });
  // The composer takes a tenth of the function's start, and few invocations send.
  const { createMimeComposer } = await import('./mime.ts');
  const compose = await createMimeComposer(rendered, { mail, report });
  const linkOf = await unsubscribeLinks();
  const hashOf = await openHashes(table);
  return {
    table,
    ses,
    limiter: createRateLimiter(rate),
    breaker: createCircuitBreaker(),
    report,
    configured: new Set(report.subscribers.map(hashOf)),
    run: plan.run,
    execution,
    named: await readNamed(table, plan),
    resends: plan.resends,
    from: mail.from,
    configurationSet,
    width: Math.min(maxWidth, Math.max(2, Math.ceil(rate * secondsOnTheWay))),
    longestMs: longestBatchMs,
    compose: async ({ id, to }) => compose({ to, unsubscribeLink: await linkOf(report.name, id) }),
  };
}

/**
 * The ids of the messages to the persons whom a trigger named; `null` where it named nobody: then it sends to every
 * subscriber of the run. Throws a `NoAddressesError` where the ledger no longer has them.
 */
async function readNamed(table: Table, { subscribers }: Plan): Promise<ReadonlySet<string> | null> {
  return subscribers === undefined ? null : new Set(await readTriggerSubscribers(table, subscribers));
}

/** Sends share after share. Returns the share to go on with, how many messages were sent, and why it stopped early. */
async function sendShares(
  context: DurableContext,
  { part: from, of }: Share,
  openSender: () => Promise<Sender>,
): Promise<{ share: Share; sent: number; stopped: Sent['stopped'] }> {
  let sent = 0;
  let secondsSinceRest = 0;
  for (let part = from; part < of;) {
    if (secondsSinceRest >= secondsBetweenRests) {
      await context.wait(`rest ${part}`, { seconds: 1 });
      secondsSinceRest = 0;
    }
    const batch = await context.step(
      `send ${part + 1} of ${of}`,
      async () => sendTimed(await openSender(), { part, of }),
      retryUnexpected,
    );
    sent += batch.sent;
    secondsSinceRest += batch.seconds;
    if (batch.stopped === null) part += 1;
    else if (batch.stopped !== 'out-of-time') return { share: { part, of }, sent, stopped: batch.stopped };
  }
  return { share: { part: of, of }, sent, stopped: null };
}

async function sendTimed(sender: Sender, share: Share): Promise<Sent & { seconds: number }> {
  const begun = performance.now();
  const sent = await sendShare(sender, share);
  return { ...sent, seconds: Math.round((performance.now() - begun) / 1_000) };
}

function failureOfStop(stopped: Sent['stopped']): Failure {
  return stopped === 'daily-quota'
    ? {
        code: 'daily-quota',
        message:
          "SES's daily quota is used up. Run it again once SES takes messages, to continue with those who are left.",
      }
    : {
        code: 'ses-unavailable',
        message:
          'SES cannot be reached, does not answer, or accepts nothing even at a low rate. Run it again to continue with those who are left.',
      };
}

/** The waits for SES to come back, one after the other, in minutes. */
const waitsInARow = [1, 2, 4, 8, 16, 32];
/** Where SES comes and goes, because an execution's history is limited. */
const maxWaits = 24;
/** SES's 24 hours roll: it is asked every hour whether it takes messages again. An execution is given five days in all. */
export const hoursForQuota = 48;

/**
 * Returns how many minutes to wait each time that sending stopped; `null` where it is time to give up. After messages
 * were sent in between, the next wait for an SES that is out of order is a short one again. With `settleMinutes` 0, as on
 * embedded parts, nothing is waited for.
 */
function createWaits(settleMinutes: number): (since: Pick<Sent, 'stopped' | 'sent'>) => number | null {
  let forQuota = 0;
  let inARow = 0;
  let inAll = 0;
  return ({ stopped, sent }) => {
    if (settleMinutes === 0) return null;
    if (stopped === 'daily-quota') {
      forQuota += 1;
      return forQuota > hoursForQuota ? null : 60;
    }
    if (sent > 0) inARow = 0;
    const minutes = waitsInARow[inARow];
    if (minutes === undefined || inAll === maxWaits) return null;
    inARow += 1;
    inAll += 1;
    return minutes;
  };
}
