import { randomUUID } from 'node:crypto';
import type { DurableContext } from '@aws/durable-execution-sdk-js';
import { claimMessage, settleClaim } from '../../ledger/runs/claims.ts';
import { isCard, readMessages, type ClaimedMessage, type MessageRow } from '../../ledger/runs/messages.ts';
import type { Table } from '../../ledger/table.ts';
import { step } from '../step.ts';

/** What came of handing a mail to SES, or a card to a channel. */
export type Handover =
  | { outcome: 'accepted'; messageId?: string }
  /** Surely not taken, and perhaps later: SES's rate or quota of a day, no connection to SES, a channel that is busy. */
  | { outcome: 'throttled' | 'daily-quota' | 'unreached' }
  | { outcome: 'busy'; refusal: string; waitSeconds: number }
  /** Surely not taken as it is, or ever again. `refusal` is SES's error name, or what a channel answered, in our words. */
  | { outcome: 'refused' | 'gone'; refusal: string }
  | { outcome: 'unknown' };

/** An execution that sends messages of a run. */
export interface Sending {
  table: Table;
  run: string;
  /** It tries again what failed in others, and not what failed in it. */
  execution: string;
  /** The ids of the messages that it sends alone; `null`: all of the run. */
  named: ReadonlySet<string> | null;
  /** Whether it sends those alone that it planned again. */
  resends?: boolean | undefined;
}

/**
 * Sends a message, a mail or a card, so that nobody gets it twice, whatever crashes, is repeated or races:
 *
 * 1. Claim: its row goes from planned, or failed in another execution, to claimed, under an id of this attempt. Of several
 *    who try, one succeeds; the others get `null`.
 * 2. Hand over: SES or the channel is asked once.
 * 3. Mark: what was accepted is sent, what was refused has failed, and what was not taken for now is planned again.
 *
 * Where the answer is lost, or the process dies after 1, the row stays claimed: its outcome is unknown, and it is never sent
 * again by itself. SES's events settle that of a mail (`settleUnknown`); an operator may have it sent again (`retryUnknown`).
 *
 * `inTurn` says when to claim and hand over, and may decide against it: then it gives `null`. Marking is no part of a turn.
 */
export async function sendOnce(
  { table, run, execution }: Sending,
  id: string,
  handOver: (claimed: ClaimedMessage) => Promise<Handover>,
  inTurn: (attempt: () => Promise<Handover | null>) => Promise<Handover | null> = (attempt) => attempt(),
): Promise<Handover | null> {
  const claimed = { run, id, claim: randomUUID() };
  const handover = await inTurn(async () => {
    const isClaimed = await claimMessage(table, run, id, { claim: claimed.claim, execution, claimedAt: Date.now() });
    return isClaimed ? await handOver(claimed) : null;
  });
  // Nothing was handed over, or the answer is lost: there is nothing to mark.
  if (handover === null || handover.outcome === 'unknown') return handover;
  // By name: what is planned again is sent again, so nothing new may fall into it.
  switch (handover.outcome) {
    case 'accepted':
      await settleClaim(table, claimed, { state: 'sent', messageId: handover.messageId });
      break;
    case 'refused':
    case 'gone':
      await settleClaim(table, claimed, { state: 'failed', refusal: handover.refusal, failedBy: execution });
      break;
    case 'throttled':
    case 'daily-quota':
    case 'unreached':
    case 'busy':
      await settleClaim(table, claimed, { state: 'planned' });
      break;
  }
  return handover;
}

/**
 * Whether an execution has to send a message: not where its trigger named others, or has sent again what was unknown alone. A
 * mail that SES accepted and then rejected for its content is not tried again: the content would be the same.
 */
export function isSendable(row: MessageRow, { execution, named, resends }: Omit<Sending, 'table' | 'run'>): boolean {
  if (named?.has(row.id) === false || (resends && row.resentBy !== execution)) return false;
  if (row.state === 'planned') return true;
  return row.state === 'failed' && row.failedBy !== execution && row.rejectedAt === undefined;
}

/**
 * Waits, `minutes` at most, for SES's events about mails whose answer was lost. It looks after a minute, and then each time
 * after twice as long.
 */
export async function settleUnknown(context: DurableContext, run: string, table: Table, minutes: number) {
  let left = minutes;
  for (let attempt = 0; left > 0; attempt += 1) {
    const countUnknown = async (): Promise<number> => {
      const rows = await readMessages(table, run);
      return rows.filter((row) => row.state === 'claimed' && !isCard(row)).length;
    };
    if ((await step(context, `unknown outcomes ${attempt}`, countUnknown)) === 0) return;
    const wait = Math.min(2 ** attempt, left);
    await context.wait(`settle ${attempt}`, { minutes: wait });
    left -= wait;
  }
}
