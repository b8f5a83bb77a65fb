import type { PeriodBounds } from '../domain/period.ts';
import { curveOf, type Curve, type Instants } from '../domain/curve.ts';
import { saysViews } from '../domain/figures.ts';
import type { JsonObject } from '../json-object.ts';
import type { Engagement } from '../ledger/runs/collections.ts';
import type { Tally } from '../reporting-service/coverage.ts';
import { isDateOnly, isSet, readDate } from '../reporting-service/dates.ts';
import type { ListPage, ListPages } from '../reporting-service/lists/pages.ts';
import { UnavailableError } from '../reporting-service/unavailable.ts';
import { createRatingCount } from './ratings.ts';

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

const dayMs = 24 * 3_600_000;
/** How far before its broadcast's creation, and after it was read, engagement may be dated: a wrong clock says what is further off. */
export const toleratedMs = dayMs;

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

/** What a recipient did: each is set, or not, and when, in epoch milliseconds; NaN where that is not known. */
interface ReadRow {
  hasSeen: boolean;
  hasResponded: boolean;
  seenAt: number;
  respondedAt: number;
}

/** What *seen* and *responded* mean: a recipient has done it where the service gives it a date, readable or not. */
function readRow(row: JsonObject | null, instantOf: (date: unknown) => number): ReadRow {
  const { seenAt, respondedAt } = row ?? {};
  return {
    hasSeen: isSet(seenAt),
    hasResponded: isSet(respondedAt),
    seenAt: isSet(seenAt) ? instantOf(seenAt) : Number.NaN,
    respondedAt: isSet(respondedAt) ? instantOf(respondedAt) : Number.NaN,
  };
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
  { bounds: { precedingStart, start, end, timeZone }, createdAt, firstSign = null, readAt }: CountedWithin,
  tally: Tally,
  instants?: Instants,
): Promise<Engagement> {
  const notBefore = createdAt === null ? -Infinity : createdAt - toleratedMs;
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

  const instantOf = (date: unknown): number => {
    const { instant, format } = readDate(date, timeZone);
    const isWrong = instant !== null && (instant < notBefore || instant > readAt + toleratedMs);
    tally.reading('dates', isWrong ? 'of a wrong clock' : format);
    return instant === null || isWrong ? Number.NaN : instant;
  };
  const place = (what: 'seen' | 'responded', instant: number): void => {
    counts[what] += 1;
    if (!Number.isNaN(instant)) instants?.[what].push(instant);
    if (instant < start) counts.before[what] += 1;
    if (instant >= precedingStart && instant < start) counts.preceding[what] += 1;
    if (instant >= start && instant < end) counts.inPeriod[what] += 1;
  };
  const countFields = (recipient: JsonObject | null): number => {
    if (recipient === null) tally.missingField('recipient');
    const missing = (['seenAt', 'respondedAt'] as const).filter((field) => recipient?.[field] === undefined);
    for (const field of missing) {
      lacking[field] += 1;
      if (recipient !== null) tally.missingField(`recipient.${field}`);
    }
    if (missing.length === 2) lacking.neither += 1;
    return missing.length;
  };
  const countRow = (recipient: JsonObject | null): void => {
    const { hasSeen, hasResponded, seenAt, respondedAt } = readRow(recipient, instantOf);
    counts.listed += 1;
    // A row with neither field says nothing of what somebody did.
    const isRead = countFields(recipient) < 2;
    if (hasSeen || hasResponded) counts.engaged += 1;
    else if (isRead) counts.untouched += 1;
    if (hasSeen) place('seen', seenAt);
    if (hasResponded) place('responded', respondedAt);
    if (hasSeen && hasResponded) counts.answered += 1;
    // Of those who saw it within the period, who had responded by its end.
    if (seenAt >= start && seenAt < end && respondedAt < end) counts.inPeriod.answered += 1;
    if ((hasSeen && Number.isNaN(seenAt)) || (hasResponded && Number.isNaN(respondedAt))) counts.undated += 1;
    const known = [seenAt, respondedAt].filter((instant) => !Number.isNaN(instant));
    if (known.length > 0) firstInstants.push(Math.min(...known));
    const { seenAt: seenDate, respondedAt: respondedDate, rating } = recipient ?? {};
    if (instants !== undefined && (isDateOnly(seenDate) || isDateOnly(respondedDate))) instants.areDays = true;
    // What stands as a rating beside somebody who did not respond is none.
    if (hasResponded) ratings.add(rating);
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

const weekMs = 7 * dayMs;

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
