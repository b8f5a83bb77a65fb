import type { PeriodBounds } from '../domain/period.ts';
import { curveOf, type Curve, type Instants } from '../domain/curve.ts';
import { saysViews } from '../domain/figures.ts';
import type { JsonObject } from '../json-object.ts';
import type { Engagement } from '../ledger/runs/collections.ts';
import type { Tally } from '../reporting-service/coverage.ts';
import type { ListPage, ListPages } from '../reporting-service/lists/pages.ts';
import { UnavailableError } from '../reporting-service/requests/request.ts';
import { createRatingCount } from './ratings.ts';
import { readRecipient } from './seen-and-responded.ts';

/** What the rows of a list are counted by. Instants are epoch milliseconds. */
export interface CountedWithin {
  bounds: PeriodBounds;
  /** Its broadcast's creation; `null` where that is not known. */
  createdAt: number | null;
  /** The first sign that an earlier run counted: it stays. `null` where there is none. */
  firstSign?: number | null;
  /** When the list is read. */
  readAt: number;
}

/** Of so many rows one may come from a wrong clock: the earliest of a list, or one whose date cannot be read. */
const rowsOfOneWrong = 20;

/**
 * Counts the recipients of a delivery, and how it grew, where it says who saw it, and the dates of at most a twentieth of them
 * cannot be read: these are not in its curve, and are too few to undo what it is compared with.
 */
export async function countDelivery(
  list: ListPages | Iterable<ListPage>,
  within: CountedWithin,
  tally: Tally,
): Promise<{ engagement: Engagement; curve?: Curve }> {
  const instants: Instants = { seen: [], responded: [], areDays: false };
  const engagement = await countEngagement(list, within, tally, instants);
  const { firstSign, undated, seen } = engagement;
  if (firstSign === null || undated * rowsOfOneWrong > seen || !saysViews(engagement)) return { engagement };
  return { engagement, curve: curveOf(instants, firstSign, within.bounds.end) };
}

/**
 * Counts a recipient list page by page. The rows' ids are not read: none is documented, so it is not known what they
 * identify. Throws `UnavailableError` where a page is unavailable, where the list may be cut off, because the counts would
 * cover an unknown part of it, and where no row has either of the two documented dates: they have other names then.
 *
 * @param instants takes the readable dates, for a curve
 */
export async function countEngagement(
  list: ListPages | Iterable<ListPage>,
  { bounds, createdAt, firstSign = null, readAt }: CountedWithin,
  tally: Tally,
  instants: Instants = { seen: [], responded: [], areDays: false },
): Promise<Engagement> {
  const { precedingStart, start, end, timeZone } = bounds;
  const counts: Engagement = {
    listed: 0,
    engaged: 0,
    untouched: 0,
    seen: 0,
    responded: 0,
    answered: 0,
    undated: 0,
    inPeriod: { seen: 0, responded: 0, answered: 0 },
    preceding: { seen: 0, responded: 0 },
    before: { seen: 0, responded: 0 },
    firstSign: null,
  };
  /** The first instant of each row that has a readable one. */
  const firstInstants: number[] = [];
  const ratings = createRatingCount();
  const lacking = { seenAt: 0, respondedAt: 0, neither: 0 };

  const countDated = (action: 'seen' | 'responded', instant: number): void => {
    counts[action] += 1;
    if (!Number.isNaN(instant)) instants[action].push(instant);
    if (instant < start) counts.before[action] += 1;
    if (instant >= precedingStart && instant < start) counts.preceding[action] += 1;
    if (instant >= start && instant < end) counts.inPeriod[action] += 1;
  };
  const countRow = (row: JsonObject | null): void => {
    const recipient = readRecipient(row, { timeZone, createdAt, readAt });
    const { hasSeen, hasResponded, seenAt, respondedAt, missing } = recipient;
    counts.listed += 1;
    if (row === null) tally.missingField('recipient');
    for (const field of missing) {
      lacking[field] += 1;
      if (row !== null) tally.missingField(`recipient.${field}`);
    }
    for (const format of recipient.formats) tally.reading('dates', format);
    // A row with neither field says nothing of what somebody did.
    if (missing.length === 2) lacking.neither += 1;
    else if (!hasSeen && !hasResponded) counts.untouched += 1;
    if (hasSeen || hasResponded) counts.engaged += 1;
    if (hasSeen) countDated('seen', seenAt);
    if (hasResponded) countDated('responded', respondedAt);
    if (hasSeen && hasResponded) counts.answered += 1;
    // Of those who saw it within the period, who had responded by its end.
    if (seenAt >= start && seenAt < end && respondedAt < end) counts.inPeriod.answered += 1;
    if ((hasSeen && Number.isNaN(seenAt)) || (hasResponded && Number.isNaN(respondedAt))) counts.undated += 1;
    const firstInstant = Math.min(seenAt || Infinity, respondedAt || Infinity);
    if (firstInstant < Infinity) firstInstants.push(firstInstant);
    instants.areDays ||= recipient.hasDayOnly;
    // What stands as a rating beside somebody who did not respond is none.
    if (hasResponded) ratings.add(row?.['rating']);
  };

  let mayBeCutOff = false;
  for await (const page of list) {
    for (const row of page.rows) countRow(row);
    ({ mayBeCutOff } = page);
  }
  if (mayBeCutOff) throw new UnavailableError('[GET] recipients', 'the list may be cut off', { reason: 'cut-off' });
  if (counts.listed > 0 && lacking.neither === counts.listed) {
    throw new UnavailableError('[GET] recipients', 'no row has a date', { reason: 'unreadable' });
  }
  return {
    ...counts,
    firstSign: firstSign ?? firstSignOf(firstInstants, createdAt),
    ...ratings.counts(),
    ...(lacking.seenAt + lacking.respondedAt === 0 ? {} : { lacking }),
  };
}

const weekMs = 7 * 24 * 3_600_000;

/**
 * The first sign that somebody got a delivery: the earliest engagement. Of twenty rows and more the earliest twentieth is left
 * out where it lies before the broadcast's creation, or a week before the rest. `null` without any.
 */
function firstSignOf(firstInstants: readonly number[], createdAt: number | null): number | null {
  const sorted = firstInstants.toSorted((a, b) => a - b);
  for (let place = Math.floor(sorted.length / rowsOfOneWrong); place > 0; place -= 1) {
    const [last = Number.NaN, next = Number.NaN] = sorted.slice(place - 1, place + 1);
    if (last < (createdAt ?? -Infinity) || next - last >= weekMs) return next;
  }
  return sorted[0] ?? null;
}
