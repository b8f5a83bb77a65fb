import { countsAt, type ContentFacts, type ListFacts } from '../domain/facts.ts';
import { instantText } from '../domain/period.ts';
import {
  asksForResponse,
  isThere,
  reachedBy,
  reasonOf,
  saysViews,
  signBy,
  whyUnavailable,
  type Account,
  type Delivery,
} from './account.ts';
import { sumOf } from './figures.ts';
import type { Digest, DigestBroadcast, DigestContent, DigestDelivery } from './schema.ts';

/** The instants that a digest divides time by, in epoch milliseconds. */
export interface Bounds {
  precedingStartMs: number;
  startMs: number;
  endMs: number;
  timeZone: string;
}

/** A broadcast as it stands at an end: the deliveries that were there, and their first sign by then. */
export interface Standing {
  key: string;
  deliveries: readonly Delivery[];
  firstMs: number | null;
}

/** A broadcast as it stands at an end; `null` where it was not there. Deliveries of which nothing can be known are left out. */
export function standingAt(
  key: string,
  deliveries: readonly Delivery[],
  account: Account,
  endMs: number,
): Standing | null {
  const there = deliveries.filter(
    (delivery) =>
      isThere(delivery, endMs) && (delivery.list !== null || whyUnavailable(delivery, account, endMs) !== null),
  );
  const signs = there.flatMap((delivery) => signBy(delivery, endMs) ?? []);
  const firstMs = signs.length === 0 ? null : Math.min(...signs);
  return there.length === 0 ? null : { key, deliveries: there, firstMs };
}

/** Views and responses of a delivery dated in `[startMs, endMs)`, and how many did the second of both; `null` is not known. */
export function engagedBetween(
  { list }: Pick<Delivery, 'list'>,
  { startMs, endMs }: Pick<Bounds, 'startMs' | 'endMs'>,
) {
  if (list === null) return { seen: null, responded: null, answered: null };
  const [before, after] = [countsAt(list.moments, startMs), countsAt(list.moments, endMs)];
  const responded = after.responded - before.responded;
  if (!saysViews(list)) return { seen: null, responded, answered: null };
  return { seen: after.seen - before.seen, responded, answered: after.answered - before.answered };
}

/** What a row is composed of beside its facts. */
export interface RowContext extends Bounds {
  account: Account;
  before: Digest | null;
  /** Whether authors may be named. */
  namesAuthors: boolean;
  /** When a delivery is of age; epoch milliseconds. */
  ofAgeMs: (delivery: Delivery) => number;
  /** Rows without a readable date that came since the digest before. */
  undatedSince: (delivery: Delivery) => { seen: number; responded: number };
}

/** The row of a broadcast that is in the digest in a group. */
export function composeBroadcast(
  standing: Standing,
  group: DigestBroadcast['group'],
  context: RowContext,
): DigestBroadcast {
  const { endMs, timeZone, account, namesAuthors } = context;
  const { deliveries } = standing;
  const { id, name, createdMs, createdBy } = broadcastOf(deliveries);
  const rows = deliveries.map((delivery) => composeDelivery(delivery, context));
  return {
    id,
    name,
    createdAt: createdMs === null ? null : instantText(createdMs, timeZone),
    createdBy: namesAuthors ? createdBy : null,
    group,
    asks: asksForResponse(deliveries, account),
    stillCounting: deliveries.some((delivery) => !delivery.isLater && context.ofAgeMs(delivery) > endMs),
    line: group === 'earlier' ? lineOf(standing, context) : null,
    deliveries: rows.toSorted((a, b) => (b.inPeriod.seen ?? 0) - (a.inPeriod.seen ?? 0) || (a.id < b.id ? -1 : 1)),
  };
}

/** What is known of the broadcast of deliveries. */
export function broadcastOf(deliveries: readonly Delivery[]) {
  const known = deliveries.map(({ facts }) => facts.broadcast);
  const broadcast = known.find(({ contents }) => contents !== null) ?? known[0];
  if (broadcast === undefined) throw new TypeError('Expected at least one delivery.');
  return broadcast;
}

/** The group of a broadcast, or `older` for one that nobody has seen for long; `null` where it is not in the digest. */
export function groupOf(standing: Standing, context: RowContext): DigestBroadcast['group'] | 'older' | null {
  const { startMs, endMs, undatedSince, before } = context;
  const { deliveries, firstMs } = standing;
  if (firstMs === null) return groupOfUnseen(deliveries, context);
  if (firstMs >= startMs) return 'new';
  const isActive = deliveries.some((delivery) => {
    const { seen, responded } = engagedBetween(delivery, context);
    const undated = undatedSince(delivery);
    return (seen ?? 0) + (responded ?? 0) + undated.seen + undated.responded > 0;
  });
  // What is dated before the period, and was not known then, is in no other digest.
  const counted = countedBefore(standing, before);
  const now = sumOf(
    firstsOf(deliveries).map(({ list }) => engagedBetween({ list }, { startMs: -Infinity, endMs }).seen),
  );
  return isActive || isFirstKnown(standing, before) || (counted !== null && counted.seen !== now) ? 'earlier' : null;
}

const firstsOf = <Row extends { isLater: boolean }>(rows: readonly Row[]): Row[] =>
  rows.filter(({ isLater }) => !isLater);

/** What the digest before said of a broadcast that was still counting; `null` where it was not. */
function countedBefore({ deliveries }: Standing, before: Digest | null) {
  const ids = new Set(deliveries.map(({ id }) => id));
  const row = before?.broadcasts.find(
    ({ stillCounting, deliveries: rows }) => stillCounting && rows.some(({ id }) => ids.has(id)),
  );
  if (row === undefined || row.group === 'unseen') return null;
  const sum = (name: 'seen' | 'audience') => sumOf(firstsOf(row.deliveries).map((delivery) => delivery[name]));
  return { seen: sum('seen'), audience: sum('audience') };
}

function isFirstKnown({ deliveries }: Standing, before: Digest | null): boolean {
  const readMs = Math.min(...deliveries.map(({ facts }) => facts.firstSign?.readMs ?? Infinity));
  return before !== null && readMs > Date.parse(before.readAt);
}

/** Nobody had engaged by the end with what was there. Where the listing was observed, it has to lie before the end. */
function groupOfUnseen(
  deliveries: readonly Delivery[],
  { precedingStartMs, endMs, account }: RowContext,
): 'unseen' | 'older' | null {
  const isUnseen = (delivery: Delivery): boolean =>
    delivery.list !== null &&
    reachedBy(delivery.list, endMs) === 0 &&
    whyUnavailable(delivery, account, endMs) === null;
  if (!deliveries.every(isUnseen) || deliveries.every(({ audience }) => audience === 0)) return null;
  const since = deliveries.map(({ facts, wantedMs }) =>
    facts.unlistedMs === null && wantedMs === facts.firstListedMs ? facts.broadcast.createdMs : wantedMs,
  );
  const sinceMs = Math.max(...since.map((atMs) => atMs ?? -Infinity));
  if (sinceMs >= endMs) return null;
  return sinceMs >= precedingStartMs ? 'unseen' : 'older';
}

function lineOf(standing: Standing, { before, startMs, endMs }: RowContext): DigestBroadcast['line'] {
  const counted = countedBefore(standing, before);
  if (counted !== null) return { reason: 'still-counting', before: counted };
  const isAgain = standing.deliveries.some(
    ({ isLater, beginMs }) => isLater && beginMs !== null && beginMs >= startMs && beginMs < endMs,
  );
  if (isAgain) return { reason: 'delivered-again' };
  return isFirstKnown(standing, before) ? { reason: 'first-known' } : null;
}

function composeDelivery(delivery: Delivery, context: RowContext): DigestDelivery {
  const { account, endMs, timeZone } = context;
  const { facts, id, list, signMs, isLater } = delivery;
  const unavailable = whyUnavailable(delivery, account, endMs);
  const known = unavailable === null ? list : null;
  const inPeriod = engagedBetween({ list: known }, context);
  return {
    id,
    status: facts.status,
    firstSign: signMs === null || signMs >= endMs ? null : instantText(signMs, timeZone),
    isLater,
    listed: known?.listed ?? null,
    audience: known === null ? null : delivery.audience,
    ...engagedBetween({ list: known }, { startMs: -Infinity, endMs }),
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
    if (ofDelivery !== null && item.unread === undefined && reachedBy(ofDelivery, endMs) === 0) {
      return { ...none, seen: 0, responded: 0, answered: 0 };
    }
    return { ...none, unavailable: reasonOf(item.unread ?? { reason: 'incomplete' }) };
  }
  const { list } = item;
  const counted = engagedBetween({ list }, { startMs: -Infinity, endMs });
  return {
    id,
    type,
    listed: list.listed,
    audience: account.itemAudience(list),
    ...(holdsOnlyResponses(list, ofDelivery) ? { ...counted, seen: null, answered: null } : counted),
    ...ratingsOf(item),
    ...(list.readMs < endMs ? { asOf: instantText(list.readMs, timeZone) } : {}),
  };
}

/** Such a list, where it is shorter than its delivery's own, says nothing of who saw it. */
function holdsOnlyResponses({ listed, moments, undated }: ListFacts, ofDelivery: ListFacts | null): boolean {
  const responded = countsAt(moments, Infinity).responded + undated.responded;
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

const order = ['new', 'unseen', 'earlier'];
const mostStillCounting = 5;

/**
 * Rows in the order of the mail: by group, then by views and responses in the period, what nobody has seen by audience. Of the
 * earlier ones five that were still counting keep their line, and those with a fifth of the period's views or responses get one.
 */
export function inOrder(rows: readonly DigestBroadcast[]): DigestBroadcast[] {
  const sum = ({ deliveries }: DigestBroadcast, name: 'seen' | 'responded') =>
    deliveries.reduce((total, { inPeriod }) => total + (inPeriod[name] ?? 0), 0);
  const audience = ({ deliveries }: DigestBroadcast) =>
    deliveries.reduce((total, row) => total + (row.audience ?? 0), 0);
  const sorted = rows.toSorted(
    (a, b) =>
      order.indexOf(a.group) - order.indexOf(b.group) ||
      sum(b, 'seen') - sum(a, 'seen') ||
      sum(b, 'responded') - sum(a, 'responded') ||
      audience(b) - audience(a) ||
      (a.id < b.id ? -1 : 1),
  );
  const totals = { seen: 0, responded: 0 };
  for (const row of rows) for (const name of ['seen', 'responded'] as const) totals[name] += sum(row, name);
  const isLarge = (row: DigestBroadcast): boolean =>
    (['seen', 'responded'] as const).some((name) => sum(row, name) > 0 && sum(row, name) * 5 >= totals[name]);
  const counting = sorted.filter(({ line }) => line?.reason === 'still-counting').slice(0, mostStillCounting);
  return sorted.map((row) => {
    const line = row.line?.reason === 'still-counting' && !counting.includes(row) ? null : row.line;
    return { ...row, line: row.group === 'earlier' && line === null && isLarge(row) ? { reason: 'large' } : line };
  });
}
