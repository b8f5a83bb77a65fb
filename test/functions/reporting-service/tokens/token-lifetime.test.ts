import { UnsecuredJWT } from 'jose';
import { expect, test } from 'vitest';
import { tokenUsableForMs } from '../../../../functions/reporting-service/tokens/tokens.ts';

const askedAt = Date.UTC(2026, 10, 16, 8, 0, 0);
const year = 86_400 * 365;

// All in seconds from the moment of the asking, but for what is used.
test.each<{ why: string; iat?: number; exp: number; date?: number; usable: number }>([
  { why: 'less a tenth', iat: 0, exp: 200, usable: 180 },
  { why: 'less thirty seconds at most', iat: 0, exp: 3_600, usable: 3_570 },
  { why: 'less a second at least, since times are rounded', iat: 0, exp: 8, usable: 7 },
  { why: 'and half of it at least', iat: 0, exp: 2, usable: 1 },
  { why: 'whatever the clock of the service', iat: -year, exp: -year + 200, usable: 180 },
  { why: 'and the earlier of two ends, as iat may be backdated', iat: -60, exp: 140, usable: 126 },
  { why: 'and the earlier of two ends by the Date header', iat: 540, exp: 740, date: 600, usable: 126 },
  { why: 'but not by an iat that is not before exp', iat: 300, exp: 200, usable: 180 },
  { why: 'without iat by the Date header', exp: -400, date: -600, usable: 180 },
  { why: 'without iat and Date header by our clock', exp: 200, usable: 180 },
  { why: 'by a Date header a day off', exp: 200 - 86_400, date: -86_400, usable: 180 },
  { why: 'not by a Date header more than a day off', exp: 200, date: -25 * 3_600, usable: 180 },
])('from iat $iat to exp $exp a token is used for $usable s: $why ($date)', ({ iat, exp, date, usable }) => {
  const claims = { ...(iat === undefined ? {} : { iat: askedAt / 1000 + iat }), exp: askedAt / 1000 + exp };
  const header = date === undefined ? null : new Date(askedAt + date * 1000).toUTCString();
  expect(tokenUsableForMs(new UnsecuredJWT(claims).encode(), askedAt, header)).toBe(usable * 1000);
});

const now = askedAt / 1000;
test.each([
  { what: 'no exp', claims: { iat: now } },
  { what: 'an exp that is no number', claims: { exp: 'soon', iat: now } },
  { what: 'an end that has passed by every clock', claims: { exp: now - 10 } },
  { what: 'an end that has passed before its beginning', claims: { iat: now, exp: now - 10 } },
])('a token with $what is used until it is refused', ({ claims }) => {
  const token = new UnsecuredJWT(JSON.parse(JSON.stringify(claims))).encode();
  for (const worthless of [token, 'opaque', 'a.b.c']) expect(tokenUsableForMs(worthless, askedAt, 'soon')).toBeNull();
});
