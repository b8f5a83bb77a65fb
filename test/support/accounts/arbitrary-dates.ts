import fc from 'fast-check';
import { calendarBefore, type Calendar } from './calendars.ts';
import { wallOf } from './dates.ts';

const second = 1_000;
const hour = 3_600_000;
const day = 24 * hour;
const newYork = 'America/New_York';

/** Dates that say an instant near a period, and some that say none. All forms are judged where they are read (dates.test.ts). */
export function dateArbitrary(calendar: Calendar): fc.Arbitrary<unknown> {
  const said = saying(instantArbitrary(calendar), calendar);
  return fc.oneof({ weight: 11, arbitrary: said }, { weight: 1, arbitrary: fc.constantFrom(...unreadableDates) });
}

/** Dates that say an instant within a period or soon after it. */
export function freshDateArbitrary(calendar: Calendar): fc.Arbitrary<unknown> {
  const [start, end] = [Date.parse(calendar.start), Date.parse(calendar.end)];
  const atEdges = fc.constantFrom(start, end - second, end, end + second);
  return saying(
    fc.oneof(...Array<fc.Arbitrary<number>>(8).fill(within(start, end)), atEdges, within(end, end + 2 * day)),
    calendar,
  );
}

/** Dates of the creation of a broadcast: mostly before the first of some periods, some in it, and some that nobody can read. */
export function creationArbitrary(calendar: Calendar): fc.Arbitrary<unknown> {
  const [start, end] = [Date.parse(calendar.start), Date.parse(calendar.end)];
  const before = within(Date.parse(calendarBefore(calendar).start) - 20 * day, start);
  return fc.oneof(
    { weight: 9, arbitrary: saying(before, calendar) },
    { weight: 2, arbitrary: saying(within(start, end), calendar) },
    { weight: 1, arbitrary: fc.constantFrom(...unreadableDates, '2031-01-01T00:00:00Z') },
  );
}

function saying(instants: fc.Arbitrary<number>, { timeZone }: Calendar): fc.Arbitrary<unknown> {
  return fc.tuple(instants, fc.constantFrom(...forms(timeZone))).map(([instant, form]) => form(instant));
}

/** Whole seconds around and at the edges of a period and the one before. */
function instantArbitrary(calendar: Calendar): fc.Arbitrary<number> {
  const [before, start, end] = [calendarBefore(calendar).start, calendar.start, calendar.end].map((at) =>
    Date.parse(at),
  );
  const edges = [before, start, end].flatMap((edge = 0) => [edge - second, edge, edge + second]);
  return fc.oneof(
    { weight: 4, arbitrary: within(start, end) },
    { weight: 2, arbitrary: within(before, start) },
    { weight: 1, arbitrary: within((before ?? 0) - 20 * day, before) },
    { weight: 1, arbitrary: within(end, (end ?? 0) + 2 * day) },
    { weight: 2, arbitrary: fc.constantFrom(...edges) },
    { weight: 1, arbitrary: fc.constantFrom(Date.UTC(2015, 4, 4), Date.UTC(2031, 0, 1)) },
  );
}

function within(from = 0, to = 0): fc.Arbitrary<number> {
  return fc.integer({ min: from / second, max: to / second - 1 }).map((seconds) => seconds * second);
}

function utc(instant: number): string {
  return new Date(instant).toISOString().slice(0, 19);
}

function forms(timeZone: string): Array<(instant: number) => unknown> {
  const wall = (instant: number): string => utc(wallOf(instant, timeZone) ?? instant);
  return [
    (instant) => `${utc(instant)}Z`,
    (instant) => `${utc(instant)}Z`,
    (instant) => `${utc(instant)}.250Z`,
    (instant) => `${utc(instant)}.123456Z`,
    (instant) => `${utc(instant + 5 * hour + hour / 2)}+05:30`,
    (instant) => `${utc(instant + 5 * hour + hour / 2)}+05:30[Asia/Kolkata]`,
    (instant) => `${utc(instant).replace('T', ' ')} UTC`,
    (instant) => `${utc(instant).replaceAll(/[-:]/g, '')}Z`,
    (instant) => new Date(instant).toUTCString(),
    (instant) => wall(instant),
    (instant) => wall(instant).slice(0, 10),
    (instant) => instant / second,
    (instant) => instant,
    (instant) => ({ date: utc(wallOf(instant, newYork) ?? instant), timezone: newYork }),
    (instant) => ({ date: `${wall(instant).replace('T', ' ')}.000000`, timezone_type: 3, timezone: timeZone }),
  ];
}

/** Null, as some services write it. */
export const nullDates: readonly unknown[] = [
  '',
  0,
  '0001-01-01T00:00:00Z',
  { date: '1900-01-01 00:00:00' },
  'Mon, 01 Jan 1900 00:00:00 GMT',
  '19700101T000000Z',
  '1970-01-01T00:00:00Z[UTC]',
  -62_135_596_800,
];

/** A date that nobody can read: which of the numbers is the month is not said. */
export const unreadableDate = '10/11/2026 10:00';

/** Set, and yet no instant: words, other types, days that there are not, and years in which no service was. */
const unreadableDates: readonly unknown[] = [
  'yesterday',
  unreadableDate,
  '2026-02-30T08:00:00Z',
  true,
  {},
  { date: '2026-11-10 08:00:00', timezone: 'Nowhere/Town' },
  '1970-01-01',
  '9999-12-31T23:59:59Z',
  -1,
];
