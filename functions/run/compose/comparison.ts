import type { Found } from '../../ledger/runs/collections.ts';
import type { StoredFigures } from '../../ledger/runs/figures.ts';
import { precedingPeriod, type Period } from '../../domain/period.ts';
import type { Collected } from '../collect/collected.ts';
import type { Comparison, PeriodFigures } from '../../domain/digest.ts';
import { firstSignOf } from './first-sign.ts';
import type { DigestBounds } from '../inclusion.ts';

/** responded / seen; `null` where nobody saw anything. */
export function responseRateOf(seen: number, responded: number): number | null {
  return seen === 0 ? null : responded / seen;
}

/**
 * The figures of the preceding period to compare with: those in this report's complete digest of it, counted under
 * the same filters; else the same counts over the same answers, where those reach back that far; else none, with the
 * reason. Nothing is compared with a period that is itself incomplete.
 */
export function comparePeriods(options: {
  collected: Collected;
  earlierFigures: readonly StoredFigures[];
  filters: string;
  complete: boolean;
  period: Period;
  bounds: DigestBounds;
}): { previous: PeriodFigures | null; comparison: Comparison } {
  const { collected, earlierFigures, complete, period, bounds } = options;
  if (!complete) return { previous: null, comparison: { basis: 'none', reason: 'incomplete-now' } };
  const stored = storedFigures(precedingPeriod(period), options);
  if (stored !== null) return { previous: stored, comparison: { basis: 'kept' } };
  // A delivery that is gone for good was part of the earlier period: counted again without it, that would be less.
  if (collected.recipients.some(({ engagement }) => engagement === undefined)) {
    return { previous: null, comparison: { basis: 'none', reason: 'incomplete-now' } };
  }
  if (reachesBackTo(bounds.precedingStart, collected)) {
    return { previous: recount(collected, bounds), comparison: { basis: 'recounted' } };
  }
  const reason = earlierFigures.length === 0 ? 'first-run' : 'list-too-short';
  return { previous: null, comparison: { basis: 'none', reason } };
}

/** The figures of an earlier period, where its digest was complete and counted under the same filters; else `null`. */
export function storedFigures(
  { start }: Period,
  { earlierFigures, filters }: { earlierFigures: readonly StoredFigures[]; filters: string },
): PeriodFigures | null {
  const stored = earlierFigures.find((figures) => figures.start === start);
  return stored !== undefined && stored.complete && stored.filters === filters ? stored.totals : null;
}

/** The list is of recent deliveries: it covers a period only if it also holds something from before. */
function reachesBackTo(instant: number, collected: Collected): boolean {
  return collected.recipients.some((found) => {
    const firstSign = firstSignOf(found, collected);
    return firstSign !== null && firstSign < instant;
  });
}

function recount(collected: Collected, bounds: DigestBounds): PeriodFigures {
  let deliveries = 0;
  let seen = 0;
  let responded = 0;
  for (const found of collected.recipients) {
    if (found.engagement === undefined) continue;
    const { inPrecedingPeriod } = found.engagement;
    if (wasNew(found, collected, bounds)) deliveries += 1;
    seen += inPrecedingPeriod.seen;
    responded += inPrecedingPeriod.responded;
  }
  return { deliveries, broadcasts: null, seen, responded, asked: null, responseRate: null };
}

/** Whether the preceding period's digest would have called a delivery new: as this one does, by its first sign. */
function wasNew(found: Found<'recipients'>, collected: Collected, { precedingStart, start }: DigestBounds): boolean {
  const { seen = 0, responded = 0 } = found.engagement ?? {};
  const firstSign = seen + responded === 0 ? null : firstSignOf(found, collected);
  return firstSign !== null && firstSign >= precedingStart && firstSign < start;
}
