import type { Engagement } from '../ledger/collections.ts';
import type { Tally } from '../reporting-service/coverage.ts';
import { isSet, readDate } from '../reporting-service/dates.ts';
import type { JsonObject } from '../reporting-service/json.ts';
import type { Page } from '../reporting-service/pages.ts';
import { readRecipient } from '../reporting-service/shapes.ts';
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
export async function countEngagement(pages: AsyncIterable<Page>, window: Window, tally: Tally): Promise<Engagement> {
  const counter = createCounter(window, tally);
  for await (const { rows, mayBeCutOff } of pages) {
    for (const row of rows) {
      const recipient = readRecipient(row, tally);
      if (recipient !== null) counter.count(recipient);
    }
    if (mayBeCutOff) throw new UnavailableError('[GET] recipients', 'the list may be cut off', { reason: 'cut-off' });
  }
  return counter.result();
}

interface Counter {
  count(recipient: JsonObject): void;
  result(): Engagement;
}

function createCounter(window: Window, tally: Tally): Counter {
  const counts = {
    listed: 0,
    seen: 0,
    responded: 0,
    undated: 0,
    inPeriod: { seen: 0, responded: 0 },
    inPrecedingPeriod: { seen: 0, responded: 0 },
  };
  const ratings: Record<string, number> = {};
  const responseSeconds: number[] = [];
  let firstSign: number | null = null;

  const readEngagement = (value: unknown, what: 'seen' | 'responded'): number | null => {
    counts[what] += 1;
    const { instant, format } = readDate(value, window.timeZone);
    tally.reading('dates', format);
    if (instant === null) return null;
    firstSign = firstSign === null ? instant : Math.min(firstSign, instant);
    if (instant >= window.start && instant < window.end) counts.inPeriod[what] += 1;
    if (instant >= window.precedingStart && instant < window.start) counts.inPrecedingPeriod[what] += 1;
    return instant;
  };

  return {
    count: (recipient) => {
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
    },
    result: () => ({ ...counts, firstSign, medianResponseSeconds: median(responseSeconds), ratings }),
  };
}

/** A rating as decimal text: a finite number, or a text that is one. */
function readRating(value: unknown): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : null;
  return typeof value === 'string' && /^-?\d{1,6}(\.\d{1,6})?$/.test(value.trim()) ? String(Number(value)) : null;
}

/** The median; `null` of nothing. */
function median(values: number[]): number | null {
  const sorted = Float64Array.from(values).toSorted();
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  return upper === undefined || lower === undefined ? null : (upper + lower) / 2;
}
