import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSet, readDate, type DateFormat } from '../../../functions/reporting-service/dates.ts';

const london = 'Europe/London';

/** The instant as text, and how it was read. */
function read(value: unknown, timeZone = london): { instant: string | null; format: DateFormat } {
  const { instant, format } = readDate(value, timeZone);
  return { instant: instant === null ? null : new Date(instant).toISOString(), format };
}

test.each([
  { value: '2026-11-09T08:00:00+00:00', instant: '2026-11-09T08:00:00.000Z' },
  { value: '2026-11-09T08:00:00Z', instant: '2026-11-09T08:00:00.000Z' },
  { value: '2026-11-09t08:00:00z', instant: '2026-11-09T08:00:00.000Z' },
  { value: '2026-11-09T08:00:00-05:30', instant: '2026-11-09T13:30:00.000Z' },
  { value: '2026-11-09T08:00:00+0100', instant: '2026-11-09T07:00:00.000Z' },
  { value: '2026-11-09T08:00:00+01', instant: '2026-11-09T07:00:00.000Z' },
  { value: '2026-11-09 08:00:00 +0100', instant: '2026-11-09T07:00:00.000Z' },
  { value: ' 2026-11-09T08:00Z ', instant: '2026-11-09T08:00:00.000Z' },
  { value: '2026-11-09T08:00:00.123456789Z', instant: '2026-11-09T08:00:00.123Z' },
  { value: '2026-11-09T08:00:00,5Z', instant: '2026-11-09T08:00:00.500Z' },
  { value: '2024-02-29T23:59:59Z', instant: '2024-02-29T23:59:59.000Z' },
])('$value has an offset and is $instant, whatever the zone', ({ value, instant }) => {
  for (const zone of [london, 'Asia/Tokyo'])
    expect(read(value, zone)).toEqual({ instant, format: 'ISO 8601 with offset' });
});

describe('a date without an offset is read in the zone of the report', () => {
  test.each([
    { value: '2026-07-09T08:00:00', zone: london, instant: '2026-07-09T07:00:00.000Z' },
    { value: '2026-11-09 08:00:00.5', zone: london, instant: '2026-11-09T08:00:00.500Z' },
    { value: '2026-11-09T08:00', zone: 'America/New_York', instant: '2026-11-09T13:00:00.000Z' },
    // The clock goes forward at 01:00: half past one does not exist, and means half past two.
    { value: '2026-03-29T00:59:59', zone: london, instant: '2026-03-29T00:59:59.000Z' },
    { value: '2026-03-29T01:30:00', zone: london, instant: '2026-03-29T01:30:00.000Z' },
    { value: '2026-03-29T02:30:00', zone: london, instant: '2026-03-29T01:30:00.000Z' },
    // The clock goes back at 02:00: half past one comes twice, and means the first time.
    { value: '2026-10-25T01:30:00', zone: london, instant: '2026-10-25T00:30:00.000Z' },
    { value: '2026-10-25T02:00:00', zone: london, instant: '2026-10-25T02:00:00.000Z' },
  ])('$value in $zone is $instant', ({ value, zone, instant }) => {
    expect(read(value, zone)).toEqual({ instant, format: 'ISO 8601 without offset' });
  });

  test.each([
    { value: '2026-11-09', zone: london, instant: '2026-11-09T00:00:00.000Z' },
    { value: '2026-07-09', zone: london, instant: '2026-07-08T23:00:00.000Z' },
    { value: '2026-03-29', zone: london, instant: '2026-03-29T00:00:00.000Z' },
    { value: '2026-03-30', zone: london, instant: '2026-03-29T23:00:00.000Z' },
    { value: '2026-10-25', zone: london, instant: '2026-10-24T23:00:00.000Z' },
    { value: '2026-10-26', zone: london, instant: '2026-10-26T00:00:00.000Z' },
    // Here the clock goes forward at midnight, and the day begins at one.
    { value: '2026-09-06', zone: 'America/Santiago', instant: '2026-09-06T04:00:00.000Z' },
  ])('the day $value in $zone begins at $instant', ({ value, zone, instant }) => {
    expect(read(value, zone)).toEqual({ instant, format: 'date only' });
  });
});

test.each([
  { value: 1_794_211_200, instant: '2026-11-09T08:00:00.000Z', format: 'epoch seconds' },
  { value: 1_794_211_200.25, instant: '2026-11-09T08:00:00.250Z', format: 'epoch seconds' },
  { value: '1794211200', instant: '2026-11-09T08:00:00.000Z', format: 'epoch seconds' },
  { value: 1_794_211_200_123, instant: '2026-11-09T08:00:00.123Z', format: 'epoch milliseconds' },
  { value: '1794211200123', instant: '2026-11-09T08:00:00.123Z', format: 'epoch milliseconds' },
])('$value is $format', ({ value, instant, format }) => {
  expect(read(value)).toEqual({ instant, format });
});

test.each([
  {
    value: { date: '2026-07-09 08:00:00.000000', timezone_type: 3, timezone: 'America/New_York' },
    instant: '2026-07-09T12:00:00.000Z',
  },
  {
    value: { date: '2026-07-09 08:00:00.000000', timezone_type: 1, timezone: '+02:00' },
    instant: '2026-07-09T06:00:00.000Z',
  },
  { value: { date: '2026-07-09 08:00:00' }, instant: '2026-07-09T07:00:00.000Z' },
  { value: { date: '2026-07-09T08:00:00Z', timezone: 'America/New_York' }, instant: '2026-07-09T08:00:00.000Z' },
])('$value is a date in its own zone, else in that of the report', ({ value, instant }) => {
  expect(read(value)).toEqual({ instant, format: '{date, timezone}' });
});

test.each([
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
])('%o is a date that cannot be read, and says that it happened', (value) => {
  expect(read(value)).toEqual({ instant: null, format: 'unreadable' });
  expect(isSet(value)).toBe(true);
});

test.each(['2026-02-30', '2026-13-01', '2026-02-30T08:00:00', '2026-11-09T25:00:00'])(
  '%s, which no calendar has, cannot be read',
  (value) => {
    expect(read(value)).toEqual({ instant: null, format: 'unreadable' });
  },
);

describe('an implausible year is no instant, but says that it happened', () => {
  const days = ['0000-01-01', '0001-01-02', '0026-11-09', '0100-01-01', '1901-01-01', '1970-01-02', '1999-12-31'];
  const forms = [
    (day: string) => `${day}T00:00:00Z`,
    (day: string) => `${day}T00:00:00+00:00`,
    (day: string) => `${day}T00:00:00.000Z`,
    (day: string) => `${day} 00:00 +0100`,
    (day: string) => `${day}T00:00:00`,
    (day: string) => day,
    (day: string) => ({ date: `${day} 00:00:00.000000`, timezone_type: 3, timezone: 'UTC' }),
    (day: string) => ({ date: `${day}T00:00:00Z` }),
  ];
  test.each([...days, '2100-01-02', '9999-12-31'])('%s', (day) => {
    for (const value of forms.map((form) => form(day))) {
      expect(read(value)).toEqual({ instant: null, format: 'unreadable' });
      expect(isSet(value)).toBe(true);
    }
  });

  test.each([
    { value: '1999-12-31T23:59:59Z', instant: null },
    { value: '2000-01-01T00:00:00Z', instant: '2000-01-01T00:00:00.000Z' },
    { value: '2000-01-01T00:00:00+00:01', instant: null },
    { value: '1999-12-31T23:59:00-00:01', instant: '2000-01-01T00:00:00.000Z' },
    { value: '2099-12-31T23:59:59Z', instant: '2099-12-31T23:59:59.000Z' },
    { value: '2100-01-01T00:00:00Z', instant: null },
    { value: '2100-01-01T00:00:00+00:01', instant: '2099-12-31T23:59:00.000Z' },
    { value: '946684799', instant: null },
    { value: '946684800', instant: '2000-01-01T00:00:00.000Z' },
    { value: '4102444800000', instant: null },
    { value: '4102444799999', instant: '2099-12-31T23:59:59.999Z' },
  ])('the bounds are instants: $value is $instant', ({ value, instant }) => {
    expect(read(value, 'UTC').instant).toBe(instant);
  });
});

test.each([null, undefined, '', ' ', false, 0, -0, '0', ' 0 '])('%o says that nothing happened', (value) => {
  expect(isSet(value)).toBe(false);
});

describe('null written as a date says that nothing happened', () => {
  test.each(['0001-01-01', '1900-01-01'])('%s, in every format and offset', (day) => {
    const times = [
      'T00:00:00Z',
      'T00:00:00',
      'T00:00:00+01:00',
      'T00:00:00.0000000',
      ' 00:00:00',
      ' 00:00 +0530',
      'T12:30:00-05:00',
    ];
    for (const text of [day, ` ${day} `, ...times.map((time) => `${day}${time}`)]) {
      for (const value of [text, { date: text }, { date: text, timezone: 'Europe/London', timezone_type: 3 }])
        expect([value, isSet(value)]).toEqual([value, false]);
    }
  });

  test.each([
    '1970-01-01',
    '1970-01-01T00:00:00',
    '1970-01-01 00:00:00.000000',
    '1970-01-01T00:00:00Z',
    '1970-01-01T00:00:00+00:00',
    '1970-01-01T01:00:00+01:00',
    '1969-12-31T19:00:00-05:00',
    { date: '1970-01-01 00:00:00.000000', timezone_type: 3, timezone: 'UTC' },
    // London was an hour ahead all winter.
    { date: '1970-01-01 01:00:00.000000', timezone_type: 3, timezone: 'Europe/London' },
  ])('%j, which is epoch 0', (value) => {
    expect(isSet(value)).toBe(false);
  });

  test.each([
    '1970-01-01T00:00:01Z',
    '1970-01-01T00:00:00+01:00',
    '1900-01-02',
    '0001-01-011',
    '1900-01-01T25:00:00Z',
    '0001-01-01 or never',
    '1899-12-31',
    '1',
    1,
    { date: '1900-01-02 00:00:00' },
    { date: 0 },
  ])('but not %j', (value) => {
    expect(isSet(value)).toBe(true);
  });
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
