import type { Ratings } from '../../domain/digest.ts';
import type { Language } from '../texts/language.ts';
import { showForeignText } from '../texts/foreign-text.ts';
import { viewBar } from '../sections/bars.ts';

/** More different ratings than this, such as those from 0 to 100, have no bars. */
const BARS = 11;
/** The most different ratings that are shown. */
const RATINGS = 101;

/** How often each rating was given, the highest first. */
export interface RatingsView {
  label: string;
  rows: {
    rating: string;
    count: string;
    /** The bar against the rating that was given most often; `null` for none. */
    bar: string | null;
  }[];
  hasBars: boolean;
}

/** The ratings of an item, each with how often it was given; `null` where nobody gave one. */
export function viewRatings(
  histogram: Ratings['histogram'] | undefined,
  { wording, figures }: Language,
): RatingsView | null {
  const given = Object.entries(histogram ?? {}).toSorted(([one], [other]) => Number(other) - Number(one));
  if (given.length === 0) return null;
  const most = Math.max(1, ...given.map(([, count]) => count));
  const hasBars = given.length <= BARS;
  return {
    label: wording.say('csv.ratings'),
    rows: given.slice(0, RATINGS).map(([rating, count]) => ({
      rating: wording.say('csv.rating', { rating: showForeignText(rating, 20) ?? wording.say('name.none') }),
      count: figures.count(count),
      bar: hasBars ? viewBar(0, count, most).seen : null,
    })),
    hasBars,
  };
}
