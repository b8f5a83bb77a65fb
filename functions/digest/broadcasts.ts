import { type ContentFacts, type ListFacts } from '../domain/facts.ts';
import { instantText } from '../domain/period.ts';
import {
  asksForResponse,
  broadcastOf,
  engagedBetween,
  engagedBy,
  reachedBy,
  reasonOf,
  whyUnavailable,
  type Account,
  type Bounds,
  type Delivery,
} from './account.ts';
import type { Standing } from './groups.ts';
import type { DigestBroadcast, DigestContent, DigestDelivery } from './schema.ts';

/** What a row is composed of beside its facts. */
export interface RowContext extends Bounds {
  account: Account;
  /** Whether authors may be named. */
  authors: 'named' | 'unnamed';
  /** When a delivery is of age; epoch milliseconds. */
  ofAgeMs: (delivery: Delivery) => number;
}

/** The row of a broadcast where it stands in the digest. */
export function composeBroadcast(
  { deliveries }: Standing,
  place: Pick<DigestBroadcast, 'group' | 'line'>,
  context: RowContext,
): DigestBroadcast {
  const { endMs, timeZone, account, authors, ofAgeMs } = context;
  const { id, name, createdMs, createdBy } = broadcastOf(deliveries);
  const rows = deliveries.map((delivery) => composeDelivery(delivery, context));
  return {
    id,
    name,
    createdAt: createdMs === null ? null : instantText(createdMs, timeZone),
    createdBy: authors === 'named' ? createdBy : null,
    ...place,
    asks: asksForResponse(deliveries, account),
    stillCounting: deliveries.some((delivery) => !delivery.isLater && ofAgeMs(delivery) > endMs),
    deliveries: rows.toSorted((a, b) => (b.inPeriod.seen ?? 0) - (a.inPeriod.seen ?? 0) || (a.id < b.id ? -1 : 1)),
  };
}

function composeDelivery(delivery: Delivery, context: RowContext): DigestDelivery {
  const { account, startMs, endMs, timeZone } = context;
  const { facts, id, list, isLater } = delivery;
  const signMs = facts.firstSign?.atMs ?? null;
  const unavailable = whyUnavailable(delivery, account, endMs);
  const known = unavailable === null ? list : null;
  const inPeriod = engagedBetween({ list: known }, startMs, endMs);
  return {
    id,
    status: facts.status,
    firstSign: signMs === null || signMs >= endMs ? null : instantText(signMs, timeZone),
    isLater,
    listed: known?.listed ?? null,
    audience: known === null ? null : delivery.audience,
    ...engagedBetween({ list: known }, -Infinity, endMs),
    inPeriod: { seen: inPeriod.seen, responded: inPeriod.responded },
    contents: facts.broadcast.contents?.map((content) => composeContent(content, delivery, context)) ?? null,
    ...(unavailable === null ? {} : { unavailable }),
  };
}

function composeContent(
  { id, type }: { id: string; type: string },
  { facts, list: ofDelivery }: Delivery,
  { account, endMs, timeZone }: RowContext,
): DigestContent {
  const item: ContentFacts = facts.contents.find((content) => content.id === id) ?? { id, list: null };
  const none = { id, type, listed: null, audience: null, seen: null, responded: null, answered: null };
  if (item.list === null || (item.unread !== undefined && item.list.readMs < endMs)) {
    // Of what nobody engaged with the items are not asked for.
    if (ofDelivery !== null && reachedBy(ofDelivery, endMs) === 0) {
      return { ...none, seen: 0, responded: 0, answered: 0 };
    }
    return { ...none, unavailable: reasonOf(item.unread) };
  }
  const { list } = item;
  const counted = engagedBetween({ list }, -Infinity, endMs);
  return {
    id,
    type,
    listed: list.listed,
    audience: account.itemAudience(list),
    ...(holdsOnlyResponses(list, ofDelivery) ? { ...counted, seen: null, answered: null } : counted),
    ...(saysNothing(list) ? { seen: null, responded: null, answered: null } : {}),
    ...ratingsOf(item),
    ...(list.readMs < endMs ? { asOf: instantText(list.readMs, timeZone) } : {}),
  };
}

/** No row has a field for one of the two dates: what people did is told in fields that nobody knows. */
function saysNothing({ listed, lacking }: ListFacts): boolean {
  return listed > 0 && lacking?.neither === listed;
}

/** Such a list, where it is shorter than its delivery's own, says nothing of who saw it. */
function holdsOnlyResponses(list: ListFacts, ofDelivery: ListFacts | null): boolean {
  const { listed } = list;
  const { responded } = engagedBy(list, Infinity);
  return listed > 0 && responded >= listed && ofDelivery !== null && listed < ofDelivery.listed;
}

function ratingsOf({ list, ratingsUnavailable }: ContentFacts): Pick<DigestContent, 'ratings'> {
  if (ratingsUnavailable !== undefined) return { ratings: null };
  if (list?.ratings === undefined) return {};
  const entries = Object.entries(list.ratings).toSorted(([a], [b]) => Number(a) - Number(b));
  const count = entries.reduce((sum, [, times]) => sum + times, 0);
  const mean = entries.reduce((sum, [rating, times]) => sum + Number(rating) * times, 0) / count;
  const histogram = Object.fromEntries(entries);
  return {
    ratings: { count, mean: Number.isFinite(mean) ? mean : null, histogram, unreadable: list.unreadableRatings ?? 0 },
  };
}
