import type { Configuration } from '../domain/configuration/configuration.ts';
import type { Unavailable } from '../domain/reasons.ts';
import type { Tally } from '../reporting-service/coverage.ts';
import { wordsOf } from '../reporting-service/lists/signs-of-more.ts';
import { UnavailableError } from '../reporting-service/requests/request.ts';
import type { Ratings, ReadList } from './observation/list-facts.ts';

export type RatingFilter = Exclude<Configuration['service']['ratingFilter'], 'off'>;

/** Whether items of a type are rated: `rating` or `ratings` is a word of it, as in `starRating`, and not a part of one, as in `operating`. */
export function isRated(type: string): boolean {
  return wordsOf(type).some((word) => /^ratings?$/.test(word));
}

/** The ratings of a content item, or why there are none. */
type RatingFacts = Ratings & { ratingsUnavailable?: Unavailable };

/** Reads the recipients that a filter leaves. */
type ReadFiltered = (filter: { name: string; value: string }) => Promise<ReadList>;

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
  const { name, values } = filter === 'off' ? { name: '', values: [] } : filter;
  const firstOfType = new Map<string, Promise<RatingFacts>>();
  /** Why the filter gives nothing for any item of a type. */
  const uselessFor = new Map<string, Unavailable>();

  const countByFilter = async (list: ReadList, type: string, read: ReadFiltered): Promise<RatingFacts> => {
    const { facts, responded } = list;
    const counts: Array<[value: string, times: number]> = [];
    try {
      for (const value of values) {
        counts.push([value, (await read({ name, value })).facts.listed]);
        // With everybody under two values, the service ignores the filter.
        if (counts.length < Math.min(2, values.length) || counts.some(([, times]) => times !== facts.listed)) continue;
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

  return async (list: ReadList, type: string, read: ReadFiltered): Promise<RatingFacts> => {
    if (!isRated(type)) return {};
    const { ratings } = list;
    if (ratings.ratings !== undefined) {
      tally.reading('ratings', 'in the rows');
      return ratings;
    }
    // A filter counts only the values that it is asked for: beside ratings that are something else, it would miss some.
    if (ratings.unreadableRatings !== undefined) return { ...ratings, ratingsUnavailable: unreadable };
    if (filter === 'off' || list.responded === 0) return {};
    const first = firstOfType.get(type);
    if (first !== undefined) await Promise.allSettled([first]);
    const ratingsUnavailable = uselessFor.get(type);
    if (ratingsUnavailable !== undefined) return { ratingsUnavailable };
    const counted = countByFilter(list, type, read);
    if (first === undefined) firstOfType.set(type, counted);
    return await counted;
  };
}
