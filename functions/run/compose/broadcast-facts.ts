import type { BroadcastFacts } from '../../domain/broadcasts/group.ts';
import { addCount, createCounts } from '../../domain/counts.ts';
import type { DigestDelivery } from '../../domain/digest.ts';
import { startOfDate } from '../../domain/period.ts';
import { namingsOf } from '../../ledger/runs/delivery-history.ts';
import { shownDelivery, type Collected } from '../collect/collected.ts';
import { earlier, type DigestBounds } from '../inclusion.ts';
import { firstSignOf } from './first-sign.ts';

/** What the collection and the history say of the broadcasts of a digest. */
export function broadcastFacts(
  collected: Collected,
  bounds: DigestBounds,
  informingTypes: readonly string[],
): BroadcastFacts {
  const listed = createCounts();
  for (const { delivery } of collected.recipients) addCount(listed, delivery.broadcast.id);
  return {
    informingTypes,
    listedDeliveries: (id) => listed[id] ?? 0,
    unseenSince: (id) => {
      const first = namingsOf(shownDelivery(collected, id)).find((startDate) => earlier(startDate, bounds));
      return first === undefined ? null : startOfDate(first, bounds.timeZone);
    },
  };
}

/** Ids of the deliveries that nobody has engaged with and that the digest does not include, without those of later broadcasts. */
export function findUnseenNotNamed(
  collected: Collected,
  deliveries: readonly DigestDelivery[],
  bounds: DigestBounds,
): string[] {
  const included = new Set(deliveries.map(({ id }) => id));
  return collected.recipients.flatMap((found) => {
    const { delivery, engagement } = found;
    if (engagement === undefined || engagement.seen + engagement.responded > 0 || included.has(delivery.id)) return [];
    return (firstSignOf(found, collected) ?? bounds.start) < bounds.end ? [delivery.id] : [];
  });
}
