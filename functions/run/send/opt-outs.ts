import { addressKey, readSuppressed } from '../../ledger/addresses/addresses.ts';
import { readForgotten } from '../../ledger/addresses/forgotten.ts';
import type { MessageRow } from '../../ledger/runs/messages.ts';
import type { Table } from '../../ledger/table.ts';
import { readUnsubscribed } from '../../ledger/addresses/unsubscriptions.ts';
import { namesOf, type ReportNames } from '../../domain/report-names.ts';

/** Of some messages of a report, those whose address gets no mail, by their ids, and why. */
export async function readOptOuts(
  table: Table,
  report: ReportNames,
  rows: ReadonlyArray<Pick<MessageRow, 'id' | 'to'>>,
): Promise<ReadonlyMap<string, 'suppressed' | 'unsubscribed'>> {
  const addresses = rows.map(({ to }) => to);
  const [suppressed, unsubscribed, forgotten] = await Promise.all([
    readSuppressed(table, addresses),
    readUnsubscribed(table, report, addresses),
    readForgotten(table, addresses),
  ]);
  const names = namesOf(report);
  const optOuts = new Map<string, 'suppressed' | 'unsubscribed'>();
  for (const { id, to } of rows) {
    const facts = forgotten.get(to.toLowerCase());
    // Who has left is told so, even where the address could get no mail either.
    if (unsubscribed.has(addressKey(to)) || facts?.unsubscribed.some((name) => names.includes(name)))
      optOuts.set(id, 'unsubscribed');
    else if (suppressed.has(addressKey(to)) || facts?.suppressed !== undefined) optOuts.set(id, 'suppressed');
  }
  return optOuts;
}
