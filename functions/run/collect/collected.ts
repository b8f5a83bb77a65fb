import type { ReportNames } from '../../domain/report-names.ts';
import {
  readDeliveryList,
  readFound,
  type CollectionKey,
  type DeliveryList,
  type Found,
} from '../../ledger/runs/collections.ts';
import { historyKey, readDeliveryHistory, type DeliveryHistory } from '../../ledger/runs/delivery-history.ts';
import type { Table } from '../../ledger/table.ts';
import { judgeContentLists } from './unseen-audience.ts';

/** All that a collection found, and what earlier digests said of the same things. */
export interface Collected {
  list: DeliveryList;
  recipients: ReadonlyArray<Found<'recipients'>>;
  broadcasts: ReadonlyMap<string, Found<'broadcasts'>>;
  /** By delivery, then by content item. */
  contents: ReadonlyMap<string, ReadonlyMap<string, Found<'contents'>>>;
  /** How the report reads the recipient lists of content items. */
  contentRecipients: 'auto' | 'audience' | 'engaged';
  /** By `historyKey`. */
  shown: ReadonlyMap<string, DeliveryHistory>;
}

/** What earlier digests said of a delivery. */
export function shownDelivery(collected: Pick<Collected, 'shown'>, id: string): DeliveryHistory | undefined {
  return collected.shown.get(historyKey('delivery', id));
}

/** What a collection has found so far, with what earlier digests said of it. */
export async function readCollected(
  table: Table,
  report: ReportNames,
  key: CollectionKey,
  contentRecipients: Collected['contentRecipients'],
): Promise<Collected> {
  const recipients: Found<'recipients'>[] = [];
  for await (const found of readFound(table, key, 'recipients')) recipients.push(found);
  const broadcasts = new Map<string, Found<'broadcasts'>>();
  for await (const found of readFound(table, key, 'broadcasts')) broadcasts.set(found.id, found);
  const contents = await readContents(table, key, recipients);
  const shown = await readDeliveryHistory(table, report, [
    ...recipients.map(({ delivery }) => historyKey('delivery', delivery.id)),
    ...[...broadcasts.values()]
      .filter(({ unavailable }) => unavailable !== undefined)
      .map(({ id }) => historyKey('broadcast', id)),
    ...[...contents.values()].flatMap((ofDelivery) =>
      [...ofDelivery.values()]
        .filter(({ unavailable, ratingsUnavailable }) => unavailable !== undefined || ratingsUnavailable !== undefined)
        .map(({ delivery, content }) => historyKey('content', delivery, content)),
    ),
  ]);
  return { list: await readDeliveryList(table, key), recipients, broadcasts, contents, shown, contentRecipients };
}

/** What was found of content items, by delivery and then by item. */
async function readContents(
  table: Table,
  key: CollectionKey,
  recipients: ReadonlyArray<Found<'recipients'>>,
): Promise<Collected['contents']> {
  const found = new Map<string, Map<string, Found<'contents'>>>();
  for await (const content of readFound(table, key, 'contents')) {
    const ofDelivery = found.get(content.delivery) ?? new Map<string, Found<'contents'>>();
    found.set(content.delivery, ofDelivery.set(content.content, content));
  }
  const deliveries = new Map(recipients.map((each) => [each.delivery.id, each]));
  return new Map([...found].map(([id, contents]) => [id, judgeContentLists(deliveries.get(id), contents)]));
}
