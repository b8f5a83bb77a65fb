import type { JsonObject } from '../json-object.ts';
import { isDateOnly, isSet, readDate } from '../reporting-service/dates.ts';

/** How far before its broadcast's creation, and after it was read, engagement may be dated: a wrong clock says what is further off. */
export const toleratedMs = 24 * 3_600_000;

const documentedDates = ['seenAt', 'respondedAt'] as const;

/** What a row's dates are read by, and held against. Instants are epoch milliseconds. */
export interface ReadWithin {
  timeZone: string;
  /** Its broadcast's creation; `null` where that is not known. */
  createdAt: number | null;
  readAt: number;
  /** Nobody can have got it earlier. */
  signsFrom?: number;
}

/**
 * What *seen* and *responded* mean: a recipient has done it where the service gives it a date, readable or not. When, is
 * known of a date that can be read and is no wrong clock's. Neither implies the other. Instants are epoch milliseconds; NaN where
 * there is none, or its date cannot be read.
 */
export function readRecipient(
  row: JsonObject | null,
  { timeZone, createdAt, readAt, signsFrom = -Infinity }: ReadWithin,
) {
  const { seenAt, respondedAt } = row ?? {};
  const earliest = Math.max(signsFrom, createdAt === null ? -Infinity : createdAt - toleratedMs);
  const latest = readAt + toleratedMs;
  const formats: string[] = [];
  const instantOf = (date: unknown): number => {
    if (!isSet(date)) return Number.NaN;
    const { instant, format } = readDate(date, timeZone);
    const isWrong = instant !== null && (instant < earliest || instant > latest);
    formats.push(isWrong ? 'of a wrong clock' : format);
    return instant === null || isWrong ? Number.NaN : instant;
  };
  return {
    hasSeen: isSet(seenAt),
    hasResponded: isSet(respondedAt),
    seenAt: instantOf(seenAt),
    respondedAt: instantOf(respondedAt),
    /** One of the two dates has no time of day. */
    hasDayOnly: isDateOnly(seenAt) || isDateOnly(respondedAt),
    /** The documented dates that the row has no field for. */
    missing: documentedDates.filter((field) => row?.[field] === undefined),
    /** How each date was read, as the coverage names it. */
    formats,
  };
}
