import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, test as base, vi } from 'vitest';
import { after, json, startHttpStub, status, type HttpStub, type StubAnswer } from '../../../support/http-stub.ts';
import { connect, grantTokens, unavailableFrom, type Connection } from '../connect.ts';
import { openWithShortLived } from './short-lived.ts';

const path = '/v1/broadcasts/71';
const broadcast = json({ broadcast: {}, contents: [] });

/** Each test has a stub of its own: they wait for seconds, and do it together. */
const test = base.extend<{ stub: HttpStub }>({
  stub: async ({ onTestFinished }, use) => {
    const stub = await startHttpStub();
    onTestFinished(() => stub.close());
    await use(stub);
  },
});

beforeAll(() => void vi.spyOn(Math, 'random').mockReturnValue(0));

/** Asks for so many broadcasts at once, each answered by `answer`. */
async function askAtOnce(stub: HttpStub, { service }: Connection, count: number, answer: StubAnswer): Promise<void> {
  const ids = Array.from({ length: count }, (_, index) => String(100 + index));
  for (const id of ids) stub.answer(`/v1/broadcasts/${id}`, answer);
  await Promise.all(ids.map((id) => service.broadcast(id)));
}

const refusals = ({ tally }: Connection): number => tally.coverage.requests['broadcast']?.['401'] ?? 0;
const askedForTokens = (stub: HttpStub): string[] => stub.asked().filter((asked) => asked.startsWith('/v1/auth'));
const timesOf = (stub: HttpStub, of: string): number[] =>
  stub.requests.filter((asked) => asked.path === of).map(({ at }) => at);
const timesAsked = (stub: HttpStub): number => timesOf(stub, path).length;

describe.concurrent('a request leaves under a token of that moment', () => {
  test('however long it waited in the queue', async ({ stub }) => {
    const judged = openWithShortLived(stub, { seconds: 3 });
    const connection = connect(stub, { settings: { concurrency: 1 } });
    await askAtOnce(stub, connection, 12, judged(after(350, broadcast)));
    expect(refusals(connection)).toBe(0);
  });

  test('however long a pause it waited for', async ({ stub }) => {
    const judged = openWithShortLived(stub, { seconds: 2 });
    const connection = connect(stub, { settings: { concurrency: 4 } });
    stub.answer(path, judged(status(429, { 'retry-after': '3' })), judged(broadcast));
    const throttled = connection.service.broadcast('71');
    await vi.waitFor(() => expect(timesAsked(stub)).toBe(1));
    await pause(50);
    await askAtOnce(stub, connection, 12, judged(broadcast));
    await throttled;
    expect(refusals(connection)).toBe(0);
  });

  test('and not in a pause that began while the token was fetched', async ({ stub }) => {
    const judged = openWithShortLived(stub, { seconds: 2, givenAfterMs: 400 });
    const connection = connect(stub, { settings: { concurrency: 2 } });
    stub.answer(path, broadcast, after(200, status(429, { 'retry-after': '3' })), judged(broadcast));
    stub.answer('/v1/broadcasts/72', status(401), judged(broadcast));
    await connection.service.broadcast('71');
    await Promise.all([connection.service.broadcast('71'), connection.service.broadcast('72')]);
    // The one refusal is the script's own.
    expect(refusals(connection)).toBe(1);
    const [, throttledAt = 0] = timesOf(stub, path);
    const [, repeatedAt = 0] = timesOf(stub, '/v1/broadcasts/72');
    expect(repeatedAt - throttledAt).toBeGreaterThan(2_990);
  });
});

describe.concurrent('the life of a token', () => {
  test('is counted from the asking: it may have been issued any time since', async ({ stub }) => {
    const judged = openWithShortLived(stub, { seconds: 3, givenAfterMs: 900 });
    const connection = connect(stub);
    stub.answer(path, judged(broadcast));
    for (const end = performance.now() + 6_000; performance.now() < end; await pause(200))
      await connection.service.broadcast('71');
    expect(refusals(connection)).toBe(0);
    expect(askedForTokens(stub).length).toBeGreaterThan(2);
  });

  test('that is over when it comes does not keep those who waited for it from using it', async ({ stub }) => {
    openWithShortLived(stub, { seconds: 1, givenAfterMs: 600 });
    await askAtOnce(stub, connect(stub, { settings: { concurrency: 4 } }), 8, after(50, broadcast));
    expect(askedForTokens(stub)).toEqual(['/v1/auth', '/v1/auth/refresh']);
  });
});

describe.concurrent('a refused request', () => {
  test('is asked again under the newest token, which is replaced too where it was not fresh', async ({ stub }) => {
    grantTokens(stub);
    // The first is refused once the other has gone out under the token that replaced its own.
    const { promise: replaced, resolve: goneOut } = Promise.withResolvers<void>();
    stub.answer(
      path,
      (response, request) => replaced.then(() => status(401)(response, request)),
      status(401),
      broadcast,
    );
    stub.answer('/v1/broadcasts/72', status(401), (response, request) => {
      goneOut();
      return broadcast(response, request);
    });
    const connection = connect(stub);
    await Promise.all([connection.service.broadcast('71'), connection.service.broadcast('72')]);
    const under = stub.requests.filter((asked) => asked.path === path).map(({ headers }) => headers.authorization);
    expect(under).toEqual(['Bearer access-1', 'Bearer access-2', 'Bearer access-3']);
    expect(askedForTokens(stub)).toEqual(['/v1/auth', '/v1/auth/refresh', '/v1/auth/refresh']);
    expect(connection.tally.coverage.retries).toBe(3);
  });

  test('is asked again where its fresh token was replaced meanwhile', async ({ stub }) => {
    grantTokens(stub);
    stub.answer(path, status(401), after(300, status(401)), broadcast);
    stub.answer('/v1/broadcasts/72', status(401), broadcast);
    const connection = connect(stub);
    const slow = connection.service.broadcast('71');
    await vi.waitFor(() => expect(timesAsked(stub)).toBe(2));
    await Promise.all([slow, connection.service.broadcast('72')]);
    expect(timesAsked(stub)).toBe(3);
    expect(askedForTokens(stub)).toEqual(['/v1/auth', '/v1/auth/refresh', '/v1/auth/refresh']);
  });

  test('is asked again where its fresh token may have run out on the way', async ({ stub }) => {
    const judged = openWithShortLived(stub, { seconds: 2 });
    stub.answer(path, after(1_100, status(401)), after(1_100, status(401)), judged(broadcast));
    await connect(stub).service.broadcast('71');
    expect(timesAsked(stub)).toBe(3);
  });

  test('is given up after five times, whatever its tokens are', async ({ stub }) => {
    openWithShortLived(stub, { seconds: 1 });
    stub.answer(path, after(600, status(401)));
    const error = await unavailableFrom(connect(stub).service.broadcast('71'));
    expect(error.unavailable).toEqual({ reason: 'refused', status: 401 });
    expect(timesAsked(stub)).toBe(5);
  });
});

describe.concurrent('a call for tokens', () => {
  test('begins a pause for all requests where the service asks for one, and does not queue behind them', async ({
    stub,
  }) => {
    grantTokens(stub);
    const auth = json({ token: 'access', refresh_token: 'refresh' });
    stub.answer('/v1/auth', status(503, { 'retry-after': '1' }), auth);
    stub.answer(path, broadcast);
    const { service } = connect(stub, { settings: { concurrency: 1 } });
    await Promise.all([service.broadcast('71'), service.broadcast('71'), service.broadcast('71')]);
    expect(stub.asked()).toEqual(['/v1/auth', '/v1/auth', path, path, path]);
    const [first = 0, second = 0] = stub.requests.map(({ at }) => at);
    expect(second - first).toBeGreaterThan(990);
  });

  test('with the credentials keeps the pause that the service asked of the refresh before it', async ({ stub }) => {
    grantTokens(stub);
    stub.answer('/v1/auth/refresh', status(429, { 'retry-after': '1' }));
    stub.answer(path, status(401), broadcast);
    await connect(stub, { settings: { concurrency: 1 } }).service.broadcast('71');
    expect(stub.asked()).toEqual(['/v1/auth', path, '/v1/auth/refresh', '/v1/auth', path]);
    const [, , refresh = 0, auth = 0] = stub.requests.map(({ at }) => at);
    expect(auth - refresh).toBeGreaterThan(990);
  });
});
