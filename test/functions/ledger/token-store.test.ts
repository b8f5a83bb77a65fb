import { beforeEach, expect, test, vi } from 'vitest';
import { createTokenStore } from '../../../functions/ledger/token-store.ts';
import { createTokenCipher } from '../../../functions/reporting-service/tokens/token-cipher.ts';
import { credentials } from '../reporting-service/connect.ts';
import { connect, stub, stubEachTest } from '../reporting-service/service-stub.ts';
import { openLedger } from './open-ledger.ts';

const ledger = await openLedger();

stubEachTest();
beforeEach(() => ledger.table.remove({ pk: 'TOKENS', sk: 'service' }));

/** The tokens of a worker, which is a process of its own to the ledger. */
const worker = () => connect({ store: createTokenStore(ledger.another(), Date.now) }).tokens;
const openStore = () => createTokenStore(ledger.table, Date.now);

test('workers of several processes share one set of credentials, and use every refresh token once', async () => {
  const workers = Array.from({ length: 5 }, worker);
  let refused: string | undefined;
  for (const access of ['access-1', 'access-2', 'access-3', 'access-4']) {
    const tokens = await Promise.all(workers.map((each) => each.access(refused)));
    expect(tokens.map(({ value }) => value)).toEqual(workers.map(() => access));
    expect(tokens.filter(({ isFresh }) => isFresh)).toHaveLength(1);
    refused = access;
  }
  expect(stub.requests.map(({ path, body }) => [path, JSON.parse(body).refresh_token])).toEqual([
    ['/v1/auth', undefined],
    ['/v1/auth/refresh', 'refresh-1'],
    ['/v1/auth/refresh', 'refresh-2'],
    ['/v1/auth/refresh', 'refresh-3'],
  ]);
});

test('a lease whose owner died is taken over once it is over, and the refresh token that it may have used is not', async () => {
  const { value: refused } = await worker().access();
  expect(await openStore().takeLease('died', 1, 400)).toBe(true);
  const begun = performance.now();
  expect(await worker().access(refused)).toEqual({ value: 'access-2', isFresh: true });
  expect(performance.now() - begun).toBeGreaterThan(350);
  expect(stub.asked()).toEqual(['/v1/auth', '/v1/auth']);
});

test('a lease is one worker’s, for the version it has read, and only its owner gives it back', async () => {
  const store = openStore();
  const taken = await Promise.all(Array.from({ length: 20 }, (_, n) => store.takeLease(`owner-${n}`, 0, 60_000)));
  expect(taken.filter(Boolean)).toHaveLength(1);
  await store.releaseLease(`owner-${(taken.indexOf(true) + 1) % 20}`);
  expect(await store.takeLease('next', 0, 60_000)).toBe(false);
  await store.releaseLease(`owner-${taken.indexOf(true)}`);
  expect(await store.takeLease('next', 1, 60_000)).toBe(true);
});

test('a worker whose lease another one took over does not overwrite the newer tokens, and takes none over them', async () => {
  const store = openStore();
  expect(await store.takeLease('slow', 0, -1_000)).toBe(true);
  expect(await store.takeLease('fast', 0, 60_000)).toBe(true);
  expect(await store.write('slow', 0, { keyId: 'key', jwe: 'slow' })).toBe(false);
  expect(await store.write('fast', 0, { keyId: 'key', jwe: 'fast' })).toBe(true);
  expect(await store.takeLease('slow', 0, 60_000)).toBe(false);
  expect(await store.read()).toEqual({ version: 1, keyId: 'key', jwe: 'fast', refreshTokenUsed: false });
  expect(await store.takeLease('next', 1, 60_000)).toBe(true);
  expect(await store.read()).toMatchObject({ version: 1, refreshTokenUsed: true });
});

test('what is stored in the ledger reveals neither token nor secret, and expires', async () => {
  vi.useFakeTimers({ now: new Date('2026-11-16T08:00:00Z'), toFake: ['Date'] });
  try {
    await worker().access();
  } finally {
    vi.useRealTimers();
  }
  const items = await ledger.items('TOKENS');
  expect(items).toEqual([
    {
      pk: 'TOKENS',
      sk: 'service',
      v: 2,
      version: 1,
      spentVersion: 0,
      keyId: createTokenCipher(credentials, stub.url).keyId,
      jwe: expect.any(String),
      expiresAt: Date.parse('2027-01-15T08:00:00Z') / 1000,
    },
  ]);
  // That the text under "jwe" is encrypted is tested with the cipher.
  expect(JSON.stringify(items)).not.toMatch(/access-1|refresh-1|canary|a-client/);
});
