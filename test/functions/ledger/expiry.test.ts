import { expect, test } from 'vitest';
import { expiresAfterDays, expiresAfterMonths } from '../../../functions/ledger/table.ts';

test.each([
  { months: 26, now: '2026-11-16T08:00:00.999Z', expires: '2029-01-16T08:00:00Z' },
  { months: 3, now: '2026-11-16T00:00:00Z', expires: '2027-02-16T00:00:00Z' },
  // A month without a 31st: the day runs over, never back before the month asked for.
  { months: 1, now: '2026-01-31T00:00:00Z', expires: '2026-03-03T00:00:00Z' },
])('$months months after $now is $expires', ({ months, now, expires }) => {
  expect(expiresAfterMonths(months, new Date(now))).toBe(Date.parse(expires) / 1000);
});

test('days are days of 24 hours', () => {
  expect(expiresAfterDays(30, new Date('2026-03-15T08:00:00.500Z'))).toBe(Date.parse('2026-04-14T08:00:00Z') / 1000);
});
