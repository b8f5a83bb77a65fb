import { Temporal } from 'temporal-polyfill';
import { isObject } from '../json-object.ts';

/** A date of the service: its instant in epoch milliseconds, `null` where it cannot be read, and its format as the coverage names it. */
interface ReadDate {
  instant: number | null;
  format: string;
}

const isoDateTime =
  /^(\d{4}-\d{2}-\d{2})[Tt ]((?:[01]\d|2[0-3]):[0-5]\d)(?::([0-5]\d|60)(?:[.,](\d{1,9}))?)?\s*(?:([Zz])|([+-](?:[01]\d|2[0-3]))(?::?([0-5]\d))?)?$/;
const isoDate = /^\d{4}-\d{2}-\d{2}$/;
const unreadable: ReadDate = { instant: null, format: 'unreadable' };

/** The bounds of a plausible instant. One outside of them means "none", or is an error. */
const earliest = Date.UTC(2000, 0, 1);
const latest = Date.UTC(2100, 0, 1);

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
  return read.instant !== null && read.instant >= earliest && read.instant < latest ? read : unreadable;
}

/** Whether a date that can be read has no time of day: no duration can be computed from it. */
export function isDateOnly(value: unknown): boolean {
  const text = isObject(value) ? value['date'] : value;
  return typeof text === 'string' && isoDate.test(text.trim());
}

/** Reads a date of any year. */
function readAnyDate(value: unknown, timeZone: string): ReadDate {
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
  return { instant, format: milliseconds ? 'epoch milliseconds' : 'epoch seconds' };
}

function readDateText(text: string, timeZone: string): ReadDate {
  const parts = isoDateTime.exec(text);
  if (parts !== null) return readDateTime(text, parts, timeZone);
  if (isoDate.test(text)) return { instant: inZone(text, timeZone), format: 'date only' };
  return /^\d{9,13}(\.\d+)?$/.test(text) ? readEpoch(Number(text)) : unreadable;
}

function readDateTime(text: string, parts: RegExpExecArray, timeZone: string): ReadDate {
  const [, date = '', minute, second = '0', fraction = '', utc, hours, minutes = '00'] = parts;
  if (utc === undefined && hours === undefined) {
    return { instant: inZone(text.replace(' ', 'T').replace(',', '.'), timeZone), format: 'ISO 8601 without offset' };
  }
  // `new Date` lets the 31st of February roll over: a date that does not come back as it went in is none.
  if (new Date(date).getUTCDate() !== Number(date.slice('YYYY-MM-'.length))) return unreadable;
  const begun = Date.parse(`${date}T${minute}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`);
  const milliseconds = Number(second) * 1000 + Number(fraction.padEnd(3, '0').slice(0, 3));
  return { instant: begun + milliseconds, format: 'ISO 8601 with offset' };
}

function inZone(text: string, timeZone: string): number | null {
  try {
    const zoned = isoDate.test(text)
      ? Temporal.PlainDate.from(text).toZonedDateTime(timeZone)
      : Temporal.PlainDateTime.from(text, { overflow: 'reject' }).toZonedDateTime(timeZone);
    return zoned.epochMilliseconds;
  } catch {
    return null;
  }
}
