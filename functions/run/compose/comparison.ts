import type { Found } from '../../ledger/runs/collections.ts';
import { countAsked, countBroadcasts } from '../../domain/broadcasts/asked.ts';
import type { StoredFigures } from '../../ledger/runs/figures.ts';
import { precedingPeriod, type Period } from '../../domain/period.ts';
import type { Collected } from '../collect/collected.ts';
import type { Comparison, PeriodFigures } from '../../domain/digest.ts';
import { storedFigures, type CountedBy } from '../earlier-figures.ts';
import { firstSignOf } from './first-sign.ts';
import type { DigestBounds } from '../inclusion.ts';

/**
 * The figures of the preceding period to compare with: those in this report's complete digest of it, counted under
 * the same filters; else the same counts over the same answers, where those reach back that far; else none, with the
 * reason. Kept figures without what asks are counted again, too, and compared without it where that is not possible. Nothing is
 * compared with a period that is itself incomplete.
 */
export function comparePeriods(
  options: {
    collected: Collected;
    earlierFigures: readonly StoredFigures[];
    complete: boolean;
    period: Period;
    bounds: DigestBounds;
    asksOf: AsksOf;
  } & CountedBy,
): { previous: PeriodFigures | null; comparison: Comparison } {
  const { collected, earlierFigures, complete, period, bounds, asksOf } = options;
  if (!complete) return { previous: null, comparison: { basis: 'none', reason: 'incomplete-now' } };
  const stored = storedFigures(precedingPeriod(period), options);
  const kept = stored && { previous: stored, comparison: { basis: 'kept' as const } };
  if (kept !== null && stored?.asked != null) return kept;
  // A delivery that is gone for good was part of the earlier period: counted again without it, that would be less.
  if (collected.recipients.some(({ engagement }) => engagement === undefined)) {
    return kept ?? { previous: null, comparison: { basis: 'none', reason: 'incomplete-now' } };
  }
  const recounted = reachesBackTo(bounds.precedingStart, collected) ? recount(collected, bounds, asksOf) : null;
  if (recounted !== null && (kept === null || recounted.asked !== null)) {
    return { previous: recounted, comparison: { basis: 'recounted' } };
  }
  const reason = earlierFigures.length === 0 ? 'first-run' : 'list-too-short';
  return kept ?? { previous: null, comparison: { basis: 'none', reason } };
}

/** Whether a broadcast asks something, by its id; `null` where it is not known. */
export type AsksOf = (broadcastId: string) => boolean | null;

/** The list is of recent deliveries: it covers a period only if it also holds something from before. */
function reachesBackTo(instant: number, collected: Collected): boolean {
  return collected.recipients.some((found) => {
    const firstSign = firstSignOf(found, collected);
    return firstSign !== null && firstSign < instant;
  });
}

function recount(collected: Collected, bounds: DigestBounds, asksOf: AsksOf): PeriodFigures {
  const found = collected.recipients.flatMap(({ delivery, engagement }) =>
    engagement === undefined ? [] : [{ asks: asksOf(delivery.broadcast.id), inPeriod: engagement.inPrecedingPeriod }],
  );
  const news = collected.recipients.filter((each) => wasNew(each, collected, bounds)).map(({ delivery }) => delivery);
  return {
    deliveries: news.length,
    broadcasts: countBroadcasts(news),
    seen: found.reduce((sum, { inPeriod }) => sum + inPeriod.seen, 0),
    responded: found.reduce((sum, { inPeriod }) => sum + inPeriod.responded, 0),
    ...countAsked(found),
  };
}

/** Whether the preceding period's digest would have called a delivery new: as this one does, by its first sign. */
function wasNew(found: Found<'recipients'>, collected: Collected, { precedingStart, start }: DigestBounds): boolean {
  const { seen = 0, responded = 0 } = found.engagement ?? {};
  const firstSign = seen + responded === 0 ? null : firstSignOf(found, collected);
  return firstSign !== null && firstSign >= precedingStart && firstSign < start;
}
