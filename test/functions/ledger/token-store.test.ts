import { beforeEach, expect, test, vi } from 'vitest';
import { createTokenStore } from '../../../functions/ledger/token-store.ts';
import type { TokenSource } from '../../../functions/reporting-service/tokens/tokens.ts';
import { after, json, status, type StubAnswer } from '../../support/http-stub.ts';
import { createAuthority, type TokenAuthority } from '../../support/service/tokens.ts';
import { credentials } from '../reporting-service/connect.ts';
import { connect, stub, stubEachTest } from '../reporting-service/service-stub.ts';
import { openLedger } from './open-ledger.ts';

const ledger = await openLedger();

stubEachTest();
beforeEach(() => ledger.table.remove({ pk: 'TOKENS', sk: 'service' }));

/** The tokens of a worker, which is a process of its own to the ledger. */
const worker = (): TokenSource => connect({ store: createTokenStore(ledger.another()) }).tokens;

/** The answer of a service some way off. */
const answer = (tokens: object | null): StubAnswer => after(20, tokens === null ? status(401) : json(tokens));

/** The stub's tokens are an authority's, which revokes a family of tokens where one of its refresh tokens comes again. */
function grant({ signInEndsOthers }: { signInEndsOthers: boolean }): TokenAuthority {
  const authority = createAuthority(credentials, {});
  stub.answer('/v1/auth', (response, request) => {
    if (signInEndsOthers) authority.revokeAll();
    return answer(authority.exchange(JSON.parse(request.body)))(response, request);
  });
  stub.answer('/v1/auth/refresh', (response, request) =>
    answer(authority.refresh(JSON.parse(request.body)))(response, request),
  );
  return authority;
}

test.each([
  { of: 'keeps other sessions', signInEndsOthers: false },
  { of: 'ends other sessions', signInEndsOthers: true },
])('workers at once all come to have good tokens of a service whose sign-in $of', async ({ signInEndsOthers }) => {
  vi.mocked(Math.random).mockRestore();
  const authority = grant({ signInEndsOthers });
  const workers = Array.from({ length: 5 }, worker);
  const untilAccepted = async (each: TokenSource, refused?: string): Promise<void> => {
    const { value } = await each.access(refused);
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (!authority.accepts(`Bearer ${value}`)) await untilAccepted(each, value);
  };
  for (const _round of [1, 2]) {
    await Promise.all(workers.map((each) => untilAccepted(each)));
    authority.revokeAll();
  }
});

test('what another worker stored meanwhile stays, and the loser takes it', async () => {
  const store = createTokenStore(ledger.table);
  stub.answer('/v1/auth', after(100, json({ token: 'mine', refresh_token: 'refresh' })), json({ token: 'winner' }));
  const [loser, winner] = [worker(), worker()];
  const lost = loser.access();
  await vi.waitFor(() => expect(stub.requests).toHaveLength(1));
  expect(await winner.access()).toEqual({ value: 'winner', isFresh: true });
  expect(await lost).toEqual({ value: 'winner', isFresh: false });
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
