import type { PeriodFigures } from '../digest.ts';
import type { DigestBroadcast } from './digest-broadcast.ts';
import { responseRateOf, sumOfEngaged } from './sums.ts';

/**
 * Views and responses within the period of the broadcasts that ask something, and their response rate. `null` where one of
 * those with engagement cannot be counted, or it is not known whether it asks.
 */
export function countAsked(
  broadcasts: ReadonlyArray<Pick<DigestBroadcast, 'asks' | 'inPeriod'>>,
): Pick<PeriodFigures, 'asked' | 'responseRate'> {
  const nothing = { seen: 0, responded: 0, answered: 0 };
  const asked = sumOfEngaged(
    broadcasts.map(({ asks, inPeriod }) => {
      if (inPeriod === null) return null;
      if (asks === false || inPeriod.seen + inPeriod.responded === 0) return nothing;
      return asks === null ? null : inPeriod;
    }),
  );
  return { asked, responseRate: responseRateOf(asked) };
}

/** How many broadcasts there are; a delivery without a broadcast's id counts as one. */
export function countBroadcasts(deliveries: ReadonlyArray<{ id: string; broadcast: { id: string } }>): number {
  const named = deliveries.filter(({ broadcast }) => broadcast.id !== '');
  return new Set(named.map(({ broadcast }) => broadcast.id)).size + deliveries.length - named.length;
}
