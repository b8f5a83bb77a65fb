import { expect, test } from 'vitest';
import { createTokenCipher } from '../../../../functions/reporting-service/tokens/tokens.ts';

const credentials = { id: 'a-client', secret: 'canary-secret' };
const baseUrl = 'https://reporting.example.com';
const tokens = { access: 'canary-access', refresh: 'canary-refresh', usableUntil: 1_794_816_000_000 };
const cipher = createTokenCipher(credentials, baseUrl);

test('what was sealed comes back under the same secret, reveals nothing of itself, and is another text each time', async () => {
  const jwe = await cipher.seal(tokens);
  expect(await createTokenCipher({ ...credentials }, baseUrl).unseal(jwe)).toEqual(tokens);
  const decoded = jwe.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'));
  expect([jwe, ...decoded].join()).not.toMatch(/canary/);
  expect(await cipher.seal(tokens)).not.toBe(jwe);
});

test('another secret, client or address has another key, which does not open it, and what is damaged does not open', async () => {
  const jwe = await cipher.seal(tokens);
  for (const other of [
    createTokenCipher({ ...credentials, secret: 'rotated' }, baseUrl),
    createTokenCipher({ ...credentials, id: 'another' }, baseUrl),
    createTokenCipher(credentials, 'https://other.example.com'),
  ]) {
    expect(await other.unseal(jwe)).toBeNull();
  }
  // A tag of zeros, which no message has but by a chance of 1 in 2^128.
  const damaged = jwe.replace(/[^.]*$/, 'A'.repeat(22));
  expect([await cipher.unseal(damaged), await cipher.unseal('a.b.c.d.e')]).toEqual([null, null]);
});
