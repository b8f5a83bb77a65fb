import type { DigestContent, DigestDelivery } from '../digest.ts';
import type { BroadcastContent } from './digest-broadcast.ts';
import { sumOf } from './sums.ts';

/**
 * The content items of one broadcast over some of its deliveries, in the author's order. `null` where one delivery's are not
 * known.
 */
export function mergeContents(deliveries: readonly DigestDelivery[]): BroadcastContent[] | null {
  const [first] = deliveries;
  if (first?.contents == null || deliveries.some(({ contents }) => contents === null)) return null;
  const byDelivery = deliveries.map(({ contents }) => new Map((contents ?? []).map((each) => [each.id, each])));
  return first.contents.map(({ id, type }) =>
    mergeContent(
      id,
      type,
      byDelivery.map((contents) => contents.get(id) ?? null),
    ),
  );
}

function mergeContent(id: string, type: string, items: ReadonlyArray<DigestContent | null>): BroadcastContent {
  const ratings = mergeRatings(items);
  const unavailable = items.find((item) => item?.unavailable !== undefined)?.unavailable;
  return {
    id,
    type,
    seen: sumOf(items.map((item) => item?.seen ?? null)),
    responded: sumOf(items.map((item) => item?.responded ?? null)),
    ...(ratings === undefined ? {} : { ratings }),
    ...(unavailable === undefined ? {} : { unavailable }),
  };
}

/** Ratings together. An item that nobody responded to has none; one with responses but without ratings lacks them. */
function mergeRatings(items: ReadonlyArray<DigestContent | null>): BroadcastContent['ratings'] {
  const rated = items.flatMap((item) => (item?.ratings === undefined ? [] : [item.ratings]));
  if (rated.length === 0) return undefined;
  if (items.some((item) => item?.ratings === undefined && item?.responded !== 0)) return null;
  const count = rated.reduce((sum, ratings) => sum + ratings.count, 0);
  const total = sumOf(rated.map((ratings) => (ratings.mean === null ? null : ratings.mean * ratings.count)));
  return { count, mean: total === null || count === 0 ? null : total / count };
}
