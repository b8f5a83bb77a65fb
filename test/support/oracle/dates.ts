import { Temporal } from 'temporal-polyfill';

/** Null, and as some services write it. Other ways, and other formats of dates, are judged where they are read (dates.test.ts). */
const nothing = new Set<unknown>([null, undefined, '', '0001-01-01T00:00:00Z']);

/** Whether `seenAt`, `respondedAt` or a rating says something. */
export function isSet(value: unknown): boolean {
  return !nothing.has(value);
}

const earliest = Date.UTC(2000, 0, 1);
const dayAlone = /^\d{4}-\d\d-\d\d$/;
const withOffset = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/;

/** Whether a date that can be read says the time of day, too. */
export function hasTime(value: unknown): boolean {
  return typeof value !== 'string' || !dayAlone.test(value);
}

/** The instant of a date of the service, in epoch milliseconds; `null` where nobody can say. */
export function instantOf(value: unknown, timeZone: string): number | null {
  if (typeof value !== 'string' || !isSet(value)) return null;
  if (dayAlone.test(value)) return beginOf(value, timeZone);
  return withOffset.test(value) && Date.parse(value) >= earliest ? Date.parse(value) : null;
}

const begins = new Map<string, number>();

function beginOf(day: string, timeZone: string): number {
  const key = `${timeZone} ${day}`;
  const begin = begins.get(key) ?? Temporal.PlainDate.from(day).toZonedDateTime(timeZone).epochMilliseconds;
  begins.set(key, begin);
  return begin;
}
