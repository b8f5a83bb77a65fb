import type { KnownDelivery } from './known.ts';
import type { Answered, Counted, Gap } from './lists.ts';

/** The dates of a delivery's list say too little of the period. */
export const undatable: Gap = { reason: 'dates-unreadable' };

/** Why something of a delivery is not known: each is true. */
export function gapsOf({ gap, isUndatable, broadcast }: KnownDelivery): Gap[] {
  if (gap !== null) return [gap];
  return [...(isUndatable ? [undatable] : []), ...(broadcast.gap === null ? [] : [broadcast.gap])];
}

/** What of a list is within the period; `null` where that is not known. */
export function inPeriodOf({ isUndatable }: KnownDelivery, counted: Counted | null): Answered | null {
  return isUndatable ? null : (counted?.inPeriod ?? null);
}
