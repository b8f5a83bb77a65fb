import type { PeriodBounds } from '../domain/period.ts';
import type { Engagement } from '../ledger/runs/collections.ts';
import type { Tally } from '../reporting-service/coverage.ts';
import { isDateOnly, isSet, readDate, readPlainDateTime, type DateFormat } from '../reporting-service/dates.ts';
import type { JsonObject } from '../reporting-service/json.ts';
import type { ListPages } from '../reporting-service/lists/pages.ts';
import type { RowSink } from '../reporting-service/lists/rows.ts';
import { createRecipientReader } from '../reporting-service/shapes.ts';
import { UnavailableError } from '../reporting-service/unavailable.ts';

/** What the rows of a list are counted by. */
export interface CountedWithin {
  bounds: PeriodBounds;
  /** Its broadcast's creation, in epoch milliseconds; `null` where that is not known. */
  createdAt: number | null;
}

/** How long before its broadcast's creation engagement may be dated: what is earlier comes from a wrong clock. */
const toleratedMs = 24 * 3_600_000;

/**
 * Counts a recipient list as it arrives; no row is kept. Throws `UnavailableError` where a page is unavailable, and where
 * the list may be cut off: the counts would cover an unknown part of it.
 */
export async function countEngagement(
  list: Pick<ListPages, 'into'>,
  within: CountedWithin,
  tally: Tally,
): Promise<Engagement> {
  let page = await list.into(() => createCounter(within, tally));
  page.rows.tallyReadings();
  const { counts: total } = page.rows;
  while (page.next !== null) {
    page = await page.next();
    page.rows.tallyReadings();
    add(total, page.rows.counts);
  }
  if (page.mayBeCutOff)
    throw new UnavailableError('[GET] recipients', 'the list may be cut off', { reason: 'cut-off' });
  const { listed, engaged, untouched, seen, responded, answered, undated, firstSign, responseSeconds } = total;
  const { lackingFields, lackingBoth } = total;
  return {
    listed,
    engaged,
    untouched,
    seen: seen.toDate,
    responded: responded.toDate,
    answered: answered.toDate,
    undated,
    inPeriod: { seen: seen.inPeriod, responded: responded.inPeriod, answered: answered.inPeriod },
    before: { seen: seen.before, responded: responded.before },
    firstSign: firstSign === Infinity ? null : firstSign,
    medianResponseSeconds: median(responseSeconds),
    ...(lackingFields === 0 ? {} : { lackingFields }),
    ...(lackingBoth === 0 ? {} : { lackingBoth }),
    ...readableRatings(total),
  };
}

/** How many recipients did something: to date, dated within the period, and dated before it. */
interface Done {
  toDate: number;
  inPeriod: number;
  before: number;
}

/** The counts of some rows. `firstSign` is infinite where none has a readable date. */
interface Counts {
  listed: number;
  /** Rows of somebody who saw it or responded, and rows that say of somebody that they did neither. */
  engaged: number;
  untouched: number;
  seen: Done;
  responded: Done;
  /** Those who saw it and responded: within the period, who saw it in the period and had responded by its end. */
  answered: Omit<Done, 'before'>;
  undated: number;
  firstSign: number;
  responseSeconds: number[];
  lackingFields: number;
  lackingBoth: number;
  ratings: Map<string, number>;
  unreadableRatings: number;
}

function emptyCounts(): Counts {
  return {
    listed: 0,
    engaged: 0,
    untouched: 0,
    seen: { toDate: 0, inPeriod: 0, before: 0 },
    responded: { toDate: 0, inPeriod: 0, before: 0 },
    answered: { toDate: 0, inPeriod: 0 },
    undated: 0,
    firstSign: Infinity,
    responseSeconds: [],
    lackingFields: 0,
    lackingBoth: 0,
    ratings: new Map(),
    unreadableRatings: 0,
  };
}

function add(total: Counts, page: Counts): void {
  for (const what of ['listed', 'engaged', 'untouched', 'undated'] as const) total[what] += page[what];
  for (const what of ['seen', 'responded', 'answered'] as const) {
    total[what].toDate += page[what].toDate;
    total[what].inPeriod += page[what].inPeriod;
  }
  for (const what of ['seen', 'responded'] as const) total[what].before += page[what].before;
  total.firstSign = Math.min(total.firstSign, page.firstSign);
  for (const seconds of page.responseSeconds) total.responseSeconds.push(seconds);
  total.lackingFields += page.lackingFields;
  total.lackingBoth += page.lackingBoth;
  for (const [rating, times] of page.ratings) countRating(total, rating, times);
  total.unreadableRatings += page.unreadableRatings;
}

/** No rating scale has more steps: with more distinct values, the numbers are not ratings. */
const mostDistinctRatings = 1_000;

function countRating(counts: Counts, rating: string, times: number): void {
  const before = counts.ratings.get(rating);
  // One value beyond the limit is kept, as the sign that this is no scale; further ones are only counted.
  if (before === undefined && counts.ratings.size > mostDistinctRatings) counts.unreadableRatings += times;
  else counts.ratings.set(rating, (before ?? 0) + times);
}

function readableRatings({ ratings, unreadableRatings }: Counts): Pick<Engagement, 'ratings' | 'unreadableRatings'> {
  const isScale = ratings.size <= mostDistinctRatings;
  const unreadable = unreadableRatings + (isScale ? 0 : [...ratings.values()].reduce((sum, times) => sum + times, 0));
  return {
    ratings: isScale ? Object.fromEntries(ratings) : {},
    ...(unreadable === 0 ? {} : { unreadableRatings: unreadable }),
  };
}

/** Nearly every date has this format, that of `readPlainDateTime`. The others are counted by name, which is slow. */
const commonest: DateFormat = 'ISO 8601 with offset';

/** The counts of one answer. How its rows were read is added to the tally only where the answer is used. */
interface CountedPage {
  counts: Counts;
  tallyReadings(): void;
}

/** Counts the rows of a page. Their ids are not read: none is documented, so it is not known what they identify. */
function createCounter({ bounds, createdAt }: CountedWithin, tally: Tally): RowSink<CountedPage> {
  const { start, end, timeZone } = bounds;
  const notBefore = createdAt === null ? -Infinity : createdAt - toleratedMs;
  const reader = createRecipientReader(tally);
  const counts = emptyCounts();
  const { responseSeconds } = counts;
  const others: Partial<Record<DateFormat | 'before the broadcast', number>> = {};
  let common = 0;

  /** In epoch milliseconds; NaN where it cannot be read, or is that of a wrong clock. */
  const instantOf = (value: unknown): number => {
    const plain = typeof value === 'string' ? readPlainDateTime(value) : Number.NaN;
    if (plain >= notBefore) {
      common += 1;
      return plain;
    }
    const { instant, format } = readDate(value, timeZone);
    const isTooEarly = instant !== null && instant < notBefore;
    const met = isTooEarly ? 'before the broadcast' : format;
    others[met] = (others[met] ?? 0) + 1;
    return isTooEarly ? Number.NaN : (instant ?? Number.NaN);
  };
  const place = (instant: number, done: Done): void => {
    done.toDate += 1;
    if (instant < counts.firstSign) counts.firstSign = instant;
    if (instant < start) done.before += 1;
    else if (instant < end) done.inPeriod += 1;
  };
  const count = (recipient: JsonObject): void => {
    const { seenAt, respondedAt } = recipient;
    counts.listed += 1;
    if (seenAt === undefined || respondedAt === undefined) counts.lackingFields += 1;
    if (seenAt === undefined && respondedAt === undefined) counts.lackingBoth += 1;
    const hasSeen = isSet(seenAt);
    const hasResponded = isSet(respondedAt);
    const seen = hasSeen ? instantOf(seenAt) : Number.NaN;
    const responded = hasResponded ? instantOf(respondedAt) : Number.NaN;
    if (hasSeen || hasResponded) counts.engaged += 1;
    else if (seenAt !== undefined && respondedAt !== undefined) counts.untouched += 1;
    if (hasSeen) place(seen, counts.seen);
    if (hasResponded) place(responded, counts.responded);
    if (hasSeen && hasResponded) counts.answered.toDate += 1;
    if (seen >= start && seen < end && responded < end) counts.answered.inPeriod += 1;
    if ((hasSeen && Number.isNaN(seen)) || (hasResponded && Number.isNaN(responded))) counts.undated += 1;
    if (responded >= seen && !isDateOnly(seenAt) && !isDateOnly(respondedAt)) {
      responseSeconds.push((responded - seen) / 1000);
    }
    const given = recipient['rating'];
    // Unlike a date, a rating may be 0.
    if (given !== 0 && given !== '0' && !isSet(given)) return;
    const rating = readRating(given);
    if (rating === null) counts.unreadableRatings += 1;
    else countRating(counts, rating, 1);
  };

  return {
    take: (rows) => {
      for (const row of rows) count(reader.read(row));
    },
    result: () => ({
      counts,
      tallyReadings: () => {
        reader.tallyReadings();
        if (common > 0) tally.reading('dates', commonest, common);
        for (const [format, times] of Object.entries(others)) tally.reading('dates', format, times);
      },
    }),
  };
}

/** A rating as decimal text: a finite number, or a text that is one. */
function readRating(value: unknown): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : null;
  return typeof value === 'string' && /^-?\d{1,6}(\.\d{1,6})?$/.test(value.trim()) ? String(Number(value)) : null;
}

/** The median; `null` of nothing. */
function median(values: number[]): number | null {
  if (values.length === 0) return null;
  const sorted = sortNumbers(values);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  return upper === undefined || lower === undefined ? null : (upper + lower) / 2;
}

/** So few numbers are sorted sooner in place than in a typed array. */
const fewNumbers = 50;

function sortNumbers(values: number[]): ArrayLike<number> {
  if (values.length > fewNumbers) return new Float64Array(values).toSorted();
  for (let index = 1; index < values.length; index += 1) {
    const value = values[index] ?? 0;
    let place = index;
    for (; place > 0 && (values[place - 1] ?? 0) > value; place -= 1) values[place] = values[place - 1] ?? 0;
    values[place] = value;
  }
  return values;
}
