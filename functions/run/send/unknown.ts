import type { DurableContext } from '@aws/durable-execution-sdk-js';
import { isCard, readMessages } from '../../ledger/runs/messages.ts';
import type { Table } from '../../ledger/table.ts';
import { retryUnexpected } from '../retry.ts';

/**
 * Waits, `minutes` at most, for SES's events about messages whose answer was lost. They are never sent again. It looks after
 * a minute, and then each time after twice as long.
 */
export async function settleUnknown(
  context: DurableContext,
  run: string,
  table: Table,
  minutes: number,
): Promise<void> {
  let left = minutes;
  for (let attempt = 0; left > 0; attempt += 1) {
    const count = async (): Promise<number> => {
      const rows = await Array.fromAsync(readMessages(table, run));
      return rows.filter((row) => row.state === 'claimed' && !isCard(row)).length;
    };
    const unknown = await context.step(`unknown outcomes ${attempt}`, count, retryUnexpected);
    if (unknown === 0) return;
    const wait = Math.min(2 ** attempt, left);
    await context.wait(`settle ${attempt}`, { minutes: wait });
    left -= wait;
  }
}
