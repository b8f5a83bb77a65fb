import { expect, test } from 'vitest';
import dates from '../../fixtures/dates.json' with { type: 'json' };
import { isDateOnly, isSet, readDate } from '../../../functions/reporting-service/dates.ts';

const london = 'Europe/London';

/** The instant as text, and how it was read. */
function read(value: unknown, timeZone = london): [string | null, string] {
  const { instant, format } = readDate(value, timeZone);
  return [instant === null ? null : new Date(instant).toISOString(), format];
}

test.each(dates.readable)('$value in $zone is $instant: $format', ({ value, zone, instant, format }) => {
  expect([read(value, zone), isSet(value)]).toEqual([[instant, format], true]);
});

test.each([...dates.unreadable, Number.NaN])('%j is a date that cannot be read, and says that it happened', (value) => {
  expect([read(value), isSet(value)]).toEqual([[null, 'unreadable'], true]);
});

test('a text of great length is no date, and costs nothing', () => {
  expect(read(`x${' '.repeat(300_000)}x`)).toEqual([null, 'unreadable']);
});

/** A day in several formats. */
const forms = (day: string): unknown[] => [
  day,
  `${day}T00:00:00.000Z`,
  `${day} 00:00 +0100`,
  day.replaceAll('-', ''),
  { date: `${day} 00:00:00.000000`, timezone_type: 3, timezone: 'UTC' },
];

test.each(dates.implausibleDays)('%s, whose year is implausible, is no instant, but says that it happened', (day) => {
  for (const value of forms(day)) expect([read(value), isSet(value)]).toEqual([[null, 'unreadable'], true]);
});

test.each(dates.bounds)('the bounds are instants: $value is $instant', ({ value, instant }) => {
  expect(read(value, 'UTC')[0]).toBe(instant);
});

/** Null written as a date. */
const nullDates = ['0001-01-01', '1900-01-01'].flatMap(forms);
const nothing = [null, undefined, '', ' ', false, 0, -0, '0', ' 0 ', ...nullDates, ...dates.nothing];
test.each(nothing)('%j says that nothing happened', (value) => {
  expect(isSet(value)).toBe(false);
});

test.each(dates.happened)('%j says that it happened', (value) => {
  expect(isSet(value)).toBe(true);
});

test('a date without a time of day differs from one with', () => {
  expect(['2026-11-09', '20261109', { date: ' 2026-11-09 ' }].map(isDateOnly)).toEqual([true, true, true]);
  expect(['2026-11-09T00:00:00Z', 1_794_211_200, null].map(isDateOnly)).toEqual([false, false, false]);
});
