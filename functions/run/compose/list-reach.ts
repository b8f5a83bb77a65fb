import type { Collected } from '../collect/collected.ts';
import { firstSignOf } from './first-sign.ts';
import type { DigestBounds } from '../inclusion.ts';

/** How far back into the period the list of deliveries reaches. */
export type ListReach =
  /** To its start, or it cannot be said. */
  | { reaches: 'whole' }
  /** It begins within the period, at this first sign, in epoch milliseconds: what was before is not known. */
  | { reaches: 'part'; since: number }
  /** It begins after the period: all that it says is of later. */
  | { reaches: 'nothing' };

/**
 * The list is of recent deliveries; how recent, the service does not say (interface, section 4.3). It reaches as far back as
 * the earliest first sign on it, which is only known where every delivery has one.
 */
export function reachOfList(collected: Collected, { start, end }: DigestBounds): ListReach {
  const firstSigns = collected.recipients.map((found) => firstSignOf(found, collected));
  const known = firstSigns.filter((sign) => sign !== null);
  if (known.length === 0 || known.length < firstSigns.length) return { reaches: 'whole' };
  const since = known.reduce((earliest, sign) => Math.min(earliest, sign));
  if (since >= end) return { reaches: 'nothing' };
  return since > start ? { reaches: 'part', since } : { reaches: 'whole' };
}
