import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isDateOnly, isSet, readDate } from '../../../functions/reporting-service/dates.ts';

const london = 'Europe/London';
const santiago = 'America/Santiago';
const newYork = 'America/New_York';

/** The instant as text, and how it was read. */
function read(value: unknown, timeZone = london): [string | null, string] {
  const { instant, format } = readDate(value, timeZone);
  return [instant === null ? null : new Date(instant).toISOString(), format];
}

const day = '2026-11-09T';

describe.each([
  {
    format: 'ISO 8601 with offset',
    cases: [
      [`${day}08:00:00+00:00`, london, `${day}08:00:00.000Z`],
      [`${day}08:00:00Z`, 'Asia/Tokyo', `${day}08:00:00.000Z`],
      ['2026-11-09t08:00:00z', london, `${day}08:00:00.000Z`],
      [`${day}08:00:00-05:30`, london, `${day}13:30:00.000Z`],
      [`${day}08:00:00+0100`, london, `${day}07:00:00.000Z`],
      [`${day}08:00:00+01`, london, `${day}07:00:00.000Z`],
      ['2026-11-09 08:00:00 +0100', 'Asia/Tokyo', `${day}07:00:00.000Z`],
      [` ${day}08:00Z `, london, `${day}08:00:00.000Z`],
      [`${day}08:00:00.123456789Z`, london, `${day}08:00:00.123Z`],
      [`${day}08:00:00,5Z`, london, `${day}08:00:00.500Z`],
      [`${day}08:00:60Z`, london, `${day}08:01:00.000Z`],
      ['2024-02-29T23:59:59Z', london, '2024-02-29T23:59:59.000Z'],
    ],
  },
  {
    format: 'ISO 8601 without offset',
    cases: [
      ['2026-07-09T08:00:00', london, '2026-07-09T07:00:00.000Z'],
      ['2026-11-09 08:00:00.5', london, `${day}08:00:00.500Z`],
      [`${day}08:00`, newYork, `${day}13:00:00.000Z`],
      // The clock goes forward at 01:00: half past one does not exist, and means half past two.
      ['2026-03-29T00:59:59', london, '2026-03-29T00:59:59.000Z'],
      ['2026-03-29T01:30:00', london, '2026-03-29T01:30:00.000Z'],
      ['2026-03-29T02:30:00', london, '2026-03-29T01:30:00.000Z'],
      // The clock goes back at 02:00: half past one comes twice, and means the first time.
      ['2026-10-25T01:30:00', london, '2026-10-25T00:30:00.000Z'],
      ['2026-10-25T02:00:00', london, '2026-10-25T02:00:00.000Z'],
    ],
  },
  {
    format: 'date only',
    cases: [
      ['2026-11-09', london, `${day}00:00:00.000Z`],
      ['2026-07-09', london, '2026-07-08T23:00:00.000Z'],
      ['2026-03-29', london, '2026-03-29T00:00:00.000Z'],
      ['2026-03-30', london, '2026-03-29T23:00:00.000Z'],
      ['2026-10-25', london, '2026-10-24T23:00:00.000Z'],
      ['2026-10-26', london, '2026-10-26T00:00:00.000Z'],
      // Here the clock goes forward at midnight, and the day begins at one.
      ['2026-09-06', santiago, '2026-09-06T04:00:00.000Z'],
    ],
  },
  {
    format: 'epoch seconds',
    cases: [
      [1_794_211_200, london, `${day}08:00:00.000Z`],
      [1_794_211_200.25, london, `${day}08:00:00.250Z`],
      ['1794211200', london, `${day}08:00:00.000Z`],
    ],
  },
  {
    format: 'epoch milliseconds',
    cases: [
      [1_794_211_200_123, london, `${day}08:00:00.123Z`],
      ['1794211200123', london, `${day}08:00:00.123Z`],
    ],
  },
  {
    format: '{date, timezone}',
    cases: [
      [{ date: '2026-07-09 08:00:00.000000', timezone_type: 3, timezone: newYork }, london, '2026-07-09T12:00:00.000Z'],
      [
        { date: '2026-07-09 08:00:00.000000', timezone_type: 1, timezone: '+02:00' },
        london,
        '2026-07-09T06:00:00.000Z',
      ],
      [{ date: '2026-07-09 08:00:00' }, london, '2026-07-09T07:00:00.000Z'],
      [{ date: '2026-07-09T08:00:00Z', timezone: newYork }, london, '2026-07-09T08:00:00.000Z'],
    ],
  },
])('a date is $format', ({ format, cases }) => {
  test.each(cases.map(([value, zone, instant]) => ({ value, zone: typeof zone === 'string' ? zone : '', instant })))(
    '$value in $zone is $instant',
    ({ value, zone, instant }) => {
      expect([read(value, zone), isSet(value)]).toEqual([[instant, format], true]);
    },
  );
});

const unreadable = [
  'yesterday',
  'Mon, 09 Nov 2026 08:00:00 GMT',
  '09/11/2026',
  '2026-13-09T08:00:00Z',
  '2026-00-09T08:00:00Z',
  '2026-02-30T08:00:00Z',
  '2026-11-09T24:00:00Z',
  '2026-11-09T08:60:00Z',
  '2026-11-09T08:00:61Z',
  '2026-11-09T08:00:00+24:00',
  '2026-11-09T08:00:00+01:60',
  '2026-02-30',
  '2026-13-01',
  '2026-02-30T08:00:00',
  '2026-11-09T25:00:00',
  '1',
  1,
  -1_794_211_200,
  1_794_211_200_000_000,
  Number.NaN,
  true,
  [],
  {},
  { date: 1_794_211_200 },
  { date: '2026-07-09 08:00:00', timezone: 'Nowhere/Land' },
];
test.each(unreadable)('%o is a date that cannot be read, and says that it happened', (value) => {
  expect([read(value), isSet(value)]).toEqual([[null, 'unreadable'], true]);
});

/** A day in all formats. */
const forms = (of: string): unknown[] => [
  of,
  `${of}T00:00:00Z`,
  `${of}T00:00:00+00:00`,
  `${of}T00:00:00.000Z`,
  `${of} 00:00 +0100`,
  `${of}T00:00:00`,
  { date: `${of} 00:00:00.000000`, timezone_type: 3, timezone: 'UTC' },
  { date: `${of}T00:00:00Z` },
];

test.each([
  '0000-01-01',
  '0001-01-02',
  '0026-11-09',
  '0100-01-01',
  '1901-01-01',
  '1970-01-02',
  '1999-12-31',
  '2100-01-02',
  '9999-12-31',
])('%s, whose year is implausible, is no instant, but says that it happened', (implausible) => {
  for (const value of forms(implausible)) expect([read(value), isSet(value)]).toEqual([[null, 'unreadable'], true]);
});

test.each([
  ['1999-12-31T23:59:59Z', null],
  ['2000-01-01T00:00:00Z', '2000-01-01T00:00:00.000Z'],
  ['2000-01-01T00:00:00+00:01', null],
  ['1999-12-31T23:59:00-00:01', '2000-01-01T00:00:00.000Z'],
  ['2099-12-31T23:59:59Z', '2099-12-31T23:59:59.000Z'],
  ['2100-01-01T00:00:00Z', null],
  ['2100-01-01T00:00:00+00:01', '2099-12-31T23:59:00.000Z'],
  ['946684799', null],
  ['946684800', '2000-01-01T00:00:00.000Z'],
  ['4102444800000', null],
  ['4102444799999', '2099-12-31T23:59:59.999Z'],
])('the bounds are instants: %s is %s', (value, instant) => {
  expect(read(value, 'UTC')[0]).toBe(instant);
});

const nullDays = ['0001-01-01', '1900-01-01'];
test.each([
  null,
  undefined,
  '',
  ' ',
  false,
  0,
  -0,
  '0',
  ' 0 ',
  // Null written as a date, in every format and offset.
  ...nullDays.flatMap(forms),
  ...nullDays.flatMap((of) => [` ${of} `, `${of}T00:00:00.0000000`, `${of} 00:00 +0530`, `${of}T12:30:00-05:00`]),
  '1970-01-01',
  '1970-01-01T00:00:00',
  '1970-01-01T00:00:00Z',
  '1970-01-01 00:00:00.000000',
  '1970-01-01T01:00:00+01:00',
  '1969-12-31T19:00:00-05:00',
  '000000000',
  { date: '1970-01-01 00:00:00.000000', timezone_type: 3, timezone: 'UTC' },
  // London was an hour ahead all winter.
  { date: '1970-01-01 01:00:00.000000', timezone_type: 3, timezone: london },
])('%j says that nothing happened', (value) => {
  expect(isSet(value)).toBe(false);
});

test.each([
  '1970-01-01T00:00:01Z',
  '1970-01-01T00:00:00+01:00',
  '1900-01-02',
  '1899-12-31',
  '0001-01-011',
  '1',
  1,
  '1900-01-01T25:00:00Z',
  '0001-01-01 or never',
  { date: '1900-01-02 00:00:00' },
  { date: 0 },
])('%j says that it happened', (value) => {
  expect(isSet(value)).toBe(true);
});

test('a date without a time of day is told from one with', () => {
  expect(['2026-11-09', { date: ' 2026-11-09 ' }].map(isDateOnly)).toEqual([true, true]);
  expect(['2026-11-09T00:00:00Z', 1_794_211_200, null].map(isDateOnly)).toEqual([false, false, false]);
});

test('every instant is read back from each format that can hold it', () => {
  const instants = fc.integer({ min: Date.UTC(2010, 0, 1) / 1000, max: Date.UTC(2060, 0, 1) / 1000 });
  const offsets = fc.integer({ min: -12 * 60, max: 14 * 60 });
  fc.assert(
    fc.property(instants, offsets, (seconds, offset) => {
      const iso = (shift: number) => new Date((seconds + shift * 60) * 1000).toISOString().slice(0, 19);
      const hours = String(Math.floor(Math.abs(offset) / 60)).padStart(2, '0');
      const minutes = String(Math.abs(offset) % 60).padStart(2, '0');
      const written = `${iso(offset)}${offset < 0 ? '-' : '+'}${hours}:${minutes}`;
      const values = [seconds, seconds * 1000, `${iso(0)}Z`, written];
      expect(values.map((value) => readDate(value, london).instant)).toEqual(values.map(() => seconds * 1000));
      expect(readDate(iso(0), 'UTC').instant).toBe(seconds * 1000);
    }),
  );
});
