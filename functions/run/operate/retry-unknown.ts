import { isLongClaimed, releaseClaim } from '../../ledger/runs/claims.ts';
import { forgottenAddress, readMessages } from '../../ledger/runs/messages.ts';
import type { Table } from '../../ledger/table.ts';

/** What became of the messages whose outcome nobody knew. */
interface RetriedUnknown {
  /** Planned again. */
  again: number;
  /** Claimed so lately that they may still be on their way: left as they are. */
  tooYoung: number;
}

/**
 * Plans messages again of which nobody knows whether they were sent: an operator decided that a second mail is better than
 * none. It is the only way to one.
 */
export async function retryUnknown(table: Table, run: string, now: number): Promise<RetriedUnknown> {
  const resent: RetriedUnknown = { again: 0, tooYoung: 0 };
  for await (const row of readMessages(table, run)) {
    const { id, to, state, claim } = row;
    if (state !== 'claimed' || to === forgottenAddress) continue;
    if (claim === undefined || !isLongClaimed(row, now)) {
      resent.tooYoung += 1;
      continue;
    }
    if (await releaseClaim(table, { run, id, claim })) resent.again += 1;
  }
  return resent;
}
