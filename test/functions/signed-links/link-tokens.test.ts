import { describe, expect, test } from 'vitest';
import { createPageLinks } from '../../../functions/signed-links/links.ts';
import {
  createPageTokens,
  createUnsubscribeTokens,
  longestPageToken,
} from '../../../functions/signed-links/link-tokens.ts';

const secret = 'a-generated-secret-of-some-forty-characters';
const another = 'another-generated-secret-of-forty-characters';
const now = new Date('2026-11-16T09:00:00Z');
const expiresAt = new Date('2027-02-14T08:00:00Z');
const leave = { hash: '3d1f3a2b', report: 'weekly', expiresAt };
const page = {
  run: 'weekly_2026-W46',
  digest: '1c9f6a52-8a7e-4a55-9d5b-0f3c6a1e2b7d',
  madeAt: new Date('2026-11-16T08:00:00.250Z'),
  expiresAt,
};
const [leaving, pages] = [createUnsubscribeTokens(secret), createPageTokens(secret)];

describe.each([
  ['to unsubscribe', () => leaving.issue(leave), leaving, createUnsubscribeTokens(another), pages, leave],
  ['of a page', () => pages.issue(page), pages, createPageTokens(another), leaving, page],
])('a token %s', (_, issue, tokens, foreign, otherKind, claims) => {
  test('says what it was made of until it ends', async () => {
    const token = await issue();
    expect(await tokens.read(token, now)).toEqual(claims);
    expect(await tokens.read(token, new Date('2027-02-14T07:59:59Z'))).toEqual(claims);
    expect(await tokens.read(token, new Date('2027-02-14T08:00:01Z'))).toBe('expired');
  });

  test('shows nothing without the secret, needs no escaping in a URL, and is invalid as another kind or under another secret', async () => {
    const token = await issue();
    const decoded = token.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'));
    expect(decoded.join()).not.toMatch(/3d1f3a2b|weekly|1c9f6a52/);
    expect(token).toMatch(/^[\w.-]{100,400}$/);
    expect([await foreign.read(token, now), await otherKind.read(token, now)]).toEqual(['invalid', 'invalid']);
  });
});

test('a token to unsubscribe is read where an earlier release made it', async () => {
  const iv = 'KMeEnFv2CnM5V7Ne';
  const body = 'BIzUkQTkyrug0LBQB94xN6mmJ7Tlj342PUIggrWyuEtdmDTCBVpqf_oKHzTzuHLCBv0UBzMmNtgi4QcFNpULJ9I5EA';
  const token = `eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..${iv}.${body}.9Nxt3JdOnpLkJGJGrg4hHQ`;
  const read = await leaving.read(token, now);
  expect(read).toEqual({ ...leave, expiresAt: new Date('2027-12-20T00:00:00Z') });
});

test('a token is invalid after any change of a character, and where it is malformed', async () => {
  const token = await leaving.issue(leave);
  const changed = Array.from(token, (character, index) => {
    const other = character === 'A' ? 'B' : 'A';
    return token.slice(0, index) + other + token.slice(index + 1);
  });
  // The last character of a part holds bits that no byte needs.
  const read = await Promise.all(changed.map((each) => leaving.read(each, now)));
  expect(read.filter((each) => each !== 'invalid').length).toBeLessThanOrEqual(3);
  for (const text of ['', '.', '....', 'eyJhbGciOiJub25lIn0.e30.', '../../etc/passwd', '%00', 'x'.repeat(10_000)]) {
    expect(await leaving.read(text, now), text).toBe('invalid');
  }
});

test('the link to a page is good for the configured days, and its token never longer than what is decrypted', async () => {
  const linkOf = createPageLinks({ secret, url: 'https://page.example.com', days: 90, now: page.madeAt });
  const link = await linkOf(page.run, page.digest);
  expect(link).toMatch(/^https:\/\/page\.example\.com\/[\w.-]+$/);
  expect(await pages.read(link.slice('https://page.example.com/'.length), now)).toEqual(page);
  const longest = await pages.issue({ ...page, run: 'x'.repeat(64) });
  expect(longest.length).toBeLessThanOrEqual(longestPageToken);
});
