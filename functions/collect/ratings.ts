import { addCount, type Counts } from '../domain/counts-by-word.ts';
import type { Configuration } from '../domain/configuration/configuration.ts';
import type { ListFacts } from '../domain/facts.ts';
import type { Unavailable } from '../domain/reasons.ts';
import type { Tally } from '../reporting-service/coverage.ts';
import { isSet } from '../reporting-service/dates.ts';
import { wordsOf } from '../reporting-service/lists/signs-of-more.ts';
import { UnavailableError } from '../reporting-service/requests/request.ts';

export type RatingFilter = Exclude<Configuration['service']['ratingFilter'], 'off'>;

/** Whether items of a type are rated: `rating` or `ratings` is a word of it, as in `starRating`, and not a part of one, as in `operating`. */
export function isRated(type: string): boolean {
  return wordsOf(type).some((word) => /^ratings?$/.test(word));
}

/** Counts the ratings in the rows of a list, by their decimal text, and those that cannot be read. */
export function createRatingCount() {
  const ratings: Counts = {};
  let unreadableRatings = 0;
  return {
    add: (value: unknown): void => {
      // Unlike a date, a rating may be 0.
      if (value !== 0 && value !== '0' && !isSet(value)) return;
      const rating = readRating(value);
      if (rating === null) unreadableRatings += 1;
      else addCount(ratings, rating);
    },
    counts: (): Ratings => ({
      ...(Object.keys(ratings).length === 0 ? {} : { ratings }),
      ...(unreadableRatings === 0 ? {} : { unreadableRatings }),
    }),
  };
}

/** A rating as decimal text: a finite number, or a text that is one. */
function readRating(value: unknown): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : null;
  return typeof value === 'string' && /^-?\d{1,6}(\.\d{1,6})?$/.test(value.trim()) ? String(Number(value)) : null;
}

/** What a content item's list says of ratings. */
type Ratings = Pick<ListFacts, 'ratings' | 'unreadableRatings'>;
type RatedList = Ratings & { listed: number; responded: number };
/** The ratings of a content item, or why there are none. */
export type RatingFacts = Ratings & { ratingsUnavailable?: Unavailable };

/** Counts the recipients that a filter leaves. */
type CountFiltered = (filter: { name: string; value: string }) => Promise<{ listed: number }>;

/** Collects the ratings of the content items of a batch. */
export type RatingCollector = ReturnType<typeof createRatingCollector>;

const unreadable: Unavailable = { reason: 'unreadable' };
/** Answers may arrive between the requests: so much more than those who had responded is theirs. */
const laterShare = 0.02;

/**
 * Gives the ratings of content items: from the rows where these have them, else from one request for each
 * value of the filter; the interface says that rating items can be filtered, but not by which name. Ratings in the rows that
 * cannot be read are counted; where none can be read, or the filter's counts do not add up to those who responded, they are
 * unavailable: a mean of a part would be a wrong one. A filter that the service refuses or ignores for the first item of a
 * type is not asked for the others.
 */
export function createRatingCollector(filter: RatingFilter | 'off', tally: Tally) {
  const firstOfType = new Map<string, Promise<RatingFacts>>();
  /** Why the filter gives nothing for any item of a type. */
  const uselessFor = new Map<string, Unavailable>();

  const countByFilter = async (
    { listed, responded }: RatedList,
    { type, filter: { name, values } }: { type: string; filter: RatingFilter },
    count: CountFiltered,
  ): Promise<RatingFacts> => {
    const counts: Array<[value: string, times: number]> = [];
    try {
      for (const value of values) {
        counts.push([value, (await count({ name, value })).listed]);
        // With everybody under two values, the service ignores the filter.
        if (counts.length < Math.min(2, values.length) || counts.some(([, times]) => times !== listed)) continue;
        tally.reading('ratings', 'filter ignored');
        uselessFor.set(type, unreadable);
        return { ratingsUnavailable: unreadable };
      }
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
      if (error.unavailable.reason === 'refused') {
        tally.reading('ratings', 'filter refused');
        uselessFor.set(type, error.unavailable);
      }
      return { ratingsUnavailable: error.unavailable };
    }
    const sum = counts.reduce((total, [, times]) => total + times, 0);
    const addsUp = sum >= responded && sum <= responded + Math.ceil(responded * laterShare);
    tally.reading('ratings', addsUp ? 'by filter' : 'filter does not add up');
    if (!addsUp) return { ratingsUnavailable: unreadable };
    return { ratings: Object.fromEntries(counts.filter(([, times]) => times > 0)) };
  };

  return async (list: RatedList, type: string, count: CountFiltered): Promise<RatingFacts> => {
    if (!isRated(type)) return {};
    const { ratings, unreadableRatings } = list;
    const inRows = unreadableRatings === undefined ? {} : { unreadableRatings };
    if (ratings !== undefined) {
      tally.reading('ratings', 'in the rows');
      return { ratings, ...inRows };
    }
    // A filter counts only the values that it is asked for: beside ratings that are something else, it would miss some.
    if (unreadableRatings !== undefined) return { ...inRows, ratingsUnavailable: unreadable };
    if (filter === 'off' || list.responded === 0) return {};
    const first = firstOfType.get(type);
    if (first !== undefined) await Promise.allSettled([first]);
    const ratingsUnavailable = uselessFor.get(type);
    if (ratingsUnavailable !== undefined) return { ratingsUnavailable };
    const counted = countByFilter(list, { type, filter }, count);
    if (first === undefined) firstOfType.set(type, counted);
    return await counted;
  };
}
