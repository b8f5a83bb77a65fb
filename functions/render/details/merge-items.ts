import { sumOf, sumOfEngaged } from '../../domain/broadcasts/sums.ts';
import { addCount, createCounts } from '../../domain/counts.ts';
import type { DigestContent, DigestDelivery, Ratings } from '../../domain/digest.ts';
import type { Counted } from './detail-row.ts';

/** What the deliveries of a broadcast say of one content item together, beside what the broadcast has of it. */
export interface MergedItem extends Pick<Counted, 'answered' | 'inPeriod' | 'audience'> {
  histogram: Ratings['histogram'];
  /** Median seconds from seen to responded; `null` for several deliveries, whose medians say nothing of all. */
  medianResponseSeconds: number | null;
}

/** The content items of some deliveries of one broadcast, by their ids. A sum is `null` where one delivery lacks the figure. */
export function mergeItems(deliveries: readonly DigestDelivery[]): ReadonlyMap<string, MergedItem> {
  const byId = new Map<string, DigestContent[]>();
  for (const item of deliveries.flatMap(({ contents }) => contents ?? [])) {
    const same = byId.get(item.id);
    if (same === undefined) byId.set(item.id, [item]);
    else same.push(item);
  }
  return new Map([...byId].map(([id, items]) => [id, mergeItem(items)]));
}

function mergeItem(items: readonly DigestContent[]): MergedItem {
  const [first] = items;
  return {
    answered: sumOf(items.map(({ answered }) => answered)),
    inPeriod: sumOfEngaged(items.map(({ inPeriod }) => inPeriod)),
    // A list that is not the audience has no reach.
    audience: sumOf(items.map(({ reach, listed }) => (reach === null ? null : listed))),
    histogram: sumOfHistograms(items),
    medianResponseSeconds: items.length === 1 && first !== undefined ? first.medianResponseSeconds : null,
  };
}

function sumOfHistograms(items: readonly DigestContent[]): Ratings['histogram'] {
  const sum = createCounts();
  for (const { ratings } of items) {
    for (const [rating, count] of Object.entries(ratings?.histogram ?? {})) addCount(sum, rating, count);
  }
  return sum;
}
