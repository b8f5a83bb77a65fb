import type { Configuration } from '../domain/configuration/configuration.ts';
import type { Engagement, Found } from '../ledger/runs/collections.ts';
import type { Tally } from '../reporting-service/coverage.ts';
import { isSet } from '../reporting-service/dates.ts';
import { wordsOf } from '../reporting-service/lists/signs-of-more.ts';
import { UnavailableError } from '../reporting-service/unavailable.ts';

export type RatingFilter = Exclude<Configuration['service']['ratingFilter'], 'off'>;

/** Whether items of a type are rated: `rating` is a word of it, as in `starRating`, and not a part of one, as in `operating`. */
export function isRated(type: string): boolean {
  return wordsOf(type).includes('rating');
}

/** No rating scale has more steps: with more distinct values, the numbers are not ratings. */
const mostDistinctRatings = 1_000;

/** Counts the ratings in the rows of a list, by their decimal text, and those that cannot be read. */
export function createRatingCount() {
  const ratings = new Map<string, number>();
  let given = 0;
  let unreadable = 0;
  return {
    add: (value: unknown): void => {
      // Unlike a date, a rating may be 0.
      if (value !== 0 && value !== '0' && !isSet(value)) return;
      given += 1;
      const rating = readRating(value);
      if (rating === null) unreadable += 1;
      else ratings.set(rating, (ratings.get(rating) ?? 0) + 1);
    },
    counts: (): Pick<Engagement, 'ratings' | 'unreadableRatings'> => {
      if (ratings.size > mostDistinctRatings) return { unreadableRatings: given };
      return {
        ...(ratings.size === 0 ? {} : { ratings: Object.fromEntries(ratings) }),
        ...(unreadable === 0 ? {} : { unreadableRatings: unreadable }),
      };
    },
  };
}

/** A rating as decimal text: a finite number, or a text that is one. */
function readRating(value: unknown): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : null;
  return typeof value === 'string' && /^-?\d{1,6}(\.\d{1,6})?$/.test(value.trim()) ? String(Number(value)) : null;
}

/** What is found of a content item's recipients: with their ratings, or why there are none. */
type FoundContent = Pick<Found<'contents'>, 'engagement' | 'ratingsUnavailable'>;

/**
 * Engagement with its ratings: from the rows where these have them, else from one request for each value of the filter; the
 * interface says that rating items can be filtered, but not by which name. A filter that the service ignores answers every
 * value with the whole list; its breakdown is dropped. Ratings in the rows that cannot be read are counted; where none can
 * be read, or the filter's counts do not add up to those who responded, they are unavailable: a mean of a part would be a
 * wrong one.
 */
export async function collectRatings(
  engagement: Engagement,
  filter: RatingFilter | 'off',
  count: (filter: { name: string; value: string }) => Promise<Engagement>,
  tally: Tally,
): Promise<FoundContent> {
  if (engagement.ratings !== undefined) {
    tally.reading('ratings', 'in the rows');
    return { engagement };
  }
  // A filter counts only the values that it is asked for: beside ratings that are something else, it would miss some.
  if (engagement.unreadableRatings !== undefined) return { engagement, ratingsUnavailable: { reason: 'unreadable' } };
  if (filter === 'off' || engagement.responded === 0) return { engagement };
  const countOf = async (value: string): Promise<[string, number]> => {
    const { listed } = await count({ name: filter.name, value });
    return [value, listed];
  };
  try {
    return breakdown(await Promise.all(filter.values.map(countOf)), engagement, tally);
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    if (error.unavailable.reason !== 'refused') return { engagement, ratingsUnavailable: error.unavailable };
    tally.reading('ratings', 'filter refused');
    return { engagement };
  }
}

/** Answers may arrive between the requests: so much more than those who had responded is theirs. */
const laterShare = 0.02;

function breakdown(counted: ReadonlyArray<[string, number]>, engagement: Engagement, tally: Tally): FoundContent {
  const { listed, responded } = engagement;
  const sum = counted.reduce((total, [, count]) => total + count, 0);
  const isIgnored = counted.every(([, count]) => count === listed);
  const addsUp = sum >= responded && sum <= responded + Math.ceil(responded * laterShare);
  tally.reading('ratings', isIgnored ? 'filter ignored' : addsUp ? 'by filter' : 'filter does not add up');
  if (isIgnored) return { engagement };
  if (!addsUp) return { engagement, ratingsUnavailable: { reason: 'unreadable' } };
  return { engagement: { ...engagement, ratings: Object.fromEntries(counted.filter(([, count]) => count > 0)) } };
}
