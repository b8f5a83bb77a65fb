import { describe, expect, test } from 'vitest';
import { createPageLinks } from '../../../functions/signed-links/page-link.ts';
import { createPageTokens, longestPageToken } from '../../../functions/signed-links/page-token.ts';
import { createUnsubscribeTokens } from '../../../functions/signed-links/unsubscribe-token.ts';

const secret = 'a-generated-secret-of-some-forty-characters';
const tokens = createPageTokens(secret);
const claims = {
  run: 'weekly_2026-W46',
  digest: '1c9f6a52-8a7e-4a55-9d5b-0f3c6a1e2b7d',
  madeAt: new Date('2026-11-16T08:00:00.250Z'),
  expiresAt: new Date('2027-02-14T08:00:00Z'),
};
const now = new Date('2026-11-16T09:00:00Z');

describe('the token of a page', () => {
  test('names run and digest, when it was made and when it ends, until then', async () => {
    const token = await tokens.issue(claims);
    expect(await tokens.read(token, now)).toEqual(claims);
    expect(await tokens.read(token, new Date('2027-02-14T08:00:01Z'))).toBe('expired');
  });

  test('shows nothing of it without the secret, and is invalid under another one', async () => {
    const token = await tokens.issue(claims);
    const decoded = token.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'));
    expect(decoded.join()).not.toMatch(/weekly|1c9f6a52/);
    const foreign = createPageTokens('another-generated-secret-of-forty-characters');
    expect(await foreign.read(token, now)).toBe('invalid');
  });

  test('is invalid as a token to unsubscribe, and the other way round', async () => {
    const leaving = createUnsubscribeTokens(secret);
    const leave = await leaving.issue({ addressKey: '3d1f3a2b', report: 'weekly' }, claims.expiresAt);
    expect(await tokens.read(leave, now)).toBe('invalid');
    expect(await leaving.read(await tokens.issue(claims), now)).toBe('invalid');
  });

  test('is never longer than what is decrypted', async () => {
    const longest = { ...claims, run: 'x'.repeat(64) };
    expect((await tokens.issue(longest)).length).toBeLessThanOrEqual(longestPageToken);
  });
});

test('the link to a page is good for the configured days, and is made of letters that no URL has to escape', async () => {
  const linkOf = createPageLinks({ secret, url: 'https://page.example.com', days: 90, now: claims.madeAt });
  const link = await linkOf(claims.run, claims.digest);
  expect(link).toMatch(/^https:\/\/page\.example\.com\/[\w.-]+$/);
  const token = link.slice('https://page.example.com/'.length);
  expect(await tokens.read(token, now)).toEqual({ ...claims, expiresAt: new Date('2027-02-14T08:00:00Z') });
});
