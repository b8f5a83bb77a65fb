import { putBatches, type CollectionKey, type Work } from '../../ledger/runs/collections.ts';
import type { Table } from '../../ledger/table.ts';
import { shownDelivery, type Collected } from './collected.ts';
import { includeDelivery, needsBroadcast, type Calendar } from '../compose/inclusion.ts';

const broadcastsInBatch = 1_000;
const contentsInBatch = 2_500;

/** What decides what a pass asks for, and how many workers share it. */
interface Selection {
  calendar: Calendar;
  workers: number;
}

/** Leaves the broadcasts to ask for in the ledger, each once however many deliveries it has. Returns the batches. */
export async function selectBroadcasts(
  table: Table,
  key: CollectionKey,
  collected: Collected,
  { calendar, workers }: Selection,
): Promise<number> {
  const ids = new Set(
    collected.recipients
      .filter((found) => needsBroadcast(found, shownDelivery(collected, found.delivery.id), calendar))
      .map(({ delivery }) => delivery.broadcast.id),
  );
  // A delivery that came without its broadcast's id leaves nothing to ask by.
  ids.delete('');
  return await putBatches(table, key, 'broadcasts', [...ids], { largest: broadcastsInBatch, workers });
}

/** Leaves the content items of the deliveries that the digest tells of in the ledger. Returns the batches. */
export async function selectContents(
  table: Table,
  key: CollectionKey,
  collected: Collected,
  { calendar, workers }: Selection,
): Promise<number> {
  const work = collected.recipients.flatMap((found): Work<'contents'>[] => {
    const { id, broadcast } = found.delivery;
    const detail = collected.broadcasts.get(broadcast.id)?.broadcast;
    if (detail === undefined) return [];
    const included = includeDelivery(found, detail.createdAt, shownDelivery(collected, id), calendar);
    return included === null ? [] : detail.contents.map((content) => ({ delivery: id, content }));
  });
  return await putBatches(table, key, 'contents', work, { largest: contentsInBatch, workers });
}
