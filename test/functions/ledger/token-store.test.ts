import { beforeEach, expect, test, vi } from 'vitest';
import { createTokenStore } from '../../../functions/ledger/token-store.ts';
import type { TokenSource } from '../../../functions/reporting-service/tokens/tokens.ts';
import { after, json, status, type StubAnswer } from '../../support/http-stub.ts';
import { createAuthority } from '../../support/service/tokens.ts';
import { credentials } from '../reporting-service/connect.ts';
import { connect, stub, stubEachTest } from '../reporting-service/service-stub.ts';
import { openLedger } from './open-ledger.ts';

const ledger = await openLedger();

stubEachTest();
beforeEach(() => ledger.table.remove({ pk: 'TOKENS', sk: 'service' }));

/** The tokens of a worker, which is a process of its own to the ledger. */
const worker = (): TokenSource => connect({ store: createTokenStore(ledger.another()) }).tokens;

test('workers of several processes take turns with one set of credentials, and use every refresh token once', async () => {
  const workers = Array.from({ length: 3 }, worker);
  let refused: string | undefined;
  for (const access of ['access-1', 'access-2', 'access-3']) {
    for (const tokens of workers) expect(await tokens.access(refused)).toBe(access);
    refused = access;
  }
  expect(stub.requests.map(({ path, body }) => [path, JSON.parse(body).refresh_token])).toEqual([
    ['/v1/auth', undefined],
    ['/v1/auth/refresh', 'refresh-1'],
    ['/v1/auth/refresh', 'refresh-2'],
  ]);
});

/** The answer of a service some way off. */
const answer = (tokens: object | null): StubAnswer => after(20, tokens === null ? status(401) : json(tokens));

test('workers at once all come to have good tokens of a service whose sign-in ends other sessions', async () => {
  vi.mocked(Math.random).mockRestore();
  const authority = createAuthority(credentials, {});
  stub.answer('/v1/auth', (response, request) => {
    authority.revokeAll();
    return answer(authority.exchange(JSON.parse(request.body)))(response, request);
  });
  stub.answer('/v1/auth/refresh', (response, request) =>
    answer(authority.refresh(JSON.parse(request.body)))(response, request),
  );
  const workers = Array.from({ length: 5 }, worker);
  const untilAccepted = async (tokens: TokenSource, refused?: string): Promise<void> => {
    const token = await tokens.access(refused);
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (!authority.accepts(`Bearer ${token}`)) await untilAccepted(tokens, token);
  };
  for (const _round of [1, 2]) {
    await Promise.all(workers.map((tokens) => untilAccepted(tokens)));
    authority.revokeAll();
  }
}, 60_000);

test('what another worker stored meanwhile stays, and the loser takes it', async () => {
  const store = createTokenStore(ledger.table);
  const won = Promise.withResolvers<void>();
  const mine: StubAnswer = (...asked) => won.promise.then(() => json({ token: 'mine' })(...asked));
  stub.answer('/v1/auth', mine, json({ token: 'winner' }));
  const [loser, winner] = [worker(), worker()];
  const lost = loser.access();
  await vi.waitFor(() => expect(stub.requests).toHaveLength(1), 20_000);
  expect(await winner.access()).toBe('winner');
  won.resolve();
  expect(await lost).toBe('winner');
  expect([(await store.read()).version, await store.write(0, 'another')]).toEqual([1, false]);
});

test('what is stored in the ledger reveals neither token nor secret, and expires', async () => {
  vi.useFakeTimers({ now: new Date('2026-11-16T08:00:00Z'), toFake: ['Date'] });
  try {
    await worker().access();
  } finally {
    vi.useRealTimers();
  }
  const items = await ledger.items('TOKENS');
  const expiresAt = Date.parse('2027-01-15T08:00:00Z') / 1000;
  expect(items).toEqual([{ pk: 'TOKENS', sk: 'service', v: 3, version: 1, jwe: expect.any(String), expiresAt }]);
  // That the text under "jwe" is encrypted is tested with the cipher.
  expect(JSON.stringify(items)).not.toMatch(/access-1|refresh-1|canary|a-client/);
});
