import { putBatches, type WritableCollection, type Work } from '../../ledger/runs/collections.ts';
import type { Table } from '../../ledger/table.ts';
import { shownDelivery, type Collected } from './collected.ts';
import { includeDelivery, needsBroadcast, type DigestBounds } from '../inclusion.ts';

const broadcastsInBatch = 1_000;
const contentsInBatch = 2_500;

/**
 * Stores the broadcasts to ask for, each once however many deliveries it has; with `recount` also those that the figures of
 * the preceding period need. Returns the number of batches.
 */
export async function selectBroadcasts(
  table: Table,
  key: WritableCollection,
  collected: Collected,
  { bounds, recount }: { bounds: DigestBounds; recount: boolean },
): Promise<number> {
  const ids = new Set(
    collected.recipients
      .filter((found) => needsBroadcast(found, shownDelivery(collected, found.delivery.id), bounds, { recount }))
      .map(({ delivery }) => delivery.broadcast.id),
  );
  // The broadcast of a delivery that came without its id cannot be asked for.
  ids.delete('');
  return await putBatches(table, key, { phase: 'broadcasts', work: [...ids], largest: broadcastsInBatch });
}

/** Stores the content items to ask for, those of the included deliveries. Returns the number of batches. */
export async function selectContents(
  table: Table,
  key: WritableCollection,
  collected: Collected,
  bounds: DigestBounds,
): Promise<number> {
  const work = collected.recipients.flatMap((found): Work<'contents'>[] => {
    const { id, broadcast } = found.delivery;
    const detail = collected.broadcasts.get(broadcast.id)?.broadcast;
    if (detail === undefined) return [];
    const included = includeDelivery(found, detail.createdAt, shownDelivery(collected, id), bounds);
    return included === null ? [] : detail.contents.map((content) => ({ delivery: id, content }));
  });
  return await putBatches(table, key, { phase: 'contents', work, largest: contentsInBatch });
}
