import type { DeliveryKind } from '../domain/digest.ts';
import { boundsOf, precedingPeriod, type Period, type PeriodBounds } from '../domain/period.ts';
import type { Unavailable } from '../domain/reasons.ts';
import type { Engagement, Found, ListedDelivery } from '../ledger/runs/collections.ts';
import type { DeliveryHistory } from '../ledger/runs/digests.ts';
import type { Collected } from './collection/collected.ts';
import type { Earlier } from './earlier-figures.ts';

/** What decides, beside a delivery's own answers, whether a digest includes it. */
export interface DigestBounds extends PeriodBounds {
  precedingStart: number;
  /** No digest of an earlier period was made for this report. */
  firstRun: boolean;
  /** Hours after its first sign from which on a delivery is judged. */
  settleHours: number;
}

/** Why a digest includes a delivery. `kind` is `null` where its engagement, or when that was, could not be read. */
interface Inclusion {
  kind: DeliveryKind | null;
  /** Its first sign, or at least its broadcast's creation, is too young to judge it. */
  stillCounting: boolean;
  /** This digest is the first that can say whether it reached enough people. */
  judged: boolean;
  /** Too many of the rows that came since the last digest have a date that cannot be read. */
  datesUnreadable: boolean;
}

/** A delivery that the digest includes, and why it does. */
export type IncludedDelivery = { found: Found<'recipients'> } & Inclusion;

/** What a collection has found so far, what earlier digests of the report left, and what this one includes. */
export interface Reading extends Earlier {
  collected: Collected;
  included: IncludedDelivery[];
  /** What decided that. */
  bounds: DigestBounds;
}

/** Reads of a collection what the digest of a period includes. */
export function includeFor(
  collected: Collected,
  period: Period,
  { settleHours, ...before }: Earlier & { settleHours: number },
): Reading {
  const { start: precedingStart } = boundsOf(precedingPeriod(period));
  const bounds = { ...boundsOf(period), precedingStart, firstRun: before.earlier.length === 0, settleHours };
  return { ...before, collected, included: includeDeliveries(collected, bounds), bounds };
}

/** Of all that was asked for, what the digest includes. Gone for good, a delivery is in one digest, and then in the coverage alone. */
function includeDeliveries(collected: Collected, bounds: DigestBounds): IncludedDelivery[] {
  const { recipients, history } = collected;
  return recipients.flatMap((found) => {
    const { delivery, unavailable } = found;
    const isGone = unavailable !== undefined && isGoneForGood(unavailable);
    if (isGone && history?.gone.has(keyOf('delivery', delivery.id))) return [];
    const createdAt = createdAtOf(delivery, collected);
    const inclusion = includeDelivery(found, createdAt, history?.deliveries.get(delivery.id), bounds);
    return inclusion === null ? [] : [{ found, ...inclusion }];
  });
}

/** When a delivery's broadcast was created, as an earlier run knew it or by its answer; `null` where that is not known. */
export function createdAtOf(
  { id, broadcast }: ListedDelivery,
  { broadcasts, history }: Pick<Collected, 'broadcasts' | 'history'>,
): number | null {
  const answered = broadcasts.get(broadcast.id)?.broadcast;
  return history?.deliveries.get(id)?.createdAt ?? answered?.createdAt ?? null;
}

/** Not found and gone are final answers: what they are said of will not be there next time. */
export function isGoneForGood({ reason }: Unavailable): boolean {
  return reason === 'not-found' || reason === 'gone';
}

/** The key of a thing of the service, under which the history knows that it is gone. */
export function keyOf(...parts: string[]): string {
  return JSON.stringify(parts);
}

/** The most digests that name a delivery as seen by nobody. */
const mostNamings = 4;

/**
 * Whether and why the digest includes a delivery with a wanted status; `null` where it does not. `createdAt` is its
 * broadcast's creation, where that is known: no delivery is older, but one broadcast may be delivered over months.
 *
 * - new: its first sign lies in the period, and no digest of an earlier period counted it as new;
 * - silent: nobody has engaged, and fewer than four digests named it. In a report's first run only if its broadcast was
 *   created in this period or the one before, and what that run left out stays out: nothing says when it was sent;
 * - active: any other with engagement within the period, and what can be judged for the first time: it was still counting in the last
 *   digest, or listed and not read;
 * - what cannot be read is included, unless it is known to be older.
 */
export function includeDelivery(
  { engagement }: Pick<Found<'recipients'>, 'engagement'>,
  createdAt: number | null,
  history: DeliveryHistory | undefined,
  bounds: DigestBounds,
): Inclusion | null {
  const { start, end } = bounds;
  if ((engagement?.firstSign ?? createdAt ?? start) >= end) return null;
  const unread = { kind: null, stillCounting: false, judged: false, datesUnreadable: false };
  if (engagement === undefined) return isKnownToBeOlder(history) ? null : unread;

  const { seen, responded, firstSign, inPeriod } = engagement;
  if (seen + responded === 0) {
    const isNamed = isNamedNow(createdAt, history, bounds);
    return isNamed ? { ...unread, kind: 'silent', stillCounting: isYoung(createdAt, bounds) } : null;
  }
  const datesUnreadable = areTooManyUndated(undatedSince(engagement, history));
  if (firstSign === null) {
    return datesUnreadable || !history?.shown ? { ...unread, datesUnreadable } : null;
  }
  const stillCounting = isYoung(firstSign, bounds);
  const isNew = firstSign >= start && !history?.new;
  const judged = (isNew || history?.pending === true) && !stillCounting && !datesUnreadable;
  const said = { stillCounting, judged, datesUnreadable };
  if (isNew || datesUnreadable) return { kind: isNew ? 'new' : null, ...said };
  return inPeriod.seen + inPeriod.responded > 0 || judged ? { kind: 'active', ...said } : null;
}

/** Whether the last run that could read a delivery counted engagement dated before the end of its period. */
export function isKnownToBeOlder(history: DeliveryHistory | undefined): boolean {
  const { seen, responded } = history?.counted ?? { seen: 0, responded: 0 };
  return seen + responded > 0;
}

function isNamedNow(createdAt: number | null, history: DeliveryHistory | undefined, bounds: DigestBounds): boolean {
  if (history?.engaged || history?.leftOut || (history?.namedIn?.length ?? 0) >= mostNamings) return false;
  return !bounds.firstRun || (createdAt !== null && createdAt >= bounds.precedingStart);
}

function isYoung(instant: number | null, { end, settleHours }: DigestBounds): boolean {
  return instant !== null && end - instant < settleHours * 3_600_000;
}

/** Rows with engagement, and those of them without a readable date. */
type Undated = Pick<Engagement, 'engaged' | 'undated'>;

/** Those that came since the last run that could read the list. */
export function undatedSince({ engaged, undated }: Undated, history: DeliveryHistory | undefined): Undated {
  const { counted = { engaged: 0, undated: 0 } } = history ?? {};
  return { engaged: Math.max(0, engaged - counted.engaged), undated: Math.max(0, undated - counted.undated) };
}

/** A share and a number of rows without a readable date up to which a figure of the period is given, with a note. */
const toleratedPercent = 10;
const toleratedRows = 2;

/** Whether too many rows lack a readable date for any figure of the period: it would be smaller than the truth. */
export function areTooManyUndated({ engaged, undated }: Undated): boolean {
  return undated > toleratedRows && 100 * undated > toleratedPercent * engaged;
}
