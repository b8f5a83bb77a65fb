import { expect, test } from 'vitest';
import { createTokenCipher } from '../../../../functions/reporting-service/tokens/token-cipher.ts';

const credentials = { id: 'a-client', secret: 'canary-secret' };
const baseUrl = 'https://reporting.example.com';

test('what was encrypted comes back under the same secret, and reveals nothing of itself', async () => {
  const cipher = createTokenCipher(credentials, baseUrl);
  const jwe = await cipher.encrypt('canary-token');
  expect(await createTokenCipher({ ...credentials }, baseUrl).decrypt(jwe)).toBe('canary-token');
  const stored = [
    cipher.keyId,
    ...jwe.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1')),
    jwe,
  ].join();
  expect(stored).not.toMatch(/canary/);
});

test('the same tokens are encrypted differently each time', async () => {
  const cipher = createTokenCipher(credentials, baseUrl);
  expect(await cipher.encrypt('token')).not.toBe(await cipher.encrypt('token'));
});

test.each([
  { what: 'secret', other: { ...credentials, secret: 'rotated' }, address: baseUrl },
  { what: 'client', other: { ...credentials, id: 'another' }, address: baseUrl },
  { what: 'address', other: credentials, address: 'https://other.example.com' },
])('another $what has another key, which does not open it', async ({ other, address }) => {
  const cipher = createTokenCipher(credentials, baseUrl);
  const another = createTokenCipher(other, address);
  expect(another.keyId).not.toBe(cipher.keyId);
  await expect(another.decrypt(await cipher.encrypt('token'))).rejects.toThrow('decryption operation failed');
});

test('an entry that was tampered with does not open', async () => {
  const cipher = createTokenCipher(credentials, baseUrl);
  const jwe = await cipher.encrypt('a token of some length');
  const parts = jwe.split('.');
  const body = Buffer.from(parts[3] ?? '', 'base64url');
  body[0] = (body[0] ?? 0) ^ 1;
  const changed = [...parts.slice(0, 3), body.toString('base64url'), parts[4]].join('.');
  await expect(cipher.decrypt(changed)).rejects.toThrow('decryption operation failed');
});
