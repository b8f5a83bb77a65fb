import { setTimeout as sleep } from 'node:timers/promises';
import type { Digest } from '../../digest/schema.ts';
import { configuredIn } from '../../ledger/persons/members.ts';
import { openHashes, readTriggerSubscribers } from '../../ledger/persons/persons.ts';
import { readStandings, reasonAgainst } from '../../ledger/persons/standing.ts';
import { isCard, markWithheld, readMessages, type MessageRow, type Share } from '../../ledger/runs/messages.ts';
import { partsOf, type Table } from '../../ledger/table.ts';
import type { ReportDependencies } from '../dependencies.ts';
import { openDigest, pageOf } from '../kept-digest.ts';
import type { Plan } from '../plan/plan.ts';
import { isSendable, sendOnce, type Handover } from './send-once.ts';
import { createRateLimiter } from './rate-limiter.ts';
import { createCircuitBreaker, handToSes } from './ses.ts';

/** The result of a batch of mails. `stopped` says why it ended early: the rest is still planned. */
export interface Sent {
  sent: number;
  /**
   * `unreached` also where SES throttles however slow the limiter, and where it answers nothing in a batch's time. A batch
   * that is `out-of-time` has sent something, and another batch goes on.
   */
  stopped: 'daily-quota' | 'unreached' | 'answers-lost' | 'out-of-time' | null;
}

/** How often a batch tries a mail that SES surely did not take: unreachable, or throttled while the limiter slows down. */
const triesOfMail = { unreached: 12, throttled: 60 } as const;
/** Longer than three requests that SES never answers; an invocation has time for this and for the batches before it. */
const longestBatchMs = 120_000;
/** The longest that SES takes to answer. It decides how many mails have to be on their way at once. */
const secondsOnTheWay = 0.25;
const mostOnTheWay = 50;

/** What sends the mails of one run, for one execution. */
export type Sender = Awaited<ReturnType<typeof createSender>>;

export type Mail = Pick<MessageRow, 'id' | 'named'> & { to: string };

/**
 * A sender for a run that has a digest, at `rate` mails a second. Its circuit breaker begins anew. Throws where the run has no
 * digest.
 */
export async function createSender(
  plan: Plan,
  { execution, rate }: { execution: string; rate: number },
  options: ReportDependencies,
) {
  const { configuration, configurationSet, report, ses, table, unsubscribeLinks } = options;
  const { mail } = configuration;
  const compose = await openComposer(plan.run, await openDigest(table, plan), options);
  const unsubscribeLinkOf = await unsubscribeLinks();
  return {
    table,
    ses,
    limiter: createRateLimiter(rate),
    /** Opens where SES does not answer. */
    breaker: createCircuitBreaker(),
    report: { name: report.name },
    configured: configuredIn(configuration.reports, await openHashes(table)),
    run: plan.run,
    execution,
    named: await readNamed(table, plan),
    resends: plan.resends,
    mail: { from: mail.from, identity: mail.identity },
    configurationSet,
    width: Math.min(mostOnTheWay, Math.max(2, Math.ceil(rate * secondsOnTheWay))),
    compose: async ({ id: hash, to }: Mail) =>
      compose({ to, unsubscribeLink: await unsubscribeLinkOf(report.name, hash) }),
  };
}

/** The composer of the mails of a stored digest. A test is marked as one, and nobody unsubscribes from it. */
export async function openComposer(
  run: string,
  { id, digest, test = false }: { id: string; digest: Digest; test?: boolean },
  { configuration: { mail }, linkToPage, render, report, table }: ReportDependencies,
) {
  const page = await linkToPage(await pageOf(table, digest, { report: report.name, run, digest: id }));
  const rendered = await render({ digest, report, mail, canUnsubscribe: !test, page, test });
  // The composer takes a tenth of the function's start, and few invocations send.
  const { createMimeComposer } = await import('./mime.ts');
  return await createMimeComposer(rendered, { mail, report });
}

/**
 * The ids of the messages to the persons whom a trigger named; `null` where it named nobody: then it sends to every
 * subscriber of the run. Throws a `CodedError` where the ledger no longer has them.
 */
export async function readNamed(table: Table, { subscribers }: Plan): Promise<ReadonlySet<string> | null> {
  return subscribers === undefined ? null : new Set(await readTriggerSubscribers(table, subscribers));
}

/**
 * Sends the mails of a share of a run that this execution has to send, many at once. Until SES has answered, and so after every
 * stop, only one at a time is risked.
 */
export async function sendShare(sender: Sender, share: Share): Promise<Sent> {
  const { breaker, width } = sender;
  const mails = readSendable(sender, share);
  const batch: Batch = { sent: 0, stopped: null, until: performance.now() + longestBatchMs };
  const lane = async (untilAnswered: boolean): Promise<void> => {
    for (let next = await mails.next(); next.done !== true; next = await mails.next()) {
      await sendMail(sender, next.value, batch);
      if (batch.stopped !== null || (untilAnswered && breaker.hasAnswered())) return;
    }
  };
  if (!breaker.hasAnswered()) await lane(true);
  if (batch.stopped === null) await Promise.all(Array.from({ length: width }, () => lane(false)));
  const { sent, stopped } = batch;
  return { sent, stopped: stopped === 'out-of-time' && sent === 0 ? 'unreached' : stopped };
}

/** A batch under way, and when it stops handing over more: milliseconds of `performance.now()`. */
type Batch = Sent & { until: number };

/** The mails of a share that are to be sent, with their addresses: read few at a time, just before they are claimed. */
async function* readSendable(sender: Sender, share: Share): AsyncGenerator<Mail> {
  const all = await readMessages(sender.table, sender.run, share);
  const rows = all.filter((row) => !isCard(row) && isSendable(row, sender));
  // About what is sent in half a second.
  for (const part of partsOf(rows, 2 * sender.width)) yield* await readAddressed(sender, part);
}

/**
 * Those of some mails whose persons get them, as the ledger says now. The others, of persons who get no mail or are no
 * subscribers any more, are marked so.
 */
async function readAddressed(sender: Sender, rows: ReadonlyArray<Omit<Mail, 'to'>>): Promise<Mail[]> {
  const { table, report, configured, run, named } = sender;
  const ids = rows.map(({ id }) => id);
  const standings = await readStandings(table, report, ids, configured);
  const mails: Mail[] = [];
  for (const row of rows) {
    const { id } = row;
    const standing = standings.get(id);
    const isConfiguredOrNamed =
      configured(report.name)?.has(id) === true || row.named === true || named?.has(id) === true;
    const reason = standing === undefined ? 'removed' : reasonAgainst(standing, { isConfiguredOrNamed });
    if (reason !== null) await markWithheld(table, run, id, reason);
    else if (standing?.address != null) mails.push({ ...row, to: standing.address });
  }
  return mails;
}

/** Sends a mail when its turn comes, and again what SES surely did not take, unless the batch is stopped meanwhile. */
async function sendMail(sender: Sender, mail: Mail, batch: Batch): Promise<void> {
  const { ses, limiter, breaker, run, configurationSet } = sender;
  const { id, to } = mail;
  const raw = await sender.compose(mail);
  const handOver = async ({ claim }: { claim: string }): Promise<Handover> => {
    const tags = { run, message: id, claim };
    const handover = await handToSes(ses, { raw, sender: sender.mail, to, configurationSet, tags });
    breaker.record(handover.outcome);
    if (handover.outcome === 'throttled') limiter.tooFast();
    return handover;
  };
  const inTurn = (attempt: () => Promise<Handover | null>): Promise<Handover | null> =>
    limiter.schedule(async () => {
      if (breaker.isOpen()) batch.stopped ??= 'answers-lost';
      if (performance.now() >= batch.until) batch.stopped ??= 'out-of-time';
      return batch.stopped === null ? await attempt() : null;
    });
  for (let attempt = 1; batch.stopped === null; attempt += 1) {
    // A mail that waits to be tried again may wait for long.
    if (attempt > 1 && (await readAddressed(sender, [mail])).length === 0) return;
    const outcome = (await sendOnce(sender, id, handOver, inTurn))?.outcome;
    if (outcome === 'accepted') batch.sent += 1;
    if (outcome === 'daily-quota') batch.stopped = 'daily-quota';
    if (outcome === 'unreached') await sleep(Math.min(5_000, 100 * 2 ** attempt));
    if (outcome !== 'throttled' && outcome !== 'unreached') return;
    if (attempt >= triesOfMail[outcome]) batch.stopped = 'unreached';
  }
}
