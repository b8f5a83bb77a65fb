import { UnsecuredJWT } from 'jose';
import { expect, test } from 'vitest';
import { tokenUsableForMs } from '../../../../functions/reporting-service/tokens/token-lifetime.ts';

const askedAt = Date.UTC(2026, 10, 16, 8, 0, 0);
const now = askedAt / 1000;
const minute = 60_000;
const token = (claims: Record<string, unknown>): string => new UnsecuredJWT(claims).encode();
const dateAt = (instant: number): string => new Date(instant).toUTCString();

/** Seconds after it was asked for until which the token is used. */
function usableFor(claims: Record<string, unknown>, date: string | null = null): number | null {
  const usableForMs = tokenUsableForMs(token(claims), askedAt, date);
  return usableForMs === null ? null : usableForMs / 1000;
}

test('the lifetime is exp - iat from the moment of the asking, less a tenth', () => {
  expect(usableFor({ iat: now, exp: now + 200 })).toBe(180);
});

test('no more than thirty seconds are taken off', () => {
  expect(usableFor({ iat: now, exp: now + 3_600 })).toBe(3_570);
});

test.each([
  { lifetime: 10, usable: 9 },
  { lifetime: 8, usable: 7 },
  { lifetime: 3, usable: 2 },
  { lifetime: 2, usable: 1 },
  { lifetime: 1, usable: 0.5 },
])(
  'of $lifetime seconds, which are rounded, $usable are used: a second less, and half at least',
  ({ lifetime, usable }) => {
    expect(usableFor({ iat: now, exp: now + lifetime })).toBe(usable);
  },
);

test.each([-86_400 * 365, -600, 600, 86_400 * 365])(
  'a clock of the service that is off by %i s does not matter',
  (skew) => {
    const claims = { iat: now + skew, exp: now + skew + 200 };
    expect([usableFor(claims), usableFor(claims, dateAt(askedAt))]).toEqual([180, 180]);
  },
);

test('of two ends the earlier one counts: iat may be backdated, and exp may be by another clock', () => {
  expect(usableFor({ iat: now - 60, exp: now + 140 })).toBe(126);
  expect(usableFor({ iat: now - 60, exp: now + 140 }, dateAt(askedAt))).toBe(126);
  expect(usableFor({ iat: now + 600, exp: now + 800 }, dateAt(askedAt))).toBe(180);
  expect(usableFor({ iat: now + 540, exp: now + 740 }, dateAt(askedAt + 600_000))).toBe(126);
});

test('an iat that is not before exp says nothing', () => {
  expect(usableFor({ iat: now + 300, exp: now + 200 })).toBe(180);
});

test.each([-600, 600])('without iat, exp is read by the clock of the Date header (off by %i s)', (skew) => {
  expect(usableFor({ exp: now + skew + 200 }, dateAt(askedAt + skew * 1_000))).toBe(180);
});

test('without iat and Date header, exp is read by our clock', () => {
  expect([usableFor({ exp: now + 200 }), usableFor({ exp: now + 200 }, 'soon')]).toEqual([180, 180]);
});

test('a Date header more than a day off is not believed', () => {
  expect(usableFor({ exp: now + 200 }, dateAt(askedAt - 25 * 60 * minute))).toBe(180);
});

test.each([
  { what: 'neither exp nor iat', claims: {} },
  { what: 'no exp', claims: { iat: now } },
  { what: 'an exp that is no number', claims: { exp: 'soon', iat: now } },
  { what: 'an end that has passed by every clock', claims: { exp: now - 10 } },
  { what: 'an end that is not after its beginning', claims: { iat: now, exp: now } },
  { what: 'an end that has passed before its beginning', claims: { iat: now, exp: now - 10 } },
])('a token with $what is used until it is refused', ({ claims }) => {
  expect(usableFor(claims)).toBeNull();
});

test.each(['', 'opaque', 'a.b.c', '…'])('a token that is no JWT (%o) is used until it is refused', (opaque) => {
  expect(tokenUsableForMs(opaque, askedAt, dateAt(askedAt))).toBeNull();
});
