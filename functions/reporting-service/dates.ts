import { Temporal } from 'temporal-polyfill';
import { isObject } from '../json-object.ts';

/** A date of the service: its instant in epoch milliseconds, `null` where it cannot be read, and its format as the coverage names it. */
interface ReadDate {
  instant: number | null;
  format: string;
}

const unreadable: ReadDate = { instant: null, format: 'unreadable' };

/** The bounds of a plausible instant. One outside of them means "none", or is an error. */
const earliest = Date.UTC(2000, 0, 1);
const latest = Date.UTC(2100, 0, 1);

/** What services write for null: these two days, at any time and in any zone, and the instants at which they and 1970 begin. */
const nullDay = /^\s*(?:(?:0001|1900)-?01-?01(?!\d)|(?:[a-z]{3}, ?)?0?1 jan (?:0001|1900) )/i;
const nullInstants = new Set([0, Date.parse('0001-01-01'), Date.parse('1900-01-01')]);

/**
 * Whether the value of `seenAt` or `respondedAt` says that it happened. `0001-01-01`, `1900-01-01` and epoch 0, in whichever
 * format, are null written otherwise; any other date says so, readable or not.
 */
export function isSet(value: unknown): boolean {
  if (value === null || value === undefined || value === false) return false;
  const date = isObject(value) ? value['date'] : value;
  // Nearly every date is of this millennium, which costs no more than to look at one digit.
  if (typeof date === 'string' ? date.startsWith('2') : typeof date !== 'number' || date > 0) return true;
  if (typeof date === 'string' && (['', '0'].includes(date.trim()) || nullDay.test(date))) return false;
  const { instant } = readAnyDate(value, 'UTC');
  return instant === null || !nullInstants.has(instant);
}

/**
 * Reads a date in whichever format the service uses; the interface only says "date". Dates without an offset are read in
 * `timeZone`, date-only ones as the start of that day there. A date before 2000 or from 2100 on, in whichever format, is
 * unreadable.
 */
export function readDate(value: unknown, timeZone: string): ReadDate {
  const date = readAnyDate(value, timeZone);
  return date.instant !== null && date.instant >= earliest && date.instant < latest ? date : unreadable;
}

/** Whether a date that can be read has no time of day: no duration can be computed from it. */
export function isDateOnly(value: unknown): boolean {
  const date = isObject(value) ? value['date'] : value;
  return typeof date === 'string' && /^\s*\d{4}-?\d{2}-?\d{2}\s*$/.test(date);
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

/**
 * ISO 8601 with an offset, as nearly every date is: `Date.parse` reads it ten times as fast as Temporal. It lets the 31st of
 * April roll over, so the day is one that its month has; the 29th of February is left to Temporal.
 */
const usualDate =
  /^\d{4}-(?:\d{2}-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)T(?:[01]\d|2[0-3]):\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const rfc1123 = /^(?:[a-z]{3}, ?)?\d{1,2} [a-z]{3} [12]\d{3} \d{2}:\d{2}(?::\d{2})? (?:GMT|UTC|[+-]\d{4})$/i;
const offset = /[T ].*(?:Z|[+-]\d{2}(?::?\d{2})?)(?:\[|$)/i;

/** No date is longer, and some patterns here take long for a long text. */
const longestText = 80;

function readDateText(text: string, timeZone: string): ReadDate {
  if (text.length > longestText) return unreadable;
  if (usualDate.test(text)) return { instant: Date.parse(text), format: 'ISO 8601 with offset' };
  if (rfc1123.test(text)) return { instant: Date.parse(text), format: 'RFC 1123' };
  if (/^-?\d{9,17}(\.\d+)?$/.test(text)) return readEpoch(Number(text));
  const iso = text.replace(/ ?(?:UTC|GMT)$/i, 'Z').replace(/ (?=[+-]\d)/, '');
  const zone = /\[([^[\]]+)\]$/.exec(iso)?.[1] ?? timeZone;
  try {
    if (offset.test(iso)) {
      return { instant: Temporal.Instant.from(iso).epochMilliseconds, format: 'ISO 8601 with offset' };
    }
    const instant = Temporal.PlainDateTime.from(iso).toZonedDateTime(zone).epochMilliseconds;
    return { instant, format: isDateOnly(iso) ? 'date only' : 'ISO 8601 without offset' };
  } catch {
    return unreadable;
  }
}
