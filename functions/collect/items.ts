import type { PeriodBounds } from '../domain/period.ts';
import { wordsOf } from '../reporting-service/lists/signs-of-more.ts';
import type { Configuration } from '../domain/configuration/configuration.ts';
import type { Engagement, Found, Work } from '../ledger/runs/collections.ts';
import type { ReportingService } from '../reporting-service/client.ts';
import type { Tally } from '../reporting-service/coverage.ts';
import { readDate } from '../reporting-service/dates.ts';
import { UnavailableError } from '../reporting-service/unavailable.ts';
import { countEngagement } from './engagement.ts';

export type RatingFilter = Exclude<Configuration['service']['ratingFilter'], 'off'>;

/** What an item is collected with. */
export interface ItemContext {
  service: ReportingService;
  tally: Tally;
  bounds: PeriodBounds;
  ratingFilter: Configuration['service']['ratingFilter'];
}

/** Asks for a broadcast and its content items. */
export async function findBroadcast(
  id: Work<'broadcasts'>,
  { service, bounds }: Pick<ItemContext, 'service' | 'bounds'>,
): Promise<Pick<Found<'broadcasts'>, 'broadcast'>> {
  const { name, createdAt, createdBy, contents } = await service.broadcast(id);
  const created = readDate(createdAt, bounds.timeZone).instant;
  return { broadcast: { name, createdAt: created, createdBy, contents } };
}

/** Counts what a content item's recipients did, and its ratings. */
export async function findContent(
  { delivery, content, createdAt }: Work<'contents'>,
  { service, tally, bounds, ratingFilter }: ItemContext,
): Promise<Pick<Found<'contents'>, 'engagement'> & FoundRatings> {
  const count = async (filter?: { name: string; value: string }): Promise<Engagement> =>
    await countEngagement(service.contentRecipients(delivery, content.id, filter), { bounds, createdAt }, tally);
  const engagement = await count();
  const filter = isRated(content.type) ? ratingFilter : 'off';
  return { engagement, ...(await collectRatings(engagement, filter, count, tally)) };
}

/** Whether items of a type are rated: `rating` is a word of it, as in `starRating`, and not a part of one, as in `operating`. */
export function isRated(type: string): boolean {
  return wordsOf(type).includes('rating');
}

/** What is found of a content item's ratings. */
type FoundRatings = Pick<Found<'contents'>, 'ratings' | 'unreadableRatings' | 'ratingsUnavailable'>;

/**
 * Ratings from the rows where these have them, else one request for each value of the filter: the interface says that
 * rating items can be filtered, but not by which name. A filter that the service ignores answers every value with the
 * whole list; its breakdown is dropped. Ratings in the rows that cannot be read are counted; where none can be read, or
 * the filter's counts do not add up to those who responded, they are unavailable: a mean of a part would be a wrong one.
 */
async function collectRatings(
  engagement: Engagement,
  filter: RatingFilter | 'off',
  count: (filter: { name: string; value: string }) => Promise<Engagement>,
  tally: Tally,
): Promise<FoundRatings> {
  const { ratings, unreadableRatings = 0 } = engagement;
  if (Object.keys(ratings).length > 0) {
    tally.reading('ratings', 'in the rows');
    return { ratings, ...(unreadableRatings === 0 ? {} : { unreadableRatings }) };
  }
  // A filter counts only the values that it is asked for: beside ratings that are something else, it would miss some.
  if (unreadableRatings > 0) return { ratingsUnavailable: { reason: 'unreadable' } };
  if (filter === 'off' || engagement.responded === 0) return {};
  const countOf = async (value: string): Promise<[string, number]> => {
    const { listed } = await count({ name: filter.name, value });
    return [value, listed];
  };
  try {
    return breakdown(await Promise.all(filter.values.map(countOf)), engagement, tally);
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    if (error.unavailable.reason !== 'refused') return { ratingsUnavailable: error.unavailable };
    tally.reading('ratings', 'filter refused');
    return {};
  }
}

/** Answers may arrive between the requests: so much more than those who had responded is theirs. */
const laterShare = 0.02;

function breakdown(
  counted: ReadonlyArray<[string, number]>,
  { listed, responded }: Engagement,
  tally: Tally,
): FoundRatings {
  const sum = counted.reduce((total, [, count]) => total + count, 0);
  const isIgnored = counted.every(([, count]) => count === listed);
  const addsUp = sum >= responded && sum <= responded + Math.ceil(responded * laterShare);
  tally.reading('ratings', isIgnored ? 'filter ignored' : addsUp ? 'by filter' : 'filter does not add up');
  if (isIgnored) return {};
  if (!addsUp) return { ratingsUnavailable: { reason: 'unreadable' } };
  return { ratings: Object.fromEntries(counted.filter(([, count]) => count > 0)) };
}
