import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SESClient } from '@aws-sdk/client-ses';
import { readStandings, reasonAgainst } from '../../ledger/persons/standing.ts';
import { claimMessage, markFailed, markSent, releaseClaim, type ClaimedMessage } from '../../ledger/runs/claims.ts';
import { isCard, markWithheld, readMessages, type MessageRow, type Share } from '../../ledger/runs/messages.ts';
import type { Table } from '../../ledger/table.ts';
import { type CircuitBreaker, handToSes, type Handover } from './ses.ts';
import type { RateLimiter } from './rate-limiter.ts';

/** The result of a batch of messages. `stopped` says why it ended early: the rest is still planned. */
export interface Sent {
  sent: number;
  /**
   * `unreached` also where SES throttles however slow the limiter, and where it answers nothing in a batch's time. A batch
   * that is `out-of-time` has sent something, and another batch goes on.
   */
  stopped: 'daily-quota' | 'unreached' | 'answers-lost' | 'out-of-time' | null;
}

/** How often a batch tries a message that SES surely did not take: unreachable, or throttled while the limiter slows down. */
const triesOfMessage = { unreached: 12, throttled: 60 } as const;

/** What sends the messages of one run, for one execution. */
export interface Sender {
  table: Table;
  ses: SESClient;
  limiter: RateLimiter;
  /** Opens where SES does not answer. */
  breaker: CircuitBreaker;
  report: { name: string };
  /** The hashes of the report's configured subscribers. */
  configured: ReadonlySet<string>;
  run: string;
  /** The execution that sends: it tries again what failed in others, and not what failed in it. */
  execution: string;
  /** The ids of the messages that it sends alone; `null`: all of the run. */
  named: ReadonlySet<string> | null;
  /** Whether it sends those alone that it planned again. */
  resends?: boolean | undefined;
  from: string;
  /** SES publishes the events of messages that are sent under it. */
  configurationSet: string;
  /** The most messages on their way at once. */
  width: number;
  /** A batch hands over nothing more after this many milliseconds, because an invocation has a time limit. */
  longestMs: number;
  compose: (message: MessageTo) => Promise<Uint8Array>;
}

/** A message and the address that it goes to. */
export interface MessageTo extends Pick<MessageRow, 'id' | 'named'> {
  to: string;
}

/**
 * Sends the messages of a share of a run that are planned, or that failed in another execution: claim, hand over, mark.
 * A message that is already claimed is left alone: SES's events say whether it was sent, never a second try. Until SES has
 * answered, and so after every stop, only one message at a time is risked.
 */
export async function sendShare(sender: Sender, share: Share): Promise<Sent> {
  const { breaker, width, longestMs } = sender;
  const messages = readSendable(sender, share);
  const batch: Batch = { sent: 0, failed: 0, stopped: null, until: performance.now() + longestMs };
  const lane = async (untilAnswered: boolean): Promise<void> => {
    for (let next = await messages.next(); next.done !== true; next = await messages.next()) {
      await sendMessage(sender, next.value, batch);
      if (batch.stopped !== null || (untilAnswered && breaker.hasAnswered())) return;
    }
  };
  if (!breaker.hasAnswered()) await lane(true);
  if (batch.stopped === null) await Promise.all(Array.from({ length: width }, () => lane(false)));
  const { sent, failed, stopped } = batch;
  const gotOn = sent + failed > 0;
  return { sent, stopped: stopped === 'out-of-time' && !gotOn ? 'unreached' : stopped };
}

/** A batch under way, and when it stops handing over more: milliseconds of `performance.now()`. */
interface Batch extends Sent {
  failed: number;
  until: number;
}

/** The messages of a share that are to be sent, with their addresses: read few at a time, just before they are claimed. */
async function* readSendable(sender: Sender, share: Share): AsyncGenerator<MessageTo> {
  const rows: MessageRow[] = [];
  for await (const row of readMessages(sender.table, sender.run, share))
    if (!isCard(row) && isSendable(row, sender)) rows.push(row);
  // About what is sent in half a second.
  const atOnce = 2 * sender.width;
  for (let start = 0; start < rows.length; start += atOnce) {
    yield* await readAddressed(sender, rows.slice(start, start + atOnce));
  }
}

/**
 * Those of some messages whose persons get them, as the ledger says now. The others, of persons who get no mail or are no
 * subscribers any more, are marked so.
 */
async function readAddressed(
  { table, report, configured, run, named }: Sender,
  rows: ReadonlyArray<Pick<MessageRow, 'id' | 'named'>>,
): Promise<MessageTo[]> {
  const ids = rows.map(({ id }) => id);
  const standings = await readStandings(table, report, ids);
  const addressed: MessageTo[] = [];
  for (const row of rows) {
    const { id } = row;
    const standing = standings.get(id);
    const isConfiguredOrNamed = configured.has(id) || row.named === true || named?.has(id) === true;
    const reason = standing === undefined ? 'removed' : reasonAgainst(standing, { isConfiguredOrNamed });
    if (reason !== null) await markWithheld(table, run, id, reason);
    else if (standing?.address != null) addressed.push({ ...row, to: standing.address });
  }
  return addressed;
}

/**
 * Whether this execution has to send the message: not where the trigger named others, or has it send again what was unknown
 * alone. A message that SES accepted and then rejected for its content is not tried again: the content would be the same.
 */
export function isSendable(row: MessageRow, by: Pick<Sender, 'execution' | 'named' | 'resends'>): boolean {
  const { execution, named, resends } = by;
  if (named?.has(row.id) === false || (resends && row.resentBy !== execution)) return false;
  if (row.state === 'planned') return true;
  return row.state === 'failed' && row.failedBy !== execution && row.rejectedAt === undefined;
}

async function sendMessage(sender: Sender, message: MessageTo, batch: Batch): Promise<void> {
  const raw = await composeOrFail(sender, message);
  if (raw === null) {
    batch.failed += 1;
    return;
  }
  for (let attempt = 1; batch.stopped === null; attempt += 1) {
    // A message that waits to be tried again may wait for long.
    if (attempt > 1 && (await readAddressed(sender, [message])).length === 0) return;
    const turn = await sender.limiter.schedule(() => takeTurn(sender, message, raw, batch));
    if (turn === 'stopped' || turn === 'not ours') return;
    const { outcome } = turn.handover;
    if (outcome === 'throttled') sender.limiter.tooFast();
    // The next turn waits for SES's answer to this one, not for what the ledger is told of it.
    await settleHandover(sender, turn);
    if (outcome === 'accepted') batch.sent += 1;
    if (outcome === 'refused') batch.failed += 1;
    if (outcome === 'daily-quota') batch.stopped = 'daily-quota';
    if (outcome === 'unreached') await sleep(Math.min(5_000, 100 * 2 ** attempt));
    if (outcome !== 'throttled' && outcome !== 'unreached') return;
    if (attempt >= triesOfMessage[outcome]) batch.stopped = 'unreached';
  }
}

/** A message that was claimed, and what came of handing it to SES. */
interface Turn {
  claimed: ClaimedMessage;
  handover: Handover;
}

/** Claims and hands over a message when its turn comes, unless sending was stopped while it waited. */
async function takeTurn(
  sender: Sender,
  message: MessageTo,
  raw: Uint8Array,
  batch: Batch,
): Promise<Turn | 'not ours' | 'stopped'> {
  if (sender.breaker.isOpen()) batch.stopped ??= 'answers-lost';
  if (performance.now() >= batch.until) batch.stopped ??= 'out-of-time';
  return batch.stopped === null ? await claimAndHandOver(sender, message, raw) : 'stopped';
}

/** Composes a message. `null` where its address is invalid: that message fails, and no other. */
async function composeOrFail(
  { table, run, execution, compose }: Sender,
  message: MessageTo,
): Promise<Uint8Array | null> {
  try {
    return await compose(message);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const { id } = message;
    const claim = randomUUID();
    if (await claimMessage(table, run, id, { claim, execution, claimedAt: Date.now() })) {
      await markFailed(table, { run, id, claim }, { refusal: 'InvalidAddress', failedBy: execution });
    }
    return null;
  }
}

async function claimAndHandOver(
  { table, ses, breaker, run, execution, from, configurationSet }: Sender,
  { id, to }: MessageTo,
  raw: Uint8Array,
): Promise<Turn | 'not ours'> {
  const claim = randomUUID();
  if (!(await claimMessage(table, run, id, { claim, execution, claimedAt: Date.now() }))) return 'not ours';
  const handover = await handToSes(ses, { raw, from, to, configurationSet, tags: { run, message: id, claim } });
  breaker.record(handover.outcome);
  return { claimed: { run, id, claim }, handover };
}

/** Writes into the ledger what came of handing a claimed message to SES. */
async function settleHandover({ table, execution }: Sender, { claimed, handover }: Turn): Promise<void> {
  switch (handover.outcome) {
    case 'accepted':
      await markSent(table, claimed, handover.messageId);
      break;
    case 'refused':
      await markFailed(table, claimed, { refusal: handover.refusal, failedBy: execution });
      break;
    case 'throttled':
    case 'daily-quota':
    case 'unreached':
      await releaseClaim(table, claimed);
      break;
    case 'unknown':
      // The claim stays: a claimed message is one whose outcome is unknown.
      break;
  }
}
