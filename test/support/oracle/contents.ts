import { isAskable, recipientOf, type AccountDelivery, type FilterAnswer } from '../accounts/account.ts';
import { isGiven } from '../accounts/dates.ts';
import { ratedWith } from '../accounts/serve.ts';
import type { KnownBroadcast } from './broadcasts.ts';
import type { Sources } from './deliveries.ts';
import { anyGap, gapOfStatus, missingKey, readList, unreadable, type Gap } from './lists.ts';
import { areUnreadable, countRows, type Counted, type Fields } from './rows.ts';

/** What can be known of a content item within a delivery. */
export interface KnownContent {
  id: string;
  type: string;
  counted: Counted | null;
  /** Somebody engaged in its list, whatever else the list lacks. */
  hasEngaged: boolean;
  /** Why `counted` is not known, or its views are not. */
  gaps: Gap[];
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

/** The content items of a delivery whose own list has so many rows. */
export function readContents(
  delivery: AccountDelivery,
  {
    items,
    createdAt,
    listed,
    fields,
  }: Pick<KnownBroadcast, 'items' | 'createdAt'> & { listed: number; fields: Fields },
  { account, bounds, unanswered }: Sources,
): KnownContent[] | null {
  if (items === null) return null;
  return items.map(({ id, type }, place): KnownContent => {
    const { rows, broken, cut } = readList(delivery.contents[place] ?? { status: 418 });
    const isAsked = isAskable(id) && isAskable(delivery.id);
    const gap = unanswered.get(missingKey('content', delivery.id.text, id.text)) ?? broken ?? cut;
    const counted = countRows(rows, bounds, createdAt);
    const lacking = isAsked ? (gap ?? (areUnreadable(counted.rows, fields) ? unreadable : null)) : anyGap;
    const hasEngaged = isAsked && gap === null && counted.engaged > 0;
    const item = { id: id.text, type, hasEngaged, ratings: null, ratingsGap: null };
    if (lacking !== null) return { ...item, counted: null, gaps: [lacking] };
    const lost = unanswered.get(missingKey('ratings', delivery.id.text, id.text));
    const rated = lost === undefined ? readRatings(type, rows, counted, account.ratingFilter) : { ratingsGap: lost };
    return { ...item, counted: withViews(counted, listed), gaps: [], ...rated };
  });
}

/** A list of people who responded, fewer than the delivery's own list has, says nothing of who saw it. */
function withViews(counted: Counted, listed: number): Counted {
  const holdsResponders = counted.listed > 0 && counted.responded === counted.listed;
  return holdsResponders && counted.listed < listed
    ? { ...counted, seen: null, answered: null, inPeriod: null }
    : counted;
}

/** Whether "rating" or "ratings" is one of the words of a type. */
function isRating(type: string): boolean {
  const words = type.replaceAll(/([a-z])([A-Z])/g, '$1 $2').split(/[-_ ]/);
  return words.some((word) => /^ratings?$/i.test(word));
}

/** The ratings in the rows of those who responded, else those that the filter separates. */
function readRatings(
  type: string,
  given: readonly unknown[],
  { rows, responded }: Counted,
  filter: FilterAnswer,
): Partial<Pick<KnownContent, 'ratings' | 'ratingsGap'>> {
  if (!isRating(type) || responded === 0) return {};
  const set = given.flatMap((row, place) => (rows[place]?.hasResponded ? [recipientOf(row)['rating']] : []));
  const texts = set.filter(isGiven).flatMap(ratingText);
  if (new Set(texts).size > mostRatings) return { ratingsGap: unreadable };
  const lost = set.filter(isGiven).length - texts.length;
  if (texts.length > 0) return { ratings: summarize(texts, lost) };
  if (lost > 0) return { ratingsGap: unreadable };
  if (filter === 'off') return {};
  if (filter === 'forbidden') return { ratingsGap: gapOfStatus(403) };
  if (filter === 'refused' || filter === 'ignored') return { ratingsGap: anyGap };
  const counted = ['1', '2', '3', '4', '5'].flatMap((rating) => ratedWith(rating, given, filter).map(() => rating));
  const addsUp = counted.length >= responded && counted.length <= responded + Math.ceil(responded / 50);
  return addsUp ? { ratings: summarize(counted, 0) } : { ratingsGap: unreadable };
}

function ratingText(value: unknown): string[] {
  if (typeof value === 'number') return [String(value)];
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? [String(Number(value))] : [];
}

function summarize(texts: readonly string[], lost: number): KnownRatings {
  const histogram = new Map<string, number>();
  for (const text of texts) histogram.set(text, (histogram.get(text) ?? 0) + 1);
  const mean = texts.reduce((sum, text) => sum + Number(text), 0) / texts.length;
  return { count: texts.length, mean, histogram, unreadable: lost };
}
