import { expect, test, vi } from 'vitest';
import { createTokenCipher } from '../../../../functions/reporting-service/tokens/token-cipher.ts';

const credentials = { id: 'a-client', secret: 'canary-secret' };
const baseUrl = 'https://reporting.example.com';
const tokens = { access: 'canary-access', refresh: 'canary-refresh', usableUntil: null };
const cipher = createTokenCipher(credentials, baseUrl);

test('what was sealed comes back under the same secret, reveals nothing of itself, and is another text each time', async () => {
  const jwe = await cipher.seal(tokens);
  expect(await createTokenCipher({ ...credentials }, baseUrl).unseal(jwe)).toEqual(tokens);
  const decoded = jwe.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'));
  expect([jwe, ...decoded].join()).not.toMatch(/canary/);
  expect(await cipher.seal(tokens)).not.toBe(jwe);
});

test('a token ends at the same moment for another process, whose time began elsewhere', async () => {
  const jwe = await cipher.seal({ ...tokens, usableUntil: performance.now() + 60_000 });
  const now = performance.now() + 5_000_000;
  vi.spyOn(performance, 'now').mockReturnValue(now);
  const { usableUntil = 0 } = (await cipher.unseal(jwe)) ?? {};
  expect((usableUntil ?? 0) - now).toBeGreaterThan(55_000);
  expect((usableUntil ?? 0) - now).toBeLessThanOrEqual(60_001);
  vi.restoreAllMocks();
});

test.each([
  { what: 'secret', other: { ...credentials, secret: 'rotated' }, address: baseUrl },
  { what: 'client', other: { ...credentials, id: 'another' }, address: baseUrl },
  { what: 'address', other: credentials, address: 'https://other.example.com' },
])('another $what has another key, which does not open it', async ({ other, address }) => {
  const another = createTokenCipher(other, address);
  expect(await another.unseal(await cipher.seal(tokens))).toBeNull();
});

test('what was changed on its way, or is none at all, does not open', async () => {
  const [header, key, iv, text = '', tag] = (await cipher.seal(tokens)).split('.');
  const changed = [header, key, iv, `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`, tag].join('.');
  expect([await cipher.unseal(changed), await cipher.unseal('a.b.c.d.e')]).toEqual([null, null]);
});
