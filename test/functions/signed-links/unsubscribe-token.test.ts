import { describe, expect, test } from 'vitest';
import { createUnsubscribeTokens } from '../../../functions/signed-links/unsubscribe-token.ts';

const secret = 'a-generated-secret-of-some-forty-characters';
const tokens = createUnsubscribeTokens(secret);
const unsubscription = { addressKey: '3d1f3a2b', report: 'weekly' };
const expiresAt = new Date('2027-12-20T00:00:00Z');
const now = new Date('2026-11-16T08:00:00Z');

describe('an unsubscribe token', () => {
  test('says whose and of which report it is until it expires', async () => {
    const token = await tokens.issue(unsubscription, expiresAt);
    expect(await tokens.read(token, now)).toEqual(unsubscription);
    expect(await tokens.read(token, new Date('2027-12-19T23:59:59Z'))).toEqual(unsubscription);
    expect(await tokens.read(token, new Date('2027-12-20T00:00:01Z'))).toBe('expired');
  });

  test('shows neither without the secret, and needs no escaping in a URL', async () => {
    const token = await tokens.issue(unsubscription, expiresAt);
    const decoded = token.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'));
    expect(decoded.join()).not.toMatch(/3d1f3a2b|weekly/);
    expect(token).toMatch(/^[\w.-]{100,400}$/);
  });

  test('is read where an earlier release made it', async () => {
    const [header, iv, body, tag] = [
      'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0',
      'KMeEnFv2CnM5V7Ne',
      'BIzUkQTkyrug0LBQB94xN6mmJ7Tlj342PUIggrWyuEtdmDTCBVpqf_oKHzTzuHLCBv0UBzMmNtgi4QcFNpULJ9I5EA',
      '9Nxt3JdOnpLkJGJGrg4hHQ',
    ];
    expect(await tokens.read(`${header}..${iv}.${body}.${tag}`, now)).toEqual(unsubscription);
  });

  test('is invalid where it was made under another secret', async () => {
    const foreign = createUnsubscribeTokens('another-generated-secret-of-forty-characters');
    expect(await tokens.read(await foreign.issue(unsubscription, expiresAt), now)).toBe('invalid');
  });

  test('is invalid after any change of a character', async () => {
    const token = await tokens.issue(unsubscription, expiresAt);
    const changed = Array.from(token, (character, index) => {
      const other = character === 'A' ? 'B' : 'A';
      return token.slice(0, index) + other + token.slice(index + 1);
    });
    // The last character of a part holds bits that no byte needs.
    const read = await Promise.all(changed.map((each) => tokens.read(each, now)));
    expect(read.filter((each) => each !== 'invalid').length).toBeLessThanOrEqual(3);
  });

  test.each(['', '.', '....', 'eyJhbGciOiJub25lIn0.e30.', '../../etc/passwd', '%00', 'x'.repeat(10_000)])(
    'is invalid where it is malformed: %.40s',
    async (text) => {
      expect(await tokens.read(text, now)).toBe('invalid');
    },
  );
});
