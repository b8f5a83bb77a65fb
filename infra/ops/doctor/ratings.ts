import { collectContent, isRated, type RatingFilter } from '../../../functions/collect/contents.ts';
import type { Work } from '../../../functions/ledger/runs/collections.ts';
import { createTally } from '../../../functions/reporting-service/coverage.ts';
import { isMissing, describeUnavailable, readingsOf, type ExaminedAccount } from './account.ts';
import type { SampleContent } from './contents.ts';
import { good, info, look, type Finding } from './finding.ts';

/** Other names that a service may have for a filter by ratings, among them those of fields for a rating. */
const otherFilters = ['rating', 'ratings', 'rating[]', 'ratings[]', 'score', 'stars', 'value'];
const name = 'service.ratingFilter';

/** How the ratings of a rating item were read, and which filter to configure where they were not. */
export async function examineRatings(account: ExaminedAccount, contents: readonly SampleContent[]): Promise<Finding> {
  const rated = contents.find(({ work, engagement }) => isRated(work.content.type) && engagement.responded > 0);
  if (rated === undefined) return info('ratings', 'No ratings found, so the filter was not tested.');
  const { ratingFilter } = account.settings;
  const [reading] = readingsOf(rated.tally, 'ratings');
  if (reading === 'in the rows') return good('ratings', 'The rows of a rating item contain the ratings.');
  if (reading === 'by filter') return good('ratings', 'Ratings are counted by the filter.');
  const { ratingsUnavailable: unavailable } = rated.found;
  if (unavailable !== undefined && reading === undefined) {
    const found = describeUnavailable('The breakdown of ratings', unavailable);
    return isMissing(unavailable) ? info('ratings', found) : look('ratings', found);
  }
  if (ratingFilter === 'off') {
    const found = 'Rows contain no rating, and the filter is off: the digest shows no ratings.';
    return look('ratings', found, { name, value: '{"name": "rating"}' });
  }
  const found = `Rows contain no rating, and counting with "${ratingFilter.name}" gives none: ${reading}.`;
  const other = await findFilter(account, rated.work, ratingFilter);
  const others = `"off", or the name that the service gives the filter, with the values that it knows`;
  return look('ratings', found, { name, value: other === null ? others : JSON.stringify(other) });
}

/** A filter of another name that the collector can count ratings by; `null` where there is none. */
async function findFilter(
  account: ExaminedAccount,
  work: Work<'contents'>,
  { values, name: configured }: RatingFilter,
): Promise<RatingFilter | null> {
  for (const other of otherFilters.filter((each) => each !== configured)) {
    const tally = createTally();
    const ratingFilter = { name: other, values };
    const found = await collectContent(work, {
      service: account.connect(tally),
      tally,
      bounds: account.bounds,
      ratingFilter,
    });
    if (found.ratings !== undefined) return ratingFilter;
  }
  return null;
}
