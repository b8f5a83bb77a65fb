import type { Digest, DigestBroadcast, DigestContent, DigestDelivery } from '../../../../functions/domain/digest.ts';
import { deliveriesOf, type Row, type World } from './arbitrary-world.ts';

/** Figures by what they are called here; `null` for what is not known. */
export type Figures = Readonly<Record<string, number | null>>;

/** The figures of a digest's broadcasts, counted from the rows, with the rates of what may be shown. */
export interface Known {
  broadcast: (entry: DigestBroadcast) => Figures;
  delivery: (id: string) => Figures;
  /** An item over the deliveries of an entry, by its place from 0; and in one delivery. */
  item: (entry: DigestBroadcast, place: number) => Figures;
  itemOf: (delivery: string, place: number) => Figures;
}

export function knownOf(world: World, digest: Digest): Known {
  const rows = new Map(deliveriesOf(world).map((delivery) => [delivery.id, delivery]));
  const inDigest = new Map(digest.deliveries.map((delivery) => [delivery.id, delivery]));
  const countsOf = (id: string, place?: number): Figures => {
    const list = place === undefined ? rows.get(id)?.rows : rows.get(id)?.items[place];
    const delivery = inDigest.get(id);
    return without(countRows(list ?? []), place === undefined ? delivery : delivery?.contents?.[place]);
  };
  const asksOf = (id: string) => digest.broadcasts.find((entry) => entry.deliveries.includes(id))?.asks ?? null;
  return {
    broadcast: ({ deliveries, asks }) => withRates(addFigures(deliveries.map((id) => countsOf(id))), asks),
    delivery: (id) => withRates(countsOf(id), asksOf(id)),
    item: ({ deliveries, contents, asks }, place) => {
      const sums = addFigures(deliveries.map((id) => countsOf(id, place)));
      return withRates(contents?.[place]?.ratings == null ? { ...sums, ratings: null, total: null } : sums, asks);
    },
    itemOf: (id, place) => withRates(countsOf(id, place), asksOf(id)),
  };
}

const marks = [1, 2, 3, 4, 5];
const [start, end] = [Date.parse('2026-11-09'), Date.parse('2026-11-16')];
const isIn = (instant: string | null) => instant !== null && Date.parse(instant) >= start && Date.parse(instant) < end;

/** What the rows of a list say. */
function countRows(rows: readonly Row[]): Figures {
  const count = (matches: (row: Row) => boolean) => rows.filter(matches).length;
  const ratings = rows.flatMap(({ rating }) => rating ?? []);
  return {
    listed: rows.length,
    seen: count(({ seenAt }) => seenAt !== null),
    responded: count(({ respondedAt }) => respondedAt !== null),
    answered: count(({ seenAt, respondedAt }) => seenAt !== null && respondedAt !== null),
    engaged: count(({ seenAt, respondedAt }) => seenAt !== null || respondedAt !== null),
    seenNow: count(({ seenAt }) => isIn(seenAt)),
    respondedNow: count(({ respondedAt }) => isIn(respondedAt)),
    ratings: ratings.length,
    total: ratings.reduce((sum, rating) => sum + rating, 0),
    ...Object.fromEntries(marks.map((mark) => [`rated ${mark}`, ratings.filter((rating) => rating === mark).length])),
  };
}

/** Counts without those that a digest does not have, with whom it is for: an item for its list, where that has a reach. */
function without(counts: Figures, shown: DigestDelivery | DigestContent | undefined): Figures {
  if (shown === undefined || shown.listed === null) return {};
  const { listed = null } = counts;
  return {
    ...counts,
    audience: 'audience' in shown ? shown.audience : shown.reach === null ? null : listed,
    ...(shown.seen === null ? { seen: null, answered: null, engaged: null } : {}),
    ...(shown.inPeriod === null ? { seenNow: null, respondedNow: null } : {}),
    ...('ratings' in shown ? {} : { ratings: null, total: null }),
  };
}

const adding = 'listed seen responded answered engaged seenNow respondedNow audience'.split(' ');

/** Figures added up: `null` where one is not known; of ratings, those that there are. */
export function addFigures(parts: readonly Figures[]): Figures {
  const sum = (name: string): number | null =>
    parts.reduce<number | null>(
      (total, { [name]: part = null }) => (total === null || part === null ? null : total + part),
      0,
    );
  const sumOfThose = (name: string): number => parts.reduce((total, { [name]: part }) => total + (part ?? 0), 0);
  const ofRatings = ['ratings', 'total'].map((name) => [name, sumOfThose(name)] as const);
  return Object.fromEntries([...adding.map((name) => [name, sum(name)] as const), ...ofRatings]);
}

/** Of fewer people only counts are shown. */
const minimumGroup = 10;

/**
 * What is shown of counts. What asks nothing has no rate, and a dash for the responses of nobody. Of few people there are counts
 * alone.
 */
function withRates(counted: Figures, asks: boolean | null): Figures {
  const { seen = null, responded = null, answered = null, engaged = null, total = null } = counted;
  const [audience, ratings] = [counted['audience'] || null, counted['ratings'] || null];
  return {
    ...counted,
    ...(asks === false && responded === 0 ? { responded: null, respondedNow: null } : {}),
    audience,
    ratings,
    share: ratio(seen, audience),
    rate: asks === true ? ratio(answered, seen) : null,
    untouched: audience === null || engaged === null ? null : audience - engaged,
    mean: ratio(total, ratings),
    ...((ratings ?? 0) < minimumGroup ? Object.fromEntries(marks.map((mark) => [`rated ${mark}`, null])) : {}),
  };
}

export function ratio(part: number | null, whole: number | null): number | null {
  return part === null || whole === null || whole < minimumGroup ? null : part / whole;
}
