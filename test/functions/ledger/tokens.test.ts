import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { UnsecuredJWT } from 'jose';
import { createTokenStore } from '../../../functions/ledger/tokens.ts';
import { createTokenCipher } from '../../../functions/reporting-service/tokens/token-cipher.ts';
import { after, json, startHttpStub, status, type HttpStub } from '../../support/http-stub.ts';
import { connect, credentials, grantTokens, type Connection } from '../reporting-service/connect.ts';
import { openLedger, type Ledger } from './open-ledger.ts';

let ledger: Ledger;
let stub: HttpStub;

beforeAll(async () => {
  ledger = await openLedger();
});
beforeEach(async () => {
  await ledger.table.remove({ pk: 'TOKENS', sk: 'service' });
  stub = await startHttpStub();
});
afterEach(() => stub.close());

/** To the ledger, a worker in a process of its own. */
const worker = (options: Parameters<typeof connect>[1] = {}) =>
  connect(stub, { store: createTokenStore(ledger.another(), Date.now), ...options });
const accessOf = async ({ tokens }: Connection, refused?: string) => (await tokens.access(refused)).value;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Tokens that live `seconds`, and refresh tokens that are good for one use. Returns those that were used. */
function issueTokens(seconds: number): string[] {
  const used: string[] = [];
  const good = new Set<string>();
  let issued = 0;
  const issue = () => {
    issued += 1;
    good.add(`refresh-${issued}`);
    const iat = Math.floor(Date.now() / 1000);
    const token = new UnsecuredJWT({ iat, exp: iat + seconds, n: issued }).encode();
    return after(30, json({ token, refresh_token: `refresh-${issued}` }));
  };
  stub.answer('/v1/auth', (response, request) => issue()(response, request));
  stub.answer('/v1/auth/refresh', (response, request) => {
    const { refresh_token: refresh } = JSON.parse(request.body);
    used.push(refresh);
    return (good.delete(refresh) ? issue() : status(401))(response, request);
  });
  return used;
}

test('workers of several processes with short-lived tokens use every refresh token once, and one set of credentials', async () => {
  const used = issueTokens(1);
  const workers = [worker(), worker(), worker()];
  const end = Date.now() + 3_500;
  await Promise.all(
    workers.map(async ({ tokens }) => {
      while (Date.now() < end) {
        await tokens.access();
        await pause(40);
      }
    }),
  );
  expect(used.length).toBeGreaterThan(1);
  expect(new Set(used).size).toBe(used.length);
  expect(stub.asked().filter((address) => address === '/v1/auth')).toEqual(['/v1/auth']);
});

test('workers that begin at the same moment ask for tokens once and share them', async () => {
  issueTokens(600);
  const tokens = await Promise.all(Array.from({ length: 5 }, () => accessOf(worker())));
  expect(new Set(tokens).size).toBe(1);
  expect(stub.asked()).toEqual(['/v1/auth']);
});

test('the token that several workers are refused is replaced once', async () => {
  issueTokens(600);
  const workers = [worker(), worker(), worker()];
  const refused = await Promise.all(workers.map((one) => accessOf(one)));
  const replaced = await Promise.all(workers.map((one, n) => accessOf(one, refused[n])));
  expect(new Set(replaced).size).toBe(1);
  expect(replaced[0]).not.toBe(refused[0]);
  expect(stub.asked()).toEqual(['/v1/auth', '/v1/auth/refresh']);
});

test('a lease whose owner died is taken over once it is over, and the refresh token that it may have used is not', async () => {
  const used = issueTokens(600);
  const refused = await accessOf(worker());
  const store = createTokenStore(ledger.table, Date.now);
  const { version } = await store.read();
  expect(await store.takeLease('died', version, 400)).toBe(true);
  const begun = performance.now();
  expect(await accessOf(worker(), refused)).not.toBe(refused);
  expect(performance.now() - begun).toBeGreaterThan(350);
  expect([used, stub.asked()]).toEqual([[], ['/v1/auth', '/v1/auth']]);
});

test('a worker whose lease another one took over does not overwrite the newer tokens', async () => {
  const store = createTokenStore(ledger.table, Date.now);
  expect(await store.takeLease('slow', 0, -1_000)).toBe(true);
  expect(await store.takeLease('fast', 0, 60_000)).toBe(true);
  expect(await store.write('slow', 0, { keyId: 'key', jwe: 'slow' })).toBe(false);
  expect(await store.write('fast', 0, { keyId: 'key', jwe: 'fast' })).toBe(true);
  expect(await store.read()).toEqual({ version: 1, keyId: 'key', jwe: 'fast', refreshTokenUsed: false });
});

test('a lease is one worker’s, for the version it has read, and only its owner gives it back', async () => {
  const store = createTokenStore(ledger.table, Date.now);
  const taken = await Promise.all(Array.from({ length: 20 }, (_, n) => store.takeLease(`owner-${n}`, 0, 60_000)));
  expect(taken.filter(Boolean)).toHaveLength(1);
  await store.releaseLease(`owner-${(taken.indexOf(true) + 1) % 20}`);
  expect(await store.takeLease('next', 0, 60_000)).toBe(false);
  await store.releaseLease(`owner-${taken.indexOf(true)}`);
  expect(await store.takeLease('next', 1, 60_000)).toBe(true);
});

test('a lease is not taken over tokens that are newer than those read', async () => {
  const store = createTokenStore(ledger.table, Date.now);
  await store.takeLease('first', 0, 60_000);
  await store.write('first', 0, { keyId: 'key', jwe: 'jwe' });
  expect(await store.takeLease('late', 0, 60_000)).toBe(false);
  expect(await store.takeLease('next', 1, 60_000)).toBe(true);
  expect(await store.read()).toMatchObject({ version: 1, refreshTokenUsed: true });
});

test('what is stored in the ledger reveals neither token nor secret, and expires', async () => {
  vi.useFakeTimers({ now: new Date('2026-11-16T08:00:00Z'), toFake: ['Date'] });
  try {
    grantTokens(stub);
    await worker().tokens.access();
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
  const jwe = String(items[0]?.['jwe']);
  const decoded = jwe.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'));
  expect([JSON.stringify(items), ...decoded].join()).not.toMatch(/access-1|refresh-1|canary|a-client/);
});

const readRotated = () => Promise.resolve({ ...credentials, secret: 'rotated' });

test('another client secret makes the entry void', async () => {
  const used = issueTokens(600);
  const before = await accessOf(worker());
  expect(await accessOf(worker({ readCredentials: readRotated }))).not.toBe(before);
  expect([used, stub.asked()]).toEqual([[], ['/v1/auth', '/v1/auth']]);
});
