import type { Digest, DigestBroadcast, DigestContent, DigestDelivery } from '../../../../functions/domain/digest.ts';
import { deliveriesOf, type Row, type World } from './arbitrary-world.ts';

/** Figures by what they are called here; `null` for what is not known. */
export type Figures = Readonly<Record<string, number | null>>;

/** What is known of a digest's broadcasts: added up of its deliveries and their items, with the rates of what may be shown. */
export interface Known {
  digest: Digest;
  /** What the trend calls its periods. */
  periods: readonly string[];
  broadcast: (entry: DigestBroadcast) => Figures;
  delivery: (id: string | undefined) => Figures;
  /** An item over the deliveries of an entry, by its place from 0; and in one delivery. */
  item: (entry: DigestBroadcast, place: number) => Figures;
  itemOf: (delivery: string, place: number) => Figures;
}

export function knownOf(digest: Digest, periods: readonly string[]): Known {
  const deliveries = new Map(digest.deliveries.map((delivery) => [delivery.id, delivery]));
  const countsOf = (id: string, place?: number): Figures => {
    const delivery = deliveries.get(id);
    return countsIn(place === undefined ? delivery : delivery?.contents?.[place]);
  };
  const asksOf = (id: string) => digest.broadcasts.find((entry) => entry.deliveries.includes(id))?.asks ?? null;
  const item: Known['item'] = (entry, place) => {
    const sums = addFigures(entry.deliveries.map((id) => countsOf(id, place)));
    const isRated = entry.contents?.[place]?.ratings != null;
    return withRates(isRated ? sums : { ...sums, ratings: null, total: null }, entry.asks);
  };
  return {
    digest,
    periods,
    broadcast: (entry) => {
      const { ratings = null, total = null } = entry.contents?.length === 1 ? item(entry, 0) : {};
      return withRates({ ...addFigures(entry.deliveries.map((id) => countsOf(id))), ratings, total }, entry.asks);
    },
    delivery: (id = '') => withRates(countsOf(id), asksOf(id)),
    item,
    itemOf: (id, place) => withRates(countsOf(id, place), asksOf(id)),
  };
}

const marks = [1, 2, 3, 4, 5];
const nothing = { listed: null, seen: null, responded: null, answered: null, inPeriod: null, ratings: null };

/** What a digest has of a delivery or an item. An item is for those on its list, where that has a reach. */
function countsIn(shown: DigestDelivery | DigestContent | undefined): Figures {
  const { listed, seen, responded, answered, inPeriod, ratings } = { ...nothing, ...shown };
  const people =
    shown !== undefined && 'audience' in shown
      ? { audience: shown.audience, engaged: shown.engaged }
      : { audience: shown?.reach == null ? null : listed, engaged: null };
  return {
    ...{ listed, seen, responded, answered, ...people },
    seenNow: inPeriod?.seen ?? null,
    respondedNow: inPeriod?.responded ?? null,
    answeredNow: inPeriod?.answered ?? null,
    ratings: ratings?.count ?? null,
    total: ratings?.mean == null ? null : ratings.count * ratings.mean,
    ...Object.fromEntries(marks.map((mark) => [`rated ${mark}`, ratings?.histogram[mark] ?? 0])),
  };
}

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
    answeredNow: count(({ seenAt, respondedAt }) => isIn(seenAt) && Date.parse(respondedAt ?? '') < end),
    ratings: ratings.length,
    total: ratings.reduce((sum, rating) => sum + rating, 0),
    ...Object.fromEntries(marks.map((mark) => [`rated ${mark}`, ratings.filter((rating) => rating === mark).length])),
  };
}

/** In what the digest of a world differs from its rows; `null` is what it has not. */
export function faultsOfDigest(world: World, digest: Digest): string[] {
  return deliveriesOf(world).flatMap(({ id, rows, items }) => {
    const delivery = digest.deliveries.find((each) => each.id === id);
    const lists = [
      [rows, delivery],
      ...items.map((list, place) => [list, delivery?.contents?.[place]] as const),
    ] as const;
    return lists.flatMap(([list, shown]) => {
      const counted = countRows(list ?? []);
      const isRight = (name: string, figure: number | null) =>
        figure === null || !(name in counted) || (list !== null && Math.abs(figure - (counted[name] ?? 0)) < 1e-6);
      return Object.entries(countsIn(shown?.listed === null ? undefined : shown))
        .filter(([name, figure]) => !isRight(name, figure) && figure !== 0)
        .map(([name, figure]) => `digest.json: ${name} of ${id} ${shown?.id} is ${figure}, not ${counted[name]}`);
    });
  });
}

const adding = 'listed seen responded answered engaged seenNow respondedNow answeredNow audience'.split(' ');
const ofRatings = ['ratings', 'total', ...marks.map((mark) => `rated ${mark}`)];

/** Figures added up: `null` where one is not known; of ratings, those that there are. */
export function addFigures(parts: readonly Figures[]): Figures {
  const sum = (name: string): number | null =>
    parts.reduce<number | null>(
      (total, { [name]: part = null }) => (total === null || part === null ? null : total + part),
      0,
    );
  const sumOfThose = (name: string): number => parts.reduce((total, { [name]: part }) => total + (part ?? 0), 0);
  const isRated = parts.some(({ ratings }) => ratings != null);
  return Object.fromEntries([
    ...adding.map((name) => [name, sum(name)] as const),
    ...ofRatings.map((name) => [name, isRated ? sumOfThose(name) : null] as const),
  ]);
}

/** Of fewer people only counts are shown. */
const minimumGroup = 10;

/**
 * What is shown of counts. What asks nothing has no rate, and a dash for the responses of nobody. Of few people there are counts
 * alone.
 */
export function withRates(counted: Figures, asks: boolean | null): Figures {
  const { seen = null, responded = null, answered = null, engaged = null, ratings = null, total = null } = counted;
  const audience = counted['audience'] || null;
  return {
    ...counted,
    ...(asks === false && responded === 0 ? { responded: null, respondedNow: null } : {}),
    audience,
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
