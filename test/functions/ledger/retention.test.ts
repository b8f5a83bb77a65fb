import { expect, test } from 'vitest';
import { expiresAfterMonths } from '../../../functions/ledger/retention.ts';

test.each([
  { months: 26, now: '2026-11-16T08:00:00.999Z', expires: '2029-01-16T08:00:00Z' },
  { months: 3, now: '2026-11-16T00:00:00Z', expires: '2027-02-16T00:00:00Z' },
  // A month without a 31st: the day runs over, never back before the month asked for.
  { months: 1, now: '2026-01-31T00:00:00Z', expires: '2026-03-03T00:00:00Z' },
])('$months months after $now is $expires', ({ months, now, expires }) => {
  expect(expiresAfterMonths(months, new Date(now))).toBe(Date.parse(expires) / 1000);
});
