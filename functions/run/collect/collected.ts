import type { DeliveryList, Found } from '../../ledger/runs/collections.ts';
import type { DeliveryHistory } from '../../ledger/runs/delivery-history.ts';
import { historyKey } from '../../ledger/runs/delivery-history.ts';

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
