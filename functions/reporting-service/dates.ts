import { Temporal } from 'temporal-polyfill';
import { isObject } from './json.ts';

/** The date formats that are understood, by the name that the coverage gives them. */
export type DateFormat =
  | 'ISO 8601 with offset'
  | 'ISO 8601 without offset'
  | 'date only'
  | 'epoch seconds'
  | 'epoch milliseconds'
  | '{date, timezone}'
  | 'unreadable';

/** A date of the service: its instant in epoch milliseconds, `null` where it cannot be read, and how it was read. */
export interface ReadDate {
  instant: number | null;
  format: DateFormat;
}

const isoDateTime =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*([Zz]|[+-]\d{2}(?::?\d{2})?)?$/;
const isoDate = /^\d{4}-\d{2}-\d{2}$/;
const unreadable: ReadDate = { instant: null, format: 'unreadable' };

/** What an instant of this service can sensibly be; outside, a number is no epoch time. */
const earliest = Date.UTC(2000, 0, 1);
const latest = Date.UTC(2100, 0, 1);

/** Whether `seenAt` or `respondedAt` says that it happened: anything but nothing. */
export function isSet(value: unknown): boolean {
  return value !== null && value !== undefined && value !== '' && value !== false;
}

/**
 * Reads a date in whichever format the service uses; the interface only says "date". Dates without an offset are read in
 * `timeZone`, date-only ones as the start of that day there.
 */
export function readDate(value: unknown, timeZone: string): ReadDate {
  if (typeof value === 'string') return readDateText(value.trim(), timeZone);
  if (typeof value === 'number') return readEpoch(value);
  if (isObject(value) && typeof value['date'] === 'string') {
    const zone = typeof value['timezone'] === 'string' ? value['timezone'] : timeZone;
    return { instant: readDateText(value['date'].trim(), zone).instant, format: '{date, timezone}' };
  }
  return unreadable;
}

function readEpoch(value: number): ReadDate {
  const milliseconds = Math.abs(value) >= 1e11;
  const instant = Math.round(milliseconds ? value : value * 1000);
  if (!(instant >= earliest && instant < latest)) return unreadable;
  return { instant, format: milliseconds ? 'epoch milliseconds' : 'epoch seconds' };
}

function readDateText(text: string, timeZone: string): ReadDate {
  const parts = isoDateTime.exec(text);
  if (parts !== null) return readDateTime(text, parts, timeZone);
  if (isoDate.test(text)) return { instant: inZone(text, timeZone), format: 'date only' };
  return /^\d{9,13}(\.\d+)?$/.test(text) ? readEpoch(Number(text)) : unreadable;
}

function readDateTime(text: string, parts: RegExpExecArray, timeZone: string): ReadDate {
  const [, year, month, day, hour, minute, second = '0', fraction = '0', offset] = parts;
  if (offset === undefined) {
    return { instant: inZone(text.replace(' ', 'T').replace(',', '.'), timeZone), format: 'ISO 8601 without offset' };
  }
  const wall = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  // Date.UTC lets the 31st of February roll over; a date that does not come back as it went in is none.
  const valid = new Date(wall).getUTCDate() === Number(day) && Number(hour) < 24 && Number(minute) < 60;
  if (!valid || Number(second) > 60) return unreadable;
  const milliseconds = Math.floor(Number(`0.${fraction}`) * 1000);
  return { instant: wall + milliseconds - offsetMinutes(offset) * 60_000, format: 'ISO 8601 with offset' };
}

function offsetMinutes(offset: string): number {
  if (offset === 'Z' || offset === 'z') return 0;
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(3).replace(':', '') || '0');
  return offset.startsWith('-') ? -minutes : minutes;
}

/** Lists repeat the same minutes thousands of times; a zone's rules are looked up once for each. */
const readBefore = new Map<string, number | null>();
const remembered = 20_000;

function inZone(text: string, timeZone: string): number | null {
  const key = `${timeZone}|${text}`;
  const known = readBefore.get(key);
  if (known !== undefined) return known;
  if (readBefore.size >= remembered) readBefore.clear();
  const instant = computeInZone(text, timeZone);
  readBefore.set(key, instant);
  return instant;
}

function computeInZone(text: string, timeZone: string): number | null {
  try {
    const zoned = isoDate.test(text)
      ? Temporal.PlainDate.from(text).toZonedDateTime(timeZone)
      : Temporal.PlainDateTime.from(text, { overflow: 'reject' }).toZonedDateTime(timeZone);
    return zoned.epochMilliseconds;
  } catch {
    return null;
  }
}
