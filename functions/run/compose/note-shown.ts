import type { DigestDelivery } from '../../domain/digest.ts';
import { historyKey, type DeliveryHistory } from '../../ledger/runs/delivery-history.ts';
import type { Gap } from './missing.ts';

/** What later digests have to know of this one; `leftOut` are the ids of what it does not name as it is too old. */
export function noteShown(
  {
    deliveries,
    leftOut,
    gaps,
  }: { deliveries: readonly DigestDelivery[]; leftOut: readonly string[]; gaps: readonly Gap[] },
  startDate: string,
): Map<string, DeliveryHistory> {
  const shown = new Map<string, DeliveryHistory>();
  for (const { id, kind, seen } of deliveries) {
    // What could not be read was not shown as anything; what only lacks its instants was.
    if (kind === null && seen === null) continue;
    shown.set(historyKey('delivery', id), {
      shownIn: startDate,
      ...(kind === 'silent' ? { namedIn: [startDate] } : { engagedIn: startDate }),
      ...(kind === 'new' ? { newIn: startDate } : {}),
    });
  }
  for (const id of leftOut) shown.set(historyKey('delivery', id), { leftOutIn: startDate });
  for (const { key, goneForGood } of gaps) {
    if (goneForGood) shown.set(key, { ...shown.get(key), goneIn: startDate });
  }
  return shown;
}
