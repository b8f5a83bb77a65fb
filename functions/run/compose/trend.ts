import type { PeriodFigures, TrendPeriod } from '../../domain/digest.ts';
import type { StoredFigures } from '../../ledger/runs/digests.ts';
import { precedingPeriod, type Period } from '../../domain/period.ts';
import { storedFigures, type CountedBy } from '../earlier-figures.ts';

/** How many periods a trend shows, this one included. */
const PERIODS = 8;

/**
 * Views and responses of this period and of up to seven before it, oldest first. The earlier ones are those of this
 * report's digests, counted under the same filters. A period in between without known figures stays, with `null`; those
 * before the first known one are left out.
 */
export function composeTrend(
  options: { period: Period; earlier: readonly StoredFigures[]; totals: PeriodFigures } & CountedBy,
): TrendPeriod[] {
  const { period, totals } = options;
  const trend = [trendPeriod(period.start, totals)];
  let before = period;
  while (trend.length < PERIODS) {
    before = precedingPeriod(before);
    trend.unshift(trendPeriod(before.start, storedFigures(before, options)));
  }
  const first = trend.findIndex(({ complete }) => complete);
  return trend.slice(first === -1 ? -1 : first);
}

function trendPeriod(start: string, figures: PeriodFigures | null): TrendPeriod {
  const { seen = null, responded = null, broadcasts = null, asked = null, responseRate = null } = figures ?? {};
  return { start, seen, responded, broadcasts, asked, responseRate, complete: seen !== null };
}
