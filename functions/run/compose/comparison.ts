import type { Comparison, PeriodFigures } from '../../domain/digest.ts';
import { precedingPeriod, type Period } from '../../domain/period.ts';
import { figuresOfPreceding, storedFigures, type CountedBy, type Earlier } from '../earlier-figures.ts';

/**
 * The figures of the preceding period to compare with: those in this report's complete digest of it, counted under the
 * same filters and in the same time zone; else none, with the reason. Nobody knows how far the service's list reaches back
 * (interface, section 4.3), so nothing is compared with a count of it.
 */
export function comparePeriods(
  options: { earlier: Earlier['earlier']; hasLater: boolean; complete: boolean; period: Period } & CountedBy,
): { previous: PeriodFigures | null; comparison: Comparison } {
  const { earlier, hasLater, complete, period } = options;
  const preceding = precedingPeriod(period);
  const none = (reason: Extract<Comparison, { basis: 'none' }>['reason'], { start, end } = preceding) => ({
    previous: null,
    comparison: { basis: 'none' as const, reason, lacking: { start, end } },
  });
  if (!complete) return none('incomplete-now', period);
  const previous = storedFigures(preceding, options);
  if (previous !== null) return { previous, comparison: { basis: 'kept' } };
  if (earlier.length === 0) return none(hasLater ? 'first-so-early' : 'first');
  const kept = figuresOfPreceding(period, earlier);
  if (kept === undefined) return none('not-kept');
  return none(kept.complete ? 'counted-otherwise' : 'incomplete-before');
}
