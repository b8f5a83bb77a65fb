import { UnsecuredJWT } from 'jose';
import { expect, test } from 'vitest';
import { tokenUsableUntil } from '../../../functions/reporting-service/token-lifetime.ts';

const receivedAt = Date.UTC(2026, 10, 16, 8, 0, 0);
const now = receivedAt / 1000;
const minute = 60_000;
const token = (claims: Record<string, unknown>): string => new UnsecuredJWT(claims).encode();
const dateAt = (instant: number): string => new Date(instant).toUTCString();

/** Seconds after its receipt until which the token is used. */
function usableFor(claims: Record<string, unknown>, date: string | null = null): number | null {
  const until = tokenUsableUntil(token(claims), receivedAt, date);
  return until === null ? null : (until - receivedAt) / 1000;
}

test('the lifetime is exp - iat from the moment of receipt, less a tenth', () => {
  expect(usableFor({ iat: now, exp: now + 200 })).toBe(180);
});

test('no more than thirty seconds are taken off', () => {
  expect(usableFor({ iat: now, exp: now + 3_600 })).toBe(3_570);
});

test.each([-86_400 * 365, -600, 600, 86_400 * 365])(
  'a clock of the service that is off by %i s does not matter',
  (skew) => {
    const claims = { iat: now + skew, exp: now + skew + 200 };
    expect([usableFor(claims), usableFor(claims, dateAt(receivedAt))]).toEqual([180, 180]);
  },
);

test.each([-600, 600])('without iat, exp is read by the clock that the Date header tells (off by %i s)', (skew) => {
  expect(usableFor({ exp: now + skew + 200 }, dateAt(receivedAt + skew * 1_000))).toBe(180);
});

test('without iat and Date header, exp is read by our clock', () => {
  expect([usableFor({ exp: now + 200 }), usableFor({ exp: now + 200 }, 'soon')]).toEqual([180, 180]);
});

test('a Date header more than a day off is not believed', () => {
  expect(usableFor({ exp: now + 200 }, dateAt(receivedAt - 25 * 60 * minute))).toBe(180);
});

test.each([
  { what: 'neither exp nor iat', claims: {} },
  { what: 'no exp', claims: { iat: now } },
  { what: 'an exp that is no number', claims: { exp: 'soon', iat: now } },
  { what: 'an end that has passed by every clock', claims: { exp: now - 10 } },
  { what: 'an end that is not after its beginning', claims: { iat: now, exp: now } },
])('a token with $what is used until it is refused', ({ claims }) => {
  expect(usableFor(claims)).toBeNull();
});

test.each(['', 'opaque', 'a.b.c', '…'])('a token that is no JWT (%o) is used until it is refused', (opaque) => {
  expect(tokenUsableUntil(opaque, receivedAt, dateAt(receivedAt))).toBeNull();
});
