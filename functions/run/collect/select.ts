import type { ReportConfiguration } from '../../domain/configuration/configuration.ts';
import {
  putBatches,
  type Batches,
  type ListedDelivery,
  type WritableCollection,
  type Work,
} from '../../ledger/runs/collections.ts';
import type { Table } from '../../ledger/table.ts';
import { createdAtOf, includeDeliveries, type DigestBounds } from '../inclusion.ts';
import type { Collected } from './collected.ts';

/** The most items of a batch, by its phase. */
const largest = { recipients: 1_000, broadcasts: 1_000, contents: 2_500 } as const;

/**
 * Stores the broadcasts that have to be known before the recipients: of deliveries that are new to the ledger, because engagement
 * long before the broadcast's creation comes from a wrong clock; and of those whose name the list does not say.
 */
export async function selectNewBroadcasts(
  table: Table,
  key: WritableCollection,
  collected: Collected,
  { broadcastName }: Pick<ReportConfiguration, 'broadcastName'>,
): Promise<Batches> {
  const { wanted, others, history } = collected;
  const isNew = ({ id }: ListedDelivery): boolean => history?.deliveries.get(id)?.createdAt === undefined;
  const mayBeOther = ({ broadcast }: ListedDelivery): boolean => broadcastName !== undefined && broadcast.name === null;
  const asked = [...wanted.filter((each) => isNew(each) || mayBeOther(each)), ...others.filter(mayBeOther)];
  return await putBroadcasts(
    table,
    key,
    asked.map(({ broadcast }) => broadcast.id),
    0,
  );
}

/** Stores the deliveries whose recipients are asked for. */
export async function selectRecipients(table: Table, key: WritableCollection, collected: Collected): Promise<Batches> {
  const work = collected.wanted.map((delivery) => ({ delivery, createdAt: createdAtOf(delivery, collected) }));
  return await putBatches(table, key, { phase: 'recipients', work, largest: largest.recipients });
}

/** Stores the broadcasts of the included deliveries, but for those that were asked for, from batch number `from` on. */
export async function selectBroadcasts(
  table: Table,
  key: WritableCollection,
  collected: Collected,
  bounds: DigestBounds,
  from: number,
): Promise<Batches> {
  const ids = includeDeliveries(collected, bounds).map(({ found }) => found.delivery.broadcast.id);
  return await putBroadcasts(
    table,
    key,
    ids.filter((id) => !collected.broadcasts.has(id)),
    from,
  );
}

/** Stores the content items of the included deliveries. */
export async function selectContents(
  table: Table,
  key: WritableCollection,
  collected: Collected,
  bounds: DigestBounds,
): Promise<Batches> {
  const work = includeDeliveries(collected, bounds).flatMap(({ found: { delivery } }): Work<'contents'>[] => {
    const detail = collected.broadcasts.get(delivery.broadcast.id)?.broadcast;
    const createdAt = createdAtOf(delivery, collected);
    return (detail?.contents ?? []).map((content) => ({ delivery: delivery.id, content, createdAt }));
  });
  return await putBatches(table, key, { phase: 'contents', work, largest: largest.contents });
}

/** Each once, however many deliveries it has. The broadcast of a delivery that came without its id cannot be asked for. */
async function putBroadcasts(
  table: Table,
  key: WritableCollection,
  ids: readonly string[],
  from: number,
): Promise<Batches> {
  const work = [...new Set(ids)].filter((id) => id !== '');
  return await putBatches(table, key, { phase: 'broadcasts', work, largest: largest.broadcasts, from });
}
