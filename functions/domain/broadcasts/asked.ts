import type { DigestBroadcast, Engaged } from './digest-broadcast.ts';
import { sumOfEngaged } from './sums.ts';

/**
 * Views and responses within the period of the broadcasts that ask something. `null` where one of those with engagement
 * cannot be counted, or it is not known whether it asks.
 */
export function sumAsked(broadcasts: ReadonlyArray<Pick<DigestBroadcast, 'asks' | 'inPeriod'>>): Engaged | null {
  const nothing = { seen: 0, responded: 0 };
  return sumOfEngaged(
    broadcasts.map(({ asks, inPeriod }) => {
      if (inPeriod === null) return null;
      if (asks === false || inPeriod.seen + inPeriod.responded === 0) return nothing;
      return asks === null ? null : inPeriod;
    }),
  );
}

/** Responses for each view of what asks; `null` where nobody saw anything that asks, or it is not known. */
export function askedRate(asked: Engaged | null): number | null {
  return asked === null || asked.seen === 0 ? null : asked.responded / asked.seen;
}

/** How many broadcasts there are; a delivery without a broadcast's id counts as one. */
export function countBroadcasts(deliveries: ReadonlyArray<{ id: string; broadcast: { id: string } }>): number {
  const named = deliveries.filter(({ broadcast }) => broadcast.id !== '');
  return new Set(named.map(({ broadcast }) => broadcast.id)).size + deliveries.length - named.length;
}
