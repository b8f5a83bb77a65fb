import { addressKey, readSuppressed } from '../../ledger/addresses/addresses.ts';
import { readForgotten } from '../../ledger/addresses/forgotten.ts';
import type { MessageRow } from '../../ledger/runs/messages.ts';
import type { Table } from '../../ledger/table.ts';
import { readUnsubscribed } from '../../ledger/addresses/unsubscriptions.ts';

/** Those of a report's messages whose address gets no mail, by the message's id, with the reason. */
export async function readOptOuts(
  table: Table,
  report: { name: string },
  rows: ReadonlyArray<Pick<MessageRow, 'id' | 'to'>>,
): Promise<ReadonlyMap<string, 'suppressed' | 'unsubscribed'>> {
  const addresses = rows.map(({ to }) => to);
  const [suppressed, unsubscribed, forgotten] = await Promise.all([
    readSuppressed(table, addresses),
    readUnsubscribed(table, report, addresses),
    readForgotten(table, addresses),
  ]);
  const optOuts = new Map<string, 'suppressed' | 'unsubscribed'>();
  for (const { id, to } of rows) {
    const facts = forgotten.get(to.toLowerCase());
    // An address that is both counts as unsubscribed: that was the subscriber's own decision.
    if (unsubscribed.has(addressKey(to)) || facts?.unsubscribed.includes(report.name)) optOuts.set(id, 'unsubscribed');
    else if (suppressed.has(addressKey(to)) || facts?.suppressed !== undefined) optOuts.set(id, 'suppressed');
  }
  return optOuts;
}
