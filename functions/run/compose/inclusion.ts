import type { Found } from '../../ledger/runs/collections.ts';
import type { DeliveryHistory } from '../../ledger/runs/delivery-history.ts';
import type { DeliveryKind } from '../../domain/digest.ts';

/** What decides whether a digest tells of a delivery. Instants are epoch milliseconds. */
export interface Calendar {
  /** Start date of the period, which tells earlier digests from this one and later ones. */
  startDate: string;
  precedingStart: number;
  start: number;
  end: number;
  /** No digest of an earlier period was kept for this report. */
  firstRun: boolean;
}

/** How a delivery is told of. `kind` is `null` where what it saw could not be read. */
export interface Inclusion {
  kind: DeliveryKind | null;
  /** Earliest readable engagement, else the broadcast's creation, in epoch milliseconds; `null` where neither is known. */
  firstSign: number | null;
}

type Candidate = Pick<Found<'recipients'>, 'engagement' | 'unavailable'>;

/** Whether the digest of an earlier period said so. */
export function earlier(startDate: string | undefined, calendar: Calendar): boolean {
  return startDate !== undefined && startDate < calendar.startDate;
}

/**
 * Whether and how the digest tells of a delivery with a wanted status; `null` where it does not. `createdAt` is its
 * broadcast's creation, where that is known.
 *
 * - new: its first sign lies in the period, and no digest of an earlier period counted it as new;
 * - silent: nobody has engaged, and no earlier digest showed it; in a report's first run only if it was created in this
 *   period or the one before;
 * - active: any other with engagement within the period;
 * - one that cannot be read is told of, unless it is known to be older.
 */
export function includeDelivery(
  { engagement }: Candidate,
  createdAt: number | null,
  shown: DeliveryHistory | undefined,
  calendar: Calendar,
): Inclusion | null {
  const firstSign = engagement?.firstSign ?? createdAt;
  if (firstSign !== null && firstSign >= calendar.end) return null;
  if (engagement === undefined) return earlier(shown?.engagedIn, calendar) ? null : { kind: null, firstSign };

  const shownBefore = earlier(shown?.shownIn, calendar);
  if (engagement.seen + engagement.responded === 0) {
    const tooOld = calendar.firstRun && firstSign !== null && firstSign < calendar.precedingStart;
    return shownBefore || tooOld ? null : { kind: 'silent', firstSign };
  }
  if (firstSign === null) return shownBefore ? null : { kind: null, firstSign };
  if (firstSign >= calendar.start && !earlier(shown?.newIn, calendar)) return { kind: 'new', firstSign };
  const { seen, responded } = engagement.inPeriod;
  return seen + responded > 0 ? { kind: 'active', firstSign } : null;
}

/**
 * Whether the broadcast of a delivery has to be asked for: it is told of, or its recipients do not date it, so that only
 * the broadcast's creation can.
 */
export function needsBroadcast(candidate: Candidate, shown: DeliveryHistory | undefined, calendar: Calendar): boolean {
  const undated = candidate.engagement !== undefined && candidate.engagement.firstSign === null;
  return undated || includeDelivery(candidate, null, shown, calendar) !== null;
}
