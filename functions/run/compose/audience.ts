import type { Configuration } from '../../domain/configuration/configuration.ts';
import { addCount, createCounts } from '../../domain/counts-by-word.ts';
import type { DigestDelivery } from '../../domain/digest.ts';
import type { Engagement } from '../../ledger/runs/collections.ts';
import type { Coverage } from '../../reporting-service/coverage.ts';
import type { Collected } from '../reading.ts';

/** Whether the deliveries' own lists hold everybody that a delivery was for, and of which types the content items' do. */
export interface Audience {
  deliveries: boolean;
  contents: ReadonlySet<string>;
}

/** The least share of rows of people who did neither in the lists of an audience, in percent. */
const leastUntouched = 5;
/** How much longer lists of content items are than the deliveries' own, where they are an audience, in percent. */
const leastLonger = 2;

/** A content item's list beside the list of its delivery. */
interface ItemList {
  type: string;
  item: Engagement;
  own: Engagement | undefined;
}

/**
 * Who is on the lists of either kind, decided once over all of them: one alone may be longer because somebody engaged while
 * the run was reading. The interface says of neither that people who did nothing are on it (sections 4.4 and 4.6), and of
 * those of content items that they differ by type: where most are an audience, those of one type may not be.
 *
 * @param known what another digest says of some deliveries: a warning reads few lists, and everybody on one may have seen it
 */
export function audienceIn(
  { recipients, broadcasts, contents }: Pick<Collected, 'recipients' | 'broadcasts' | 'contents'>,
  { deliveryRecipients, contentRecipients }: Configuration['service'],
  known: readonly DigestDelivery[] = [],
): Audience {
  const items = recipients.flatMap(({ delivery, engagement: own }): ItemList[] => {
    const contentsOf = broadcasts.get(delivery.broadcast.id)?.broadcast?.contents ?? [];
    return contentsOf.flatMap(({ id, type }) => {
      const item = contents.get(delivery.id)?.get(id)?.engagement;
      return item === undefined ? [] : [{ type, item, own }];
    });
  });
  const byType = [...Map.groupBy(items, ({ type }) => type)];
  const found = areAudiences(items) ? byType.filter(([, lists]) => areAudiences(lists)) : [];
  const read = { auto: found, audience: byType, engaged: [] }[contentRecipients];
  const own = recipients.flatMap(({ engagement }) => engagement ?? []);
  const knownItems = known.flatMap(({ contents }) => contents ?? []).filter(({ reach }) => reach !== null);
  return {
    deliveries:
      known.some(({ reach }) => reach !== null) ||
      (deliveryRecipients === 'auto' ? haveUntouched(own) : deliveryRecipients === 'audience'),
    contents: new Set([...read.map(([type]) => type), ...knownItems.map(({ type }) => type)]),
  };
}

/** Whether lists of content items are audiences: longer together than their deliveries' own, with people who did nothing. */
export function areAudiences(lists: ReadonlyArray<Pick<ItemList, 'item' | 'own'>>): boolean {
  const compared = lists.flatMap(({ item, own }) => (own === undefined ? [] : [{ item, own }]));
  const own = sum(compared, (each) => each.own.listed);
  const longer = 100 * sum(compared, ({ item }) => item.listed) > (100 + leastLonger) * own;
  return longer && haveUntouched(lists.map(({ item }) => item));
}

/** Whether lists have enough rows of people who did nothing to be audiences. */
export function haveUntouched(lists: readonly Engagement[]): boolean {
  const listed = sum(lists, (list) => list.listed);
  return listed > 0 && 100 * sum(lists, ({ untouched }) => untouched) >= leastUntouched * listed;
}

/** Who the lists were taken to hold, which only the whole of the answers decides; a list that nobody is on says nothing. */
export function readingsOf(audience: Audience, deliveries: readonly DigestDelivery[]): Coverage['readings'] {
  const readings = createCounts<Record<string, number>>();
  const read = (of: string, listed: number | null, isAudience: boolean): void => {
    if (listed === null || listed === 0) return;
    addCount((readings[of] ??= createCounts()), isAudience ? 'the audience' : 'those who engaged');
  };
  for (const { listed, contents } of deliveries) {
    read('delivery lists', listed, audience.deliveries);
    for (const item of contents ?? []) read('content lists', item.listed, audience.contents.has(item.type));
  }
  return readings;
}

function sum<T>(all: readonly T[], of: (one: T) => number): number {
  return all.reduce((total, one) => total + of(one), 0);
}
