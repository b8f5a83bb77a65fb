import fc from 'fast-check';
import type { Calendar } from './account.ts';
import { wallOf } from './dates.ts';

const second = 1_000;
const hour = 3_600_000;
const day = 24 * hour;
const newYork = 'America/New_York';

/** Dates that say an instant near a period, in every form that is understood, and some that say none. */
export function dateArbitrary(calendar: Calendar): fc.Arbitrary<unknown> {
  const said = fc
    .tuple(instantArbitrary(calendar), fc.constantFrom(...forms(calendar.timeZone)))
    .map(([instant, form]) => form(instant));
  return fc.oneof({ weight: 11, arbitrary: said }, { weight: 1, arbitrary: fc.constantFrom(...unreadableDates) });
}

/** Whole seconds around and at the edges of a period and the one before. */
function instantArbitrary(calendar: Calendar): fc.Arbitrary<number> {
  const [before, start, end] = [calendar.precedingStart, calendar.start, calendar.end].map((at) => Date.parse(at));
  const edges = [before, start, end].flatMap((edge = 0) => [edge - second, edge, edge + second]);
  return fc.oneof(
    { weight: 4, arbitrary: within(start, end) },
    { weight: 2, arbitrary: within(before, start) },
    { weight: 1, arbitrary: within((before ?? 0) - 20 * day, before) },
    { weight: 1, arbitrary: within(end, (end ?? 0) + 2 * day) },
    { weight: 2, arbitrary: fc.constantFrom(...edges) },
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
    (instant) => `${utc(instant)}+00:00`,
    (instant) => `${utc(instant + 5 * hour + hour / 2)}+05:30`,
    (instant) => `${utc(instant - 3 * hour - hour / 2)}-03:30`,
    (instant) => `${utc(instant - 3 * hour - hour / 2)}-0330`,
    (instant) => `${utc(instant + 2 * hour)}+02`,
    (instant) => `${utc(instant)}.250Z`,
    (instant) => `${utc(instant).slice(0, 16)}Z`,
    (instant) => wall(instant),
    (instant) => wall(instant).replace('T', ' '),
    (instant) => wall(instant).slice(0, 10),
    (instant) => instant / second,
    (instant) => instant,
    (instant) => instant / second + 0.5,
    (instant) => String(instant / second),
    (instant) => String(instant),
    (instant) => ({ date: `${wall(instant).replace('T', ' ')}.000000`, timezone_type: 3, timezone: timeZone }),
    (instant) => ({ date: utc(wallOf(instant, newYork) ?? instant), timezone: newYork }),
    (instant) => ({ date: utc(instant + hour), timezone_type: 1, timezone: '+01:00' }),
    (instant) => ({ date: wall(instant) }),
    (instant) => ({ date: `${utc(instant)}Z`, timezone: newYork }),
  ];
}

/** Set, and yet no instant: words, other types, days that there are not, and years in which no service was. */
const unreadableDates: readonly unknown[] = [
  'yesterday',
  '10/11/2026',
  '2026-02-30T08:00:00Z',
  '2026-11-31',
  '2026-13-01T00:00:00Z',
  true,
  [],
  {},
  ['2026-11-10T08:00:00Z'],
  { at: '2026-11-10T08:00:00Z' },
  { date: 5 },
  { date: '2026-11-10 08:00:00', timezone: 'Nowhere/Town' },
  { date: '-0001-11-30 00:00:00.000000', timezone_type: 3, timezone: 'UTC' },
  { date: '0001-01-01 00:00:00', timezone: 'UTC' },
  '0000-00-00 00:00:00',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '0001-01-01T00:00:00',
  '0001-01-01',
  '1899-12-30T00:00:00+00:00',
  '1970-01-01T00:00:00Z',
  '1970-01-01',
  '1999-12-31T23:59:59Z',
  '2100-01-02T00:00:00Z',
  '9999-12-31T23:59:59Z',
  '9999-12-31T23:59:59',
  '9999-12-31',
  0,
  -1,
  -62_135_596_800,
  -62_135_596_800_000,
  253_402_300_799,
  253_402_300_799_000,
  1e20,
  '0',
];
