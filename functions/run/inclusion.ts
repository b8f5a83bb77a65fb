import type { Found } from '../ledger/runs/collections.ts';
import { namingsOf, type DeliveryHistory } from '../ledger/runs/delivery-history.ts';
import type { DeliveryKind } from '../domain/digest.ts';
import { boundsOf, type Period, type PeriodBounds } from '../domain/period.ts';

/** The bounds of a digest's period, and which digests came before it: what decides whether it includes a delivery. */
export interface DigestBounds extends PeriodBounds {
  /** Start date of the period: the history of deliveries names digests by theirs. */
  startDate: string;
  /** No digest of an earlier period was stored for this report. */
  firstRun: boolean;
}

export function digestBoundsOf(period: Period, firstRun: boolean): DigestBounds {
  return { ...boundsOf(period), startDate: period.startDate, firstRun };
}

/** Why a digest includes a delivery. `kind` is `null` where its engagement could not be read. */
export interface Inclusion {
  kind: DeliveryKind | null;
  /** Earliest readable engagement, else the broadcast's creation, in epoch milliseconds; `null` where neither is known. */
  firstSign: number | null;
}

type Candidate = Pick<Found<'recipients'>, 'engagement' | 'unavailable'>;

/** The most digests that name a delivery as seen by nobody. */
const mostNamings = 4;

/** Whether the digest of an earlier period said so. */
export function earlier(startDate: string | undefined, bounds: DigestBounds): boolean {
  return startDate !== undefined && startDate < bounds.startDate;
}

/**
 * Whether and why the digest includes a delivery with a wanted status; `null` where it does not. `createdAt` is its
 * broadcast's creation, where that is known.
 *
 * - new: its first sign lies in the period, and no digest of an earlier period counted it as new;
 * - silent: nobody has engaged, and fewer than four other digests named it; in a report's first run only if it was created in
 *   this period or the one before, and what that run left out stays out;
 * - active: any other with engagement within the period;
 * - one that cannot be read is included, unless it is known to be older.
 */
export function includeDelivery(
  { engagement }: Candidate,
  createdAt: number | null,
  shown: DeliveryHistory | undefined,
  bounds: DigestBounds,
): Inclusion | null {
  const firstSign = engagement?.firstSign ?? createdAt;
  if (firstSign !== null && firstSign >= bounds.end) return null;
  if (engagement === undefined) return earlier(shown?.engagedIn, bounds) ? null : { kind: null, firstSign };

  if (engagement.seen + engagement.responded === 0) {
    const tooOld = bounds.firstRun && firstSign !== null && firstSign < bounds.precedingStart;
    return tooOld || isNamedEnough(shown, bounds) ? null : { kind: 'silent', firstSign };
  }
  if (firstSign === null) return earlier(shown?.shownIn, bounds) ? null : { kind: null, firstSign };
  if (firstSign >= bounds.start && !earlier(shown?.newIn, bounds)) return { kind: 'new', firstSign };
  const { seen, responded } = engagement.inPeriod;
  return seen + responded > 0 ? { kind: 'active', firstSign } : null;
}

/** Whether nothing more is said of it. The digest of a period does not count its own naming: run again, it says the same. */
function isNamedEnough(shown: DeliveryHistory | undefined, bounds: DigestBounds): boolean {
  if (earlier(shown?.engagedIn, bounds) || earlier(shown?.leftOutIn, bounds)) return true;
  return namingsOf(shown).filter((startDate) => startDate !== bounds.startDate).length >= mostNamings;
}

/**
 * Whether the broadcast of a delivery has to be asked for: it is included; or its recipients do not date it, so that only
 * the broadcast's creation can; or the preceding period is counted again, and the delivery was engaged with then.
 */
export function needsBroadcast(
  candidate: Candidate,
  shown: DeliveryHistory | undefined,
  bounds: DigestBounds,
  { recount }: { recount: boolean },
): boolean {
  const { engagement } = candidate;
  const { seen, responded } = engagement?.inPrecedingPeriod ?? { seen: 0, responded: 0 };
  const undated = engagement !== undefined && engagement.firstSign === null;
  const recounted = recount && seen + responded > 0;
  return undated || recounted || includeDelivery(candidate, null, shown, bounds) !== null;
}
