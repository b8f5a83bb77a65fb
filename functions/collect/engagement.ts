import type { PeriodBounds } from '../domain/period.ts';
import { curveOf, type Curve, type Instants } from '../domain/curve.ts';
import type { JsonObject } from '../json-object.ts';
import type { Engagement } from '../ledger/runs/collections.ts';
import type { Tally } from '../reporting-service/coverage.ts';
import { isDateOnly, isSet, readDate } from '../reporting-service/dates.ts';
import type { ListPage, ListPages } from '../reporting-service/lists/pages.ts';
import { UnavailableError } from '../reporting-service/unavailable.ts';
import { createRatingCount } from './ratings.ts';

/** What the rows of a list are counted by. */
export interface CountedWithin {
  bounds: PeriodBounds;
  /** Its broadcast's creation, in epoch milliseconds; `null` where that is not known. */
  createdAt: number | null;
}

/** How long before its broadcast's creation engagement may be dated: what is earlier comes from a wrong clock. */
const toleratedMs = 24 * 3_600_000;

/** Counts the recipients of a delivery, and how it grew, where all of its dates can be read. */
export async function countDelivery(
  list: ListPages | Iterable<ListPage>,
  within: CountedWithin,
  tally: Tally,
): Promise<{ engagement: Engagement; curve?: Curve }> {
  const instants: Instants = { seen: [], responded: [], areDays: false };
  const engagement = await countEngagement(list, within, tally, instants);
  const { firstSign, undated } = engagement;
  if (firstSign === null || undated > 0) return { engagement };
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
  { bounds: { start, end, timeZone }, createdAt }: CountedWithin,
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
    before: { seen: 0, responded: 0 },
    firstSign: null,
  };
  const ratings = createRatingCount();
  let lackingFields = 0;
  let lackingBoth = 0;

  /** In epoch milliseconds; NaN where nothing happened, or at a time that cannot be read or is that of a wrong clock. */
  const instantOf = (date: unknown): number => {
    if (!isSet(date)) return Number.NaN;
    const { instant, format } = readDate(date, timeZone);
    const isTooEarly = instant !== null && instant < notBefore;
    tally.reading('dates', isTooEarly ? 'before the broadcast' : format);
    return instant === null || isTooEarly ? Number.NaN : instant;
  };
  const place = (what: 'seen' | 'responded', instant: number): void => {
    counts[what] += 1;
    if (instant < (counts.firstSign ?? Infinity)) counts.firstSign = instant;
    if (!Number.isNaN(instant)) instants?.[what].push(instant);
    if (instant < start) counts.before[what] += 1;
    else if (instant < end) counts.inPeriod[what] += 1;
  };
  const countRow = (recipient: JsonObject | null): void => {
    const { seenAt, respondedAt, rating } = recipient ?? {};
    counts.listed += 1;
    if (recipient === null) tally.missingField('recipient');
    else if (seenAt === undefined) tally.missingField('recipient.seenAt');
    if (recipient !== null && respondedAt === undefined) tally.missingField('recipient.respondedAt');
    const lacking = Number(seenAt === undefined) + Number(respondedAt === undefined);
    if (lacking > 0) lackingFields += 1;
    if (lacking === 2) lackingBoth += 1;

    const hasSeen = isSet(seenAt);
    const hasResponded = isSet(respondedAt);
    if (hasSeen || hasResponded) counts.engaged += 1;
    else if (lacking === 0) counts.untouched += 1;
    const seen = instantOf(seenAt);
    const responded = instantOf(respondedAt);
    if (hasSeen) place('seen', seen);
    if (hasResponded) place('responded', responded);
    if (hasSeen && hasResponded) counts.answered += 1;
    // Of those who saw it within the period, who had responded by its end.
    if (seen >= start && seen < end && responded < end) counts.inPeriod.answered += 1;
    if ((hasSeen && Number.isNaN(seen)) || (hasResponded && Number.isNaN(responded))) counts.undated += 1;
    if (instants !== undefined && (isDateOnly(seenAt) || isDateOnly(respondedAt))) instants.areDays = true;
    ratings.add(rating);
  };

  let mayBeCutOff = false;
  for await (const page of list) {
    for (const row of page.rows) countRow(row);
    ({ mayBeCutOff } = page);
  }
  if (mayBeCutOff) throw new UnavailableError('[GET] recipients', 'the list may be cut off', { reason: 'cut-off' });
  if (counts.listed > 0 && lackingBoth === counts.listed) {
    throw new UnavailableError('[GET] recipients', 'no row has a date', { reason: 'unreadable' });
  }
  return {
    ...counts,
    ...ratings.counts(),
    ...(lackingFields === 0 ? {} : { lackingFields }),
  };
}
