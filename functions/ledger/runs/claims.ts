import type { Table } from '../table.ts';
import { messageKey, readMessage, readMessages, type ClaimedMessage, type MessageRow } from './messages.ts';

/** An invocation has ended after this long, so that nobody can still be sending a message claimed before. */
export const longestInvocationMs = 15 * 60_000;

/** Whether nobody can still be sending a claimed message. `now` is in epoch milliseconds. */
export function isLongClaimed({ claimedAt = 0 }: Pick<MessageRow, 'claimedAt'>, now: number): boolean {
  return now - claimedAt >= longestInvocationMs;
}

/** The messages of a run whose outcome is unknown and that nobody can still be sending. `now` is in epoch milliseconds. */
export async function readUnknown(table: Table, run: string, now: number): Promise<ClaimedMessage[]> {
  return (await readMessages(table, run)).flatMap((row) => {
    const { id, state, claim } = row;
    return state === 'claimed' && claim !== undefined && isLongClaimed(row, now) ? { run, id, claim } : [];
  });
}

/**
 * Claims a message: it is about to be sent. Returns whether it was claimed: only one that is planned, or that failed in
 * another execution, can be. The claim's id distinguishes a repeated write of our own client from another's claim.
 */
export async function claimMessage(
  table: Table,
  run: string,
  id: string,
  claim: { claim: string; execution: string; claimedAt: number },
): Promise<boolean> {
  const claimed = await table.update(messageKey(run, id), {
    set: { state: 'claimed', claim: claim.claim, claimedAt: claim.claimedAt },
    remove: ['refusal', 'failedBy'],
    condition: '#state = :planned OR #state = :failed AND #failedBy <> :execution',
    values: { ':planned': 'planned', ':failed': 'failed', ':execution': claim.execution },
  });
  if (claimed) return true;
  const row = await table.get(messageKey(run, id));
  return row !== null && row['state'] === 'claimed' && row['claim'] === claim.claim;
}

/**
 * Plans messages again, for this execution, of which nobody knows whether they were sent: an operator decided that a second mail
 * is better than none. It is the only way to one. What may still be on its way is left as it is.
 */
export async function retryUnknown(table: Table, run: string, resentBy: string, now: number): Promise<void> {
  for (const claimed of await readUnknown(table, run, now))
    await settleClaim(table, claimed, { state: 'planned', resentBy });
}

/**
 * Plans one message again, for this execution, that was sent or may have been under this claim: an operator was asked about it.
 * Returns whether this execution has planned it. The claim stays in the row until the next one: of any number of orders that
 * name it one is carried out. What events said of that mail goes, because they are to settle the next one.
 */
export async function planAgain(table: Table, { run, id, claim }: ClaimedMessage, resentBy: string): Promise<boolean> {
  const row = await readMessage(table, run, id);
  const isPlanned = await table.update(messageKey(run, id), {
    set: { state: 'planned', resentBy, sentBeforeAt: new Date(row?.claimedAt ?? 0).toISOString() },
    remove: ['deliveredAt', 'bouncedAt', 'bounceStatus', 'softBouncedAt', 'complainedAt'],
    where: { claim, state: ['sent', 'claimed'] },
  });
  // By its earlier write, where the answer to that was lost.
  return isPlanned || row?.resentBy === resentBy;
}

/** What became of a claimed message: SES (as `messageId`) or a channel accepted it; it surely did not take it; or it is planned again. */
type ClaimOutcome =
  | { state: 'sent'; messageId?: string | undefined }
  | { state: 'failed'; refusal: string; failedBy: string }
  | { state: 'planned'; resentBy?: string };

/** Writes down what became of a claimed message. Changes nothing where an event of SES came first. */
export async function settleClaim(table: Table, { run, id, claim }: ClaimedMessage, set: ClaimOutcome): Promise<void> {
  await table.update(messageKey(run, id), { set, where: { state: 'claimed', claim } });
}
