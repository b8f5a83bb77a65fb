import { countAsked, countBroadcasts } from '../../domain/broadcasts/asked.ts';
import type { DigestBroadcast } from '../../domain/broadcasts/digest-broadcast.ts';
import type { DigestDelivery, PeriodFigures } from '../../domain/digest.ts';

/** The figures of a digest's period; `null`, all of them, where something is missing that would change them. */
export function composeTotals(
  deliveries: readonly DigestDelivery[],
  broadcasts: readonly DigestBroadcast[],
  complete: boolean,
): PeriodFigures {
  if (!complete) {
    return { deliveries: null, broadcasts: null, seen: null, responded: null, asked: null, responseRate: null };
  }
  const sum = (what: 'seen' | 'responded'): number =>
    deliveries.reduce((total, { inPeriod }) => total + (inPeriod?.[what] ?? 0), 0);
  const seen = sum('seen');
  const responded = sum('responded');
  const newDeliveries = deliveries.filter(({ kind }) => kind === 'new');
  return {
    deliveries: newDeliveries.length,
    broadcasts: countBroadcasts(newDeliveries),
    seen,
    responded,
    ...countAsked(broadcasts),
  };
}
