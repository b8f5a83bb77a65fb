import { Temporal } from 'temporal-polyfill';
import { memoize } from '../domain/memoize.ts';
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
interface ReadDate {
  instant: number | null;
  format: DateFormat;
}

const isoDateTime =
  /^(\d{4})-(0[1-9]|1[0-2])-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*([Zz]|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?$/;
const isoDate = /^\d{4}-\d{2}-\d{2}$/;
const unreadable: ReadDate = { instant: null, format: 'unreadable' };

/** The bounds of a plausible instant. One outside of them means "none", or is an error. */
const earliest = Date.UTC(2000, 0, 1);
const latest = Date.UTC(2100, 0, 1);

/** Whether an instant lies within the bounds; NaN does not. */
function isPlausible(instant: number): boolean {
  return instant >= earliest && instant < latest;
}

/** Days that services write for null; of 1970, only the first second is one, epoch 0. */
const nullDay = /^(?:0001|1900)-01-01(?!\d)/;

/**
 * Whether the value of `seenAt` or `respondedAt` says that it happened. `0001-01-01`, `1900-01-01` and epoch 0, in whichever
 * format, are null written otherwise; any other date says so, readable or not.
 */
export function isSet(value: unknown): boolean {
  if (value === null || value === undefined || value === '' || value === false || value === 0) return false;
  const text = isObject(value) ? value['date'] : value;
  // Nearly every date is of this millennium, which costs no more than to look at one digit.
  if (typeof text !== 'string' || text.startsWith('2')) return true;
  const { instant } = readAnyDate(value, 'UTC');
  return text.trim() !== '' && text.trim() !== '0' && instant !== 0 && (instant === null || !nullDay.test(text.trim()));
}

/**
 * Reads a date in whichever format the service uses; the interface only says "date". Dates without an offset are read in
 * `timeZone`, date-only ones as the start of that day there. A date before 2000 or from 2100 on, in whichever format, is
 * unreadable.
 */
export function readDate(value: unknown, timeZone: string): ReadDate {
  const read = readAnyDate(value, timeZone);
  return read.instant !== null && isPlausible(read.instant) ? read : unreadable;
}

/** Whether a date that can be read has no time of day: no duration can be computed from it. */
export function isDateOnly(value: unknown): boolean {
  const text = isObject(value) ? value['date'] : value;
  return typeof text === 'string' && isoDate.test(text.trim());
}

/** Reads a date of any year. */
function readAnyDate(value: unknown, timeZone: string): ReadDate {
  if (typeof value === 'string') {
    const instant = readPlainDateTime(value);
    return Number.isNaN(instant) ? readDateText(value.trim(), timeZone) : { instant, format: 'ISO 8601 with offset' };
  }
  if (typeof value === 'number') return readEpoch(value);
  if (isObject(value) && typeof value['date'] === 'string') {
    const zone = typeof value['timezone'] === 'string' ? value['timezone'] : timeZone;
    return { instant: readDateText(value['date'].trim(), zone).instant, format: '{date, timezone}' };
  }
  return unreadable;
}

/** Rows that follow each other are mostly of one day, whose start is computed once for them all. */
let lastDay = { digits: 19_700_101, start: 0 };

/**
 * `YYYY-MM-DDThh:mm:ss` with `Z` or `±hh:mm`, in epoch milliseconds: what nearly every row of a list has, read digit by
 * digit, since a regular expression takes ten times as long. NaN for an implausible date, and for any other text, which may
 * be a date as well.
 */
export function readPlainDateTime(text: string): number {
  const { length } = text;
  if (length !== 20 && length !== 25) return Number.NaN;
  const century = twoDigits(text, 0);
  const ofCentury = twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  const hour = twoDigits(text, 11);
  const minute = twoDigits(text, 14);
  const second = twoDigits(text, 17);
  const misplaced =
    (text.charCodeAt(4) ^ 45) |
    (text.charCodeAt(7) ^ 45) |
    (text.charCodeAt(10) ^ 84) |
    (text.charCodeAt(13) ^ 58) |
    (text.charCodeAt(16) ^ 58);
  // If one of them is negative, so is the bitwise or of them all.
  if (misplaced !== 0 || (century | ofCentury | month | day | hour | minute | second) < 0) return Number.NaN;
  if (hour > 23 || minute > 59 || second > 59) return Number.NaN;
  const digits = ((century * 100 + ofCentury) * 100 + month) * 100 + day;
  if (digits !== lastDay.digits) {
    const date = new Date(text.slice(0, 10));
    // It takes the 31st of February for a day of March.
    if (date.getUTCDate() !== day) return Number.NaN;
    lastDay = { digits, start: date.getTime() };
  }
  const instant = lastDay.start + ((hour * 60 + minute - offsetOf(text)) * 60 + second) * 1000;
  return isPlausible(instant) ? instant : Number.NaN;
}

/** Minutes ahead of UTC, by what follows the seconds of a text; NaN where that is no offset. */
function offsetOf(text: string): number {
  const sign = text.charCodeAt(19);
  if (text.length === 20) return sign === 90 ? 0 : Number.NaN;
  const hours = twoDigits(text, 20);
  const minutes = twoDigits(text, 23);
  const isOffset = (sign === 43 || sign === 45) && text.charCodeAt(22) === 58;
  if (!isOffset || (hours | minutes) < 0 || hours > 23 || minutes > 59) return Number.NaN;
  return sign === 43 ? hours * 60 + minutes : -hours * 60 - minutes;
}

/** The number of two digits at a place of the text; -1 where there are none. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48;
  const ones = text.charCodeAt(at + 1) - 48;
  return (tens | ones | (9 - tens) | (9 - ones)) < 0 ? -1 : tens * 10 + ones;
}

function readEpoch(value: number): ReadDate {
  const milliseconds = Math.abs(value) >= 1e11;
  const instant = Math.round(milliseconds ? value : value * 1000);
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
  // Date.UTC takes the years 0 to 99 for those from 1900 on, which are out of bounds as well.
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

/** A zone's rules take 10 µs a text, and lists repeat the same days thousands of times. */
const instants = memoize((zoned: string) => {
  const end = zoned.indexOf('|');
  return computeInZone(zoned.slice(end + 1), zoned.slice(0, end));
});

function inZone(text: string, timeZone: string): number | null {
  return instants(`${timeZone}|${text}`);
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
