import type { AccountDelivery, FilterAnswer } from '../accounts/account.ts';
import { isAskable } from '../accounts/account.ts';
import { countRows, gapOfStatus, missingKey, readList, recipientOf, type Counted, type Gap } from './lists.ts';
import type { KnownBroadcast } from './broadcasts.ts';
import type { Sources } from './known.ts';
import { isGiven, isSet } from '../accounts/dates.ts';
import { filterOf, ratedWith } from '../accounts/serve.ts';

/** What can be known of a content item within a delivery. */
export interface KnownContent {
  id: string;
  type: string;
  counted: Counted | null;
  /** Why `counted` is not known. */
  gap: Gap | null;
  ratings: KnownRatings | null;
  ratingsGap: Gap | null;
}

interface KnownRatings {
  count: number;
  mean: number;
  /** By the rating as decimal text. */
  histogram: Map<string, number>;
  unreadable: number;
}

const mostRatings = 1_000;
const unreadable: Gap = { reason: 'unreadable' };

/** The content items of a delivery. */
export function readContents(
  delivery: AccountDelivery,
  { items, createdAt }: Pick<KnownBroadcast, 'items' | 'createdAt'>,
  { account, bounds, unanswered }: Omit<Sources, 'earlier'>,
): KnownContent[] | null {
  if (items === null) return null;
  const lists = items.map(({ id }, place) => {
    const content = delivery.contents[place];
    if (!isAskable(id) || !isAskable(delivery.id)) return { rows: [], gap: { reason: 'any' } };
    if (content === undefined) return { rows: [], gap: gapOfStatus(418) };
    const { rows, broken, cut } = readList(content.list);
    return { rows, gap: unanswered.get(missingKey('content', delivery.id.text, id.text)) ?? broken ?? cut };
  });
  const counted = lists.map(({ rows, gap }) => (gap === null ? countRows(rows, bounds, createdAt) : null));
  return items.map(({ id, type }, place) => {
    const { rows = [], gap = null } = lists[place] ?? {};
    const count = counted[place] ?? null;
    const isMute = count !== null && count.listed > 0 && !count.hasFields;
    if (count === null || isMute) {
      return { id: id.text, type, counted: null, gap: gap ?? unreadable, ratings: null, ratingsGap: null };
    }
    const filter = account.ratingFilter && isRating(type) ? filterOf(type, delivery.contents[place]) : 'refused';
    const lost = unanswered.get(missingKey('ratings', delivery.id.text, id.text));
    const rated = lost === undefined ? readRatings(rows, filter) : { ratings: null, ratingsGap: lost };
    return { id: id.text, type, counted: count, gap: null, ...rated };
  });
}

/** Whether "rating" is one of the words of a type. */
function isRating(type: string): boolean {
  const words = type.replaceAll(/([a-z])([A-Z])/g, '$1 $2').split(/[-_ ]/);
  return words.some((word) => word.toLowerCase() === 'rating');
}

/** The ratings in the rows, else those that the filter separates. */
function readRatings(rows: readonly unknown[], filter: FilterAnswer): Pick<KnownContent, 'ratings' | 'ratingsGap'> {
  const set = rows.map((row) => recipientOf(row)['rating']).filter(isGiven);
  const texts = set.flatMap(ratingText);
  if (new Set(texts).size > mostRatings) return { ratings: null, ratingsGap: unreadable };
  if (texts.length > 0) return { ratings: summarize(texts, set.length - texts.length), ratingsGap: null };
  if (set.length > 0) return { ratings: null, ratingsGap: unreadable };
  const responded = rows.filter((row) => isSet(recipientOf(row)['respondedAt'])).length;
  if (responded === 0 || filter === 'refused' || filter === 'ignored') return { ratings: null, ratingsGap: null };
  if (filter === 'forbidden') return { ratings: null, ratingsGap: gapOfStatus(403) };
  const given = ['1', '2', '3', '4', '5'].flatMap((rating) => ratedWith(rating, rows, filter).map(() => rating));
  const addsUp = given.length >= responded && given.length <= responded + Math.ceil(responded / 50);
  return addsUp ? { ratings: summarize(given, 0), ratingsGap: null } : { ratings: null, ratingsGap: unreadable };
}

function ratingText(value: unknown): string[] {
  if (typeof value === 'number') return [String(value)];
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? [String(Number(value))] : [];
}

function summarize(texts: readonly string[], unreadableOnes: number): KnownRatings {
  const histogram = new Map<string, number>();
  for (const text of texts) histogram.set(text, (histogram.get(text) ?? 0) + 1);
  const mean = texts.reduce((sum, text) => sum + Number(text), 0) / texts.length;
  return { count: texts.length, mean, histogram, unreadable: unreadableOnes };
}
