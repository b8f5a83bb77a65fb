import { Temporal } from 'temporal-polyfill';
import { isObject } from '../json-object.ts';

/** A date of the service: its instant in epoch milliseconds, `null` where it cannot be read, and its format as the coverage names it. */
interface ReadDate {
  instant: number | null;
  format: string;
  /** The day that a text names, whatever its time and zone. */
  day?: string;
}

const isoDateTime =
  /^(\d{4}-\d{2}-\d{2})[Tt ]((?:[01]\d|2[0-3]):[0-5]\d)(?::([0-5]\d|60)(?:[.,](\d{1,9}))?)?\s*(?:([Zz])|([+-](?:[01]\d|2[0-3]))(?::?([0-5]\d))?)?$/;
const isoDate = /^\d{4}-\d{2}-\d{2}$/;
const rfc1123 = /^(?:[a-z]{3}, ?)?(\d{1,2}) ([a-z]{3}) (\d{4}) (\d.*)$/i;
const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
/** No date is longer. */
const longestText = 80;
const unreadable: ReadDate = { instant: null, format: 'unreadable' };

/** The bounds of a plausible instant. One outside of them means "none", or is an error. */
const earliest = Date.UTC(2000, 0, 1);
const latest = Date.UTC(2100, 0, 1);

/** Days that services write for null, and the instants at which they and 1970 begin. */
const nullDays = ['0001-01-01', '1900-01-01'];
const nullInstants = new Set([0, ...nullDays.map((day) => Date.parse(day))]);

/**
 * Whether the value of `seenAt` or `respondedAt` says that it happened. `0001-01-01`, `1900-01-01` and epoch 0, in whichever
 * format, are null written otherwise; any other date says so, readable or not.
 */
export function isSet(value: unknown): boolean {
  if (value === null || value === undefined || value === '' || value === false || value === 0) return false;
  const text = isObject(value) ? value['date'] : value;
  // Nearly every date is of this millennium, which costs no more than to look at one digit.
  if (typeof text === 'string' ? text.startsWith('2') : typeof text !== 'number' || text > 0) return true;
  if (typeof text === 'string' && /^\s*0?\s*$/.test(text)) return false;
  const { instant, day = '' } = readAnyDate(value, 'UTC');
  return instant === null || !(nullInstants.has(instant) || nullDays.includes(day));
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
  return typeof text === 'string' && /^\s*\d{4}-?\d{2}-?\d{2}\s*$/.test(text);
}

/** Reads a date of any year. */
function readAnyDate(value: unknown, timeZone: string): ReadDate {
  if (typeof value === 'string') return readDateText(value.trim(), timeZone);
  if (typeof value === 'number') return readEpoch(value);
  if (isObject(value) && typeof value['date'] === 'string') {
    const zone = typeof value['timezone'] === 'string' ? value['timezone'] : timeZone;
    return { ...readDateText(value['date'].trim(), zone), format: '{date, timezone}' };
  }
  return unreadable;
}

function readEpoch(value: number): ReadDate {
  if (Math.abs(value) >= 1e14) return { instant: Math.round(value / 1000), format: 'epoch microseconds' };
  if (Math.abs(value) >= 1e11) return { instant: Math.round(value), format: 'epoch milliseconds' };
  return { instant: Math.round(value * 1000), format: 'epoch seconds' };
}

function readDateText(text: string, timeZone: string): ReadDate {
  const parts = isoDateTime.exec(text);
  if (parts !== null) return readDateTime(text, parts, timeZone);
  if (isoDate.test(text)) return { instant: inZone(text, timeZone), format: 'date only', day: text };
  if (/^-?\d{9,17}(\.\d+)?$/.test(text)) return readEpoch(Number(text));
  if (text.length > longestText) return unreadable;
  const [, day = '', month = '', year, time] = rfc1123.exec(text) ?? [];
  if (year !== undefined) {
    const number = months.indexOf(month.toLowerCase()) + 1;
    const date = [year, ...[number, day].map((part) => String(part).padStart(2, '0'))].join('-');
    return { ...readDateText(`${date}T${time}`, timeZone), format: 'RFC 1123' };
  }
  const [, written = '', zone = timeZone] = /^(.*?)(?:\[([^[\]]+)\])?$/.exec(text) ?? [];
  const plain = written
    .replace(/\s*(?:UTC|GMT)$/i, 'Z')
    .replace(/^(\d{4})(\d{2})(\d{2})(?=T\d|$)/i, '$1-$2-$3')
    .replace(
      /T(\d{2})(\d{2})(\d{2})?(?=[^\d:]|$)/i,
      (_time, hour, minute, second = '00') => `T${hour}:${minute}:${second}`,
    );
  return plain === text ? unreadable : readDateText(plain, zone);
}

function readDateTime(text: string, parts: RegExpExecArray, timeZone: string): ReadDate {
  const [, date = '', minute, second = '0', fraction = '', utc, hours, minutes = '00'] = parts;
  if (utc === undefined && hours === undefined) {
    const instant = inZone(text.replace(' ', 'T').replace(',', '.'), timeZone);
    return { instant, format: 'ISO 8601 without offset', day: date };
  }
  // `new Date` lets the 31st of February roll over: a date that does not come back as it went in is none.
  if (new Date(date).getUTCDate() !== Number(date.slice('YYYY-MM-'.length))) return unreadable;
  const begun = Date.parse(`${date}T${minute}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`);
  const milliseconds = Number(second) * 1000 + Number(fraction.padEnd(3, '0').slice(0, 3));
  return { instant: begun + milliseconds, format: 'ISO 8601 with offset', day: date };
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
