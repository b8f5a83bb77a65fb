import { sumOf } from './figures.ts';
import {
  engagedBetween,
  isThere,
  isWithin,
  reachedBy,
  signBy,
  whyUnavailable,
  type Account,
  type Composing,
  type Delivery,
} from './deliveries.ts';
import type { DigestBroadcast, DigestDelivery } from './schema.ts';

/** A broadcast as it stands at an end: the deliveries that were there, and their first sign by then. */
export interface Standing {
  deliveries: readonly Delivery[];
  firstMs: number | null;
}

/** A broadcast as it stands at an end. Deliveries that were not there, or of which nothing can be known, are left out. */
export function standingAt(deliveries: readonly Delivery[], account: Account, endMs: number): Standing {
  const there = deliveries.filter(
    (delivery) =>
      isThere(delivery, endMs) && (delivery.list !== null || whyUnavailable(delivery, account, endMs) !== null),
  );
  const signs = there.flatMap((delivery) => signBy(delivery, endMs) ?? []);
  return { deliveries: there, firstMs: signs.length === 0 ? null : Math.min(...signs) };
}

/** Where the row of a broadcast stands in a digest. */
export type Shown = Pick<DigestBroadcast, 'group' | 'line'>;
/** Where a broadcast stands in a digest; `older` is one that nobody has seen for long. */
type Place = Shown | 'older' | null;

export function isShown(place: Place): place is Shown {
  return place !== null && place !== 'older';
}

/** Where a broadcast stands in a digest; `null` where it does not. */
export function placeOf(standing: Standing, composing: Composing): Place {
  const { deliveries, firstMs } = standing;
  const { startMs, endMs, undatedSince } = composing;
  if (firstMs === null) return placeOfUnseen(deliveries, composing);
  if (firstMs >= startMs) return { group: 'new', line: null };
  const line = lineOf(standing, composing);
  const isActive = deliveries.some((delivery) => {
    const { seen, responded } = engagedBetween(delivery, startMs, endMs);
    const undated = undatedSince(delivery);
    return (seen ?? 0) + (responded ?? 0) + undated.seen + undated.responded > 0;
  });
  // What is dated before the period, and was not known then, is in no other digest.
  const seen = deliveries.map((delivery) => engagedBetween(delivery, -Infinity, endMs).seen);
  const isKnownLate =
    line?.reason === 'first-known' || (line?.reason === 'still-counting' && line.before.seen !== sumOf(seen));
  return isActive || isKnownLate ? { group: 'earlier', line } : null;
}

function lineOf({ deliveries, firstMs }: Standing, { before, startMs, endMs }: Composing): DigestBroadcast['line'] {
  const ids = new Set(deliveries.map(({ id }) => id));
  const counting = before?.broadcasts.find(
    (row) => row.stillCounting && row.group !== 'unseen' && row.deliveries.some(({ id }) => ids.has(id)),
  );
  if (counting !== undefined) {
    const sum = (name: 'seen' | 'audience') => sumOf(counting.deliveries.map((row) => row[name]));
    return { reason: 'still-counting', before: { seen: sum('seen'), audience: sum('audience') } };
  }
  const isAgain = deliveries.some(({ isLater, beginMs }) => isLater && isWithin(beginMs, startMs, endMs));
  if (isAgain) return { reason: 'delivered-again' };
  // The digest before would have had it.
  const readMs = Math.min(...deliveries.map(({ facts }) => facts.firstSign?.readMs ?? Infinity));
  const wasToCome = before === null || (firstMs ?? Infinity) >= Date.parse(before.period.end);
  return wasToCome || readMs <= Date.parse(before.readAt) ? null : { reason: 'first-known' };
}

/** Nobody had engaged by the end with what was there: since it was listed, where that was observed before the end. */
function placeOfUnseen(deliveries: readonly Delivery[], { precedingStartMs, endMs, account }: Composing): Place {
  const isUnseen = (delivery: Delivery): boolean =>
    delivery.list !== null &&
    reachedBy(delivery.list, endMs) === 0 &&
    whyUnavailable(delivery, account, endMs) === null;
  if (!deliveries.every(isUnseen) || deliveries.every(({ audience }) => audience === 0)) return null;
  const since = deliveries.map(({ facts, wantedMs }) => {
    const isObserved = facts.unlistedMs !== null || wantedMs !== facts.firstListedMs;
    return isObserved && wantedMs !== null && wantedMs < endMs ? wantedMs : facts.broadcast.createdMs;
  });
  const sinceMs = Math.max(...since.map((atMs) => atMs ?? -Infinity));
  return sinceMs >= precedingStartMs ? { group: 'unseen', line: null } : 'older';
}

const order = ['new', 'unseen', 'earlier'];
const mostStillCounting = 5;
/** One in so many views or responses of the period makes an earlier broadcast a large one. */
const largePart = 5;

const isLarge = (part: number, whole: number): boolean => part > 0 && part * largePart >= whole;

/**
 * Rows in the order of the digest: by group, then by views and responses in the period, what nobody has seen by audience. Of the
 * earlier ones five that were still counting keep their line, and the large ones get one.
 */
export function inOrder(rows: readonly DigestBroadcast[]): DigestBroadcast[] {
  const measured = rows.map((row) => {
    const sum = (count: (delivery: DigestDelivery) => number | null): number =>
      row.deliveries.reduce((total, delivery) => total + (count(delivery) ?? 0), 0);
    const [seen, responded] = [sum(({ inPeriod }) => inPeriod.seen), sum(({ inPeriod }) => inPeriod.responded)];
    return { row, seen, responded, audience: sum(({ audience }) => audience) };
  });
  const sorted = measured.toSorted(
    (a, b) =>
      order.indexOf(a.row.group) - order.indexOf(b.row.group) ||
      b.seen - a.seen ||
      b.responded - a.responded ||
      b.audience - a.audience,
  );
  const total = (name: 'seen' | 'responded') => measured.reduce((sum, one) => sum + one[name], 0);
  const totals = { seen: total('seen'), responded: total('responded') };
  let counting = 0;
  return sorted.map(({ row, seen, responded }) => {
    const isOneTooMany = row.line?.reason === 'still-counting' && (counting += 1) > mostStillCounting;
    const isOfItself = isLarge(seen, totals.seen) || isLarge(responded, totals.responded);
    const line = isOneTooMany ? null : row.line;
    return Object.assign(row, row.group === 'earlier' && isOfItself ? { line: line ?? { reason: 'large' } } : { line });
  });
}
