import type { AccountDelivery, FilterAnswer, RecipientRow } from '../accounts/account.ts';
import { ratedWith } from '../accounts/serve.ts';
import type { KnownBroadcast } from './broadcasts.ts';
import { isSet } from './dates.ts';
import type { Sources } from './deliveries.ts';
import { gapOfStatus, missingKey, readList, unreadable, type Gap } from './lists.ts';
import { areUnreadable, countRows, type Counted, type Fields } from './rows.ts';

/** What can be known of a content item within a delivery. */
export interface KnownContent {
  id: string;
  type: string;
  counted: Counted | null;
  /** Somebody engaged in its list, whatever else the list lacks. */
  hasEngaged: boolean;
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

/** The content items of a delivery whose own list has so many rows, in a run whose lists have these fields. */
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
    const list = readList(delivery.contents[place]);
    const counted = countRows(list.rows, bounds, createdAt);
    const unheard = unanswered.get(missingKey('content', delivery.id, id)) ?? list.gap;
    const gap = unheard ?? (areUnreadable(counted.rows, fields) ? unreadable : null);
    const hasEngaged = unheard === null && counted.engaged > 0;
    const item = { id, type, hasEngaged, gap, ratings: null, ratingsGap: null };
    if (gap !== null) return { ...item, counted: null };
    const lost = unanswered.get(missingKey('ratings', delivery.id, id));
    const rated = lost === undefined ? readRatings(type, list.rows, account.ratingFilter) : { ratingsGap: lost };
    return { ...item, counted: withViews(counted, listed), ...rated };
  });
}

/** A list of people who responded, fewer than the delivery's own list has, says nothing of who saw it. */
function withViews(counted: Counted, listed: number): Counted {
  const holdsResponders = counted.listed > 0 && counted.responded === counted.listed;
  return holdsResponders && counted.listed < listed
    ? { ...counted, seen: null, answered: null, inPeriod: null }
    : counted;
}

/** The ratings in the rows of those who responded, else those that the filter separates. */
function readRatings(
  type: string,
  rows: readonly RecipientRow[],
  filter: FilterAnswer,
): Partial<Pick<KnownContent, 'ratings' | 'ratingsGap'>> {
  const responders = rows.filter(({ respondedAt }) => isSet(respondedAt));
  if (!/rating/i.test(type) || responders.length === 0) return {};
  const ratings = responders.flatMap(({ rating }) => (isSet(rating) ? [rating] : []));
  const texts = ratings.filter((rating) => !Number.isNaN(Number(rating))).map((rating) => String(Number(rating)));
  if (texts.length > 0) return { ratings: summarize(texts, ratings.length - texts.length) };
  if (ratings.length > 0) return { ratingsGap: unreadable };
  if (filter === 'off') return {};
  if (filter === 'refused') return { ratingsGap: gapOfStatus(400) };
  const filtered = ['1', '2', '3', '4', '5'].flatMap((rating) => ratedWith(rating, rows).map(() => rating));
  return { ratings: summarize(filtered, 0) };
}

function summarize(texts: readonly string[], lost: number): KnownRatings {
  const histogram = new Map<string, number>();
  for (const text of texts) histogram.set(text, (histogram.get(text) ?? 0) + 1);
  const mean = texts.reduce((total, text) => total + Number(text), 0) / texts.length;
  return { count: texts.length, mean, histogram, unreadable: lost };
}
