const earliest = Date.UTC(2000, 0, 1);
const end = Date.UTC(2100, 0, 1);
const day = 86_400_000;

/** Whether a field holds something. */
export function isGiven(value: unknown): boolean {
  return ![null, undefined, '', false].some((nothing) => nothing === value);
}

/** Whether `seenAt` or `respondedAt` says that it happened; some write null as a number or as the first day of a calendar. */
export function isSet(value: unknown): boolean {
  if (!isGiven(value) || readings(value, 'UTC').includes(0)) return false;
  const [, day = ''] = iso.exec(textOf(value)) ?? [];
  const days = typeof value === 'number' ? [utcDay(value * 1000), utcDay(value)] : [day];
  return !days.some((each) => each === '0001-01-01' || each === '1900-01-01');
}

function utcDay(instant: number): string {
  const date = new Date(instant);
  return Number.isNaN(date.valueOf()) ? '' : date.toISOString().slice(0, 10);
}

/** The instant of a date of the service, in epoch milliseconds; `null` where nobody can say. */
export function instantOf(value: unknown, timeZone: string): number | null {
  return readings(value, timeZone).find((instant) => instant >= earliest && instant < end) ?? null;
}

/** Whether a date that can be read says the time of day, too. */
export function hasTime(value: unknown): boolean {
  return !/^\d{4}-\d\d-\d\d$/.test(textOf(value));
}

/** The text of a date that is a text or an object around one. */
function textOf(value: unknown): string {
  const text = typeof value === 'object' && value !== null && 'date' in value ? value.date : value;
  return typeof text === 'string' ? asIso(text) : '';
}

/** A text in another of the formats that are read, as ISO 8601. */
function asIso(text: string): string {
  const plain = text.replace(/\[.*\]$/, '').replace(/ UTC$/, 'Z');
  const basic = plain.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z');
  const isRfc1123 = /^\w{3}, \d\d \w{3} \d{4} /.test(text) && new Date(text).toUTCString() === text;
  return isRfc1123 ? new Date(text).toISOString() : basic;
}

/** What a date may mean, before the bounds decide. */
function readings(value: unknown, timeZone: string): number[] {
  if (typeof value === 'number') return [value * 1000, value];
  if (typeof value === 'string') return textReadings(value, timeZone);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const { date, timezone } = value as { date?: unknown; timezone?: unknown };
  return typeof date === 'string' ? textReadings(date, typeof timezone === 'string' ? timezone : timeZone) : [];
}

const iso = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)?)?$/;

function textReadings(text: string, timeZone: string): number[] {
  const [, date, time = '00:00:00', fraction = '', offset] = iso.exec(asIso(text)) ?? [];
  if (date === undefined) return [];
  const wall = Date.parse(`${date}T${time}Z`);
  // The 31st of February becomes one of March: a date that does not come back as it went in is none.
  if (Number.isNaN(wall) || !new Date(wall).toISOString().startsWith(date)) return [];
  const instant = offset === undefined ? instantOfWall(wall, timeZone) : Date.parse(`${date}T${time}${offset}`);
  return instant === null ? [] : [instant + Math.floor(Number(`0${fraction}`) * 1000)];
}

/** The earlier of the instants at which the clocks of a zone show a time; in the hour that a change leaves out, as before it. */
function instantOfWall(wall: number, timeZone: string): number | null {
  const [before, after] = [zoneOffset(wall - day, timeZone), zoneOffset(wall + day, timeZone)];
  if (before === null || after === null) return null;
  const shown = [wall - before, wall - after].filter((instant) => wallOf(instant, timeZone) === wall);
  return shown.length === 0 ? wall - before : Math.min(...shown);
}

/** What the clocks of a zone show at an instant, as if they showed UTC; `null` where there is no such zone. */
export function wallOf(instant: number, timeZone: string): number | null {
  const offset = zoneOffset(instant, timeZone);
  return offset === null ? null : instant + offset;
}

const quarter = 900_000;
const offsets = new Map<string, number | null>();

/** Milliseconds ahead of UTC. Clocks change on quarters of an hour: each is looked up once. */
function zoneOffset(instant: number, timeZone: string): number | null {
  const begun = Math.floor(instant / quarter) * quarter;
  const key = `${timeZone} ${begun}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  const offset = computeOffset(begun, timeZone);
  offsets.set(key, offset);
  return offset;
}

const clocks = new Map<string, Intl.DateTimeFormat | null>();

function computeOffset(instant: number, timeZone: string): number | null {
  if (!clocks.has(timeZone)) clocks.set(timeZone, clockOf(timeZone));
  const parts = clocks.get(timeZone)?.formatToParts(instant);
  if (parts === undefined) return null;
  const part = (type: string): number => Number(parts.find((one) => one.type === type)?.value);
  const wall = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return wall - instant;
}

function clockOf(timeZone: string): Intl.DateTimeFormat | null {
  const digits = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const;
  try {
    return new Intl.DateTimeFormat('en', { timeZone, ...digits, second: 'numeric', hourCycle: 'h23' });
  } catch {
    return null;
  }
}
