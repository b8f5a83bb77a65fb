import type { Delivery, Row, World } from './arbitrary-world.ts';

/** Figures by what they are called here, counted from the rows; `null` for what nobody can know. */
export type Figures = Readonly<Record<string, number | null>>;

const marks = [1, 2, 3, 4, 5];
const [start, end] = [Date.parse('2026-11-09'), Date.parse('2026-11-16')];
const isIn = (instant: string | null) => instant !== null && Date.parse(instant) >= start && Date.parse(instant) < end;
const isBefore = (instant: string | null) => instant !== null && Date.parse(instant) < end;

/**
 * What rows say; nothing of a list that is not there. Ten responses without a view, or an item's list of some who responded and of
 * nobody else, do not say who saw it.
 */
export function countRows(rows: readonly Row[] | null | undefined, ofDelivery?: readonly Row[] | null): Figures {
  const counts = countAll(rows);
  const { listed = 0, seen = 0, responded = 0 } = counts;
  const areSomeWhoResponded = listed && responded === listed && ofDelivery && listed < ofDelivery.length;
  const saysViews = (seen !== 0 || (responded ?? 0) < 10) && !areSomeWhoResponded;
  return saysViews ? counts : { ...counts, ...noViews };
}

const noViews = Object.fromEntries(
  'seen answered engaged seenNow respondedNow answeredNow'.split(' ').map((name) => [name, null]),
);

function countAll(rows: readonly Row[] | null | undefined): Figures {
  const count = (matches: (row: Row) => boolean) => (rows == null ? null : rows.filter(matches).length);
  const ratings = (rows ?? []).flatMap(({ rating }) => rating ?? []);
  const total = ratings.reduce((sum, rating) => sum + rating, 0);
  return {
    listed: count(() => true),
    seen: count(({ seenAt }) => seenAt !== null),
    responded: count(({ respondedAt }) => respondedAt !== null),
    answered: count(({ seenAt, respondedAt }) => seenAt !== null && respondedAt !== null),
    engaged: count(({ seenAt, respondedAt }) => seenAt !== null || respondedAt !== null),
    seenNow: count(({ seenAt }) => isIn(seenAt)),
    respondedNow: count(({ respondedAt }) => isIn(respondedAt)),
    answeredNow: count(({ seenAt, respondedAt }) => isIn(seenAt) && isBefore(respondedAt)),
    ratings: ratings.length || null,
    total: ratings.length === 0 ? null : total,
    ...Object.fromEntries(marks.map((mark) => [`rated ${mark}`, ratings.filter((rating) => rating === mark).length])),
  };
}

const adding = 'listed seen responded answered engaged seenNow respondedNow answeredNow audience'.split(' ');
const ofRatings = ['ratings', 'total', ...marks.map((mark) => `rated ${mark}`)];

/** Figures added up: `null` where one is not known; of ratings, those that there are. */
export function addFigures(all: readonly Figures[]): Figures {
  const sum = (name: string): number | null =>
    all.reduce<number | null>((total, each) => (total === null || each[name] == null ? null : total + each[name]), 0);
  const sumOfThose = (name: string): number => all.reduce((total, each) => total + (each[name] ?? 0), 0);
  const isRated = all.some(({ ratings }) => ratings != null);
  return Object.fromEntries([
    ...adding.map((name) => [name, sum(name)] as const),
    ...ofRatings.map((name) => [name, isRated ? sumOfThose(name) : null] as const),
  ]);
}

/** Of fewer people only counts are shown. */
const minimumGroup = 10;

/** How many people a delivery is for, where some kind of its lists has all of them and those that are read agree. */
export function audienceOf({ rows, items }: Delivery, isAudience: World['isAudience']): number | null {
  if (rows === null) return null;
  if (isAudience.deliveries) return rows.length;
  const lengths = new Set(isAudience.items ? items.flatMap((list) => list?.length ?? []) : []);
  const [audience = null] = lengths;
  return lengths.size !== 1 || audience === null || audience < (countAll(rows)['engaged'] ?? 0) ? null : audience;
}

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
