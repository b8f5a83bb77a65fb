import type { Engagement } from '../ledger/collections.ts';
import type { Tally } from '../reporting-service/coverage.ts';
import { isSet, readDate, type DateFormat } from '../reporting-service/dates.ts';
import type { JsonObject } from '../reporting-service/json.ts';
import type { Pages } from '../reporting-service/pages.ts';
import type { RowSink } from '../reporting-service/rows.ts';
import { createRecipientReader } from '../reporting-service/shapes.ts';
import { UnavailableError } from '../reporting-service/unavailable.ts';

/** The instants that divide the preceding period from the period, in epoch milliseconds; dates without offset are read in `timeZone`. */
export interface Window {
  precedingStart: number;
  start: number;
  end: number;
  timeZone: string;
}

/**
 * Counts a recipient list as it arrives; no row is kept. Throws `UnavailableError` where a page cannot be had, and where
 * the list may be cut off: its counts would be of an unknown part.
 */
export async function countEngagement(list: Pick<Pages, 'into'>, window: Window, tally: Tally): Promise<Engagement> {
  let total: Counts | null = null;
  for await (const { rows: page, mayBeCutOff } of list.into(() => createCounter(window, tally))) {
    page.tell();
    if (total === null) total = page.counts;
    else add(total, page.counts);
    if (mayBeCutOff) throw new UnavailableError('[GET] recipients', 'the list may be cut off', { reason: 'cut-off' });
  }
  const { responseSeconds, firstSign, ...counts } = total ?? emptyCounts();
  return {
    ...counts,
    firstSign: firstSign === Infinity ? null : firstSign,
    medianResponseSeconds: median(responseSeconds),
  };
}

/** What some rows say. `firstSign` is infinite where none has a readable date. */
interface Counts extends Omit<Engagement, 'firstSign' | 'medianResponseSeconds'> {
  firstSign: number;
  responseSeconds: number[];
}

function emptyCounts(): Counts {
  return {
    listed: 0,
    seen: 0,
    responded: 0,
    undated: 0,
    inPeriod: { seen: 0, responded: 0 },
    inPrecedingPeriod: { seen: 0, responded: 0 },
    firstSign: Infinity,
    responseSeconds: [],
    ratings: {},
  };
}

function add(total: Counts, page: Counts): void {
  for (const what of ['listed', 'seen', 'responded', 'undated'] as const) total[what] += page[what];
  for (const span of ['inPeriod', 'inPrecedingPeriod'] as const) {
    for (const what of ['seen', 'responded'] as const) total[span][what] += page[span][what];
  }
  total.firstSign = Math.min(total.firstSign, page.firstSign);
  for (const seconds of page.responseSeconds) total.responseSeconds.push(seconds);
  for (const [rating, times] of Object.entries(page.ratings))
    total.ratings[rating] = (total.ratings[rating] ?? 0) + times;
}

/** Nearly every date is of this format; counting the others by their name is as slow as it is rare. */
const commonest: DateFormat = 'ISO 8601 with offset';

/** What one answer's rows came to, and how they were read, which only an answer that counts tells. */
interface CountedPage {
  counts: Counts;
  tell(): void;
}

function createCounter(window: Window, tally: Tally): RowSink<CountedPage> {
  const reader = createRecipientReader(tally);
  const counts = emptyCounts();
  const { inPeriod, inPrecedingPeriod, responseSeconds, ratings } = counts;
  const formats = new Map<DateFormat, number>();
  let offsets = 0;

  const readEngagement = (value: unknown, what: 'seen' | 'responded'): number | null => {
    counts[what] += 1;
    const { instant, format } = readDate(value, window.timeZone);
    if (format === commonest) offsets += 1;
    else formats.set(format, (formats.get(format) ?? 0) + 1);
    if (instant === null) return null;
    if (instant < counts.firstSign) counts.firstSign = instant;
    if (instant >= window.start && instant < window.end) inPeriod[what] += 1;
    else if (instant >= window.precedingStart && instant < window.start) inPrecedingPeriod[what] += 1;
    return instant;
  };
  const count = (recipient: JsonObject): void => {
    counts.listed += 1;
    const { seenAt, respondedAt } = recipient;
    const seen = isSet(seenAt) ? readEngagement(seenAt, 'seen') : undefined;
    const responded = isSet(respondedAt) ? readEngagement(respondedAt, 'responded') : undefined;
    if (seen === null || responded === null) counts.undated += 1;
    if (typeof seen === 'number' && typeof responded === 'number' && responded >= seen) {
      responseSeconds.push((responded - seen) / 1000);
    }
    const rating = readRating(recipient['rating']);
    if (rating !== null) ratings[rating] = (ratings[rating] ?? 0) + 1;
  };

  return {
    take: (rows) => {
      for (const row of rows) {
        const recipient = reader.read(row);
        if (recipient !== null) count(recipient);
      }
    },
    result: () => ({
      counts,
      tell: () => {
        reader.tell();
        if (offsets > 0) tally.reading('dates', commonest, offsets);
        for (const [format, times] of formats) tally.reading('dates', format, times);
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
  const sorted = new Float64Array(values);
  sorted.sort();
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  return upper === undefined || lower === undefined ? null : (upper + lower) / 2;
}
