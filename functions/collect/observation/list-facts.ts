import { addCount, type Counts } from '../../domain/counts-by-word.ts';
import { createMoments, type ListFacts, type RowMoments, type StepMinutes } from '../../domain/facts.ts';
import type { JsonObject } from '../../json-object.ts';
import type { Tally } from '../../reporting-service/coverage.ts';
import type { ListPage, ListPages } from '../../reporting-service/lists/pages.ts';
import { UnavailableError } from '../../reporting-service/requests/request.ts';
import { isDateOnly, isSet, readDate } from '../../reporting-service/dates.ts';

/** A list as it was read, and what facts do not keep of it. */
export interface ReadList {
  facts: ListFacts;
  /** Rows of people who responded. */
  responded: number;
  ratings: Ratings;
}

/** What the rows of a content item's list say of ratings. */
export type Ratings = Pick<ListFacts, 'ratings' | 'unreadableRatings'>;

/**
 * Reads a list of recipients as facts. What is read of it is for the digest to judge: a list whose rows lack a field is facts, too.
 * Nobody should have got it before `signsFrom`, epoch milliseconds: what a few rows have before, or less than half of all, is a
 * wrong clock's. Where more have, the delivery was out before the service listed it. Throws `UnavailableError` where a page is
 * unavailable, and where the list may be cut off.
 */
export async function readListFacts(
  list: ListPages | Iterable<ListPage>,
  { stepMinutes, signsFrom = -Infinity, ...within }: ReadWithin & { stepMinutes: StepMinutes; signsFrom?: number },
  tally: Tally,
): Promise<ReadList> {
  const counts = { listed: 0, untouched: 0 };
  const lacking = { seenAt: 0, respondedAt: 0, neither: 0 };
  const undated = { seen: 0, responded: 0, answered: 0 };
  const moments = createMoments(stepMinutes);
  const ratings: Counts = {};
  const early: Recipient[] = [];
  let [responded, unreadableRatings, areDays, mayBeCutOff] = [0, 0, false, false];

  const date = ({ hasSeen, hasResponded, seenAtMs, respondedAtMs }: Recipient): void => {
    if (hasSeen && seenAtMs === null) undated.seen += 1;
    if (hasResponded && respondedAtMs === null) undated.responded += 1;
    if (hasSeen && hasResponded && (seenAtMs === null || respondedAtMs === null)) undated.answered += 1;
    moments.add({ seenAtMs, respondedAtMs });
  };
  const readRow = (row: JsonObject | null): void => {
    const { hasDayOnly, missing, formats, ...recipient } = readRecipient(row, within);
    const { hasSeen, hasResponded } = recipient;
    counts.listed += 1;
    if (row === null) tally.missingField('recipient');
    for (const field of missing) {
      lacking[field] += 1;
      if (row !== null) tally.missingField(`recipient.${field}`);
    }
    for (const format of formats) tally.reading('dates', format);
    if (missing.length === 2) lacking.neither += 1;
    else if (!hasSeen && !hasResponded) counts.untouched += 1;
    if (!hasSeen && !hasResponded) return;
    const isEarly = Math.min(recipient.seenAtMs ?? Infinity, recipient.respondedAtMs ?? Infinity) < signsFrom;
    if (isEarly) early.push(recipient);
    else date(recipient);
    areDays ||= hasDayOnly;
    if (!hasResponded) return;
    responded += 1;
    const rating = readRating(row?.['rating']);
    if (rating === null) unreadableRatings += 1;
    else if (rating !== '') addCount(ratings, rating);
  };
  for await (const page of list) {
    for (const row of page.rows) readRow(row);
    ({ mayBeCutOff } = page);
  }
  const engaged = counts.listed - counts.untouched - lacking.neither;
  const areWrong = early.length < fewestEarly || 2 * early.length < engaged;
  const known = (atMs: number | null) => (areWrong && atMs !== null && atMs < signsFrom ? null : atMs);
  for (const { seenAtMs, respondedAtMs, ...recipient } of early) {
    date({ ...recipient, seenAtMs: known(seenAtMs), respondedAtMs: known(respondedAtMs) });
    if (areWrong) tally.reading('dates', ofWrongClock);
  }
  if (mayBeCutOff) throw new UnavailableError('[GET] recipients', 'the list may be cut off', { reason: 'cut-off' });
  const facts: ListFacts = {
    readMs: within.readAt,
    ...counts,
    ...(lacking.seenAt + lacking.respondedAt === 0 ? {} : { lacking }),
    undated,
    areDays,
    moments: moments.moments(),
  };
  const rated = Object.keys(ratings).length === 0 ? {} : { ratings };
  return { facts, responded, ratings: { ...rated, ...(unreadableRatings > 0 && { unreadableRatings }) } };
}

/** A rating as decimal text: a finite number, or a text that is one; empty where there is none, `null` where it cannot be read. */
function readRating(value: unknown): string | null {
  // Unlike a date, a rating may be 0.
  if (value !== 0 && value !== '0' && !isSet(value)) return '';
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : null;
  return typeof value === 'string' && /^-?\d{1,6}(\.\d{1,6})?$/.test(value.trim()) ? String(Number(value)) : null;
}

/** So many clocks are hardly wrong at once. */
const fewestEarly = 10;

/** Whether two readings of a list found the same. */
export function areSame(a: ListFacts | null, b: ListFacts | null): boolean {
  return JSON.stringify({ ...a, readMs: 0 }) === JSON.stringify({ ...b, readMs: 0 });
}

/** How far before its broadcast's creation, and after it was read, engagement may be dated: a wrong clock says what is further off. */
export const toleratedMs = 24 * 3_600_000;

const documentedDates = ['seenAt', 'respondedAt'] as const;

/** What a row's dates are read by, and held against. Instants are epoch milliseconds. */
interface ReadWithin {
  timeZone: string;
  /** Its broadcast's creation; `null` where that is not known. */
  createdAt: number | null;
  readAt: number;
}

/** What somebody did, and when. */
type Recipient = Pick<ReturnType<typeof readRecipient>, 'hasSeen' | 'hasResponded' | keyof RowMoments>;

const ofWrongClock = 'of a wrong clock';

/**
 * What *seen* and *responded* mean: a recipient has done it where the service gives it a date, readable or not. When, is
 * known of a date that can be read and is no wrong clock's. Neither implies the other. Instants are epoch milliseconds; `null`
 * where there is none, or its date cannot be read.
 */
export function readRecipient(row: JsonObject | null, { timeZone, createdAt, readAt }: ReadWithin) {
  const { seenAt, respondedAt } = row ?? {};
  const earliest = createdAt === null ? -Infinity : createdAt - toleratedMs;
  const latest = readAt + toleratedMs;
  const formats: string[] = [];
  const instantOf = (date: unknown): number | null => {
    if (!isSet(date)) return null;
    const { instant, format } = readDate(date, timeZone);
    const isWrong = instant !== null && (instant < earliest || instant > latest);
    formats.push(isWrong ? ofWrongClock : format);
    return isWrong ? null : instant;
  };
  return {
    hasSeen: isSet(seenAt),
    hasResponded: isSet(respondedAt),
    seenAtMs: instantOf(seenAt),
    respondedAtMs: instantOf(respondedAt),
    /** One of the two dates has no time of day. */
    hasDayOnly: isDateOnly(seenAt) || isDateOnly(respondedAt),
    /** The documented dates that the row has no field for. */
    missing: documentedDates.filter((field) => row?.[field] === undefined),
    /** How each date was read, as the coverage names it. */
    formats,
  };
}
