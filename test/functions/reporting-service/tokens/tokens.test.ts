import { inspect } from 'node:util';
import { UnsecuredJWT } from 'jose';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { CodedError } from '../../../../functions/domain/failures.ts';
import { createMemoryStore } from '../../../../functions/reporting-service/tokens/tokens.ts';
import { after, json, reset, status, text, type StubAnswer } from '../../../support/http-stub.ts';
import { credentials, errorFrom, unavailableFrom } from '../connect.ts';
import { connect, stub, stubEachTest } from '../service-stub.ts';
import { pass, standStill, takes } from '../passing-time.ts';

vi.mock('node:timers/promises', async () => (await import('../passing-time.ts')).timers);

const path = '/v1/broadcasts/71';
const broadcast = json({ broadcast: {}, contents: [] });

standStill();
stubEachTest();
beforeEach(() => stub.answer(path, broadcast));

/** Tokens that last for so many seconds, as they say by a clock that is `skew` seconds ahead, and not when they were issued. */
function lasting(seconds: number, n: number, skew = 0): StubAnswer {
  const now = Math.floor(Date.now() / 1000) + skew;
  const token = new UnsecuredJWT({ exp: now + seconds, n }).encode();
  return json({ token, refresh_token: `refresh-${n}` }, { date: new Date(now * 1000).toUTCString() });
}

const credentialsErrorFrom = (promise: Promise<unknown>) => errorFrom(promise, CodedError);
const expectNoCanary = (error: Error): void =>
  expect(inspect(error, { depth: null, showHidden: true })).not.toMatch(/canary|a-client/);

describe('a token', () => {
  test('that has come to its end is refreshed before it is used, by the clock of the service', async () => {
    stub.answer('/v1/auth', lasting(1, 1, -3_600));
    stub.answer('/v1/auth/refresh', lasting(600, 2, -3_600));
    const { service } = connect();
    await service.broadcast('71');
    pass(950);
    await service.broadcast('71');
    await service.broadcast('71');
    expect(stub.asked()).toEqual(['/v1/auth', path, '/v1/auth/refresh', path, path]);
  });

  test('that many calls at once are refused with, before we think that it ends, is replaced once', async () => {
    const first = { token: new UnsecuredJWT({ exp: Date.now() / 1000 + 3_600 }).encode(), refresh_token: 'refresh-1' };
    stub.answer('/v1/auth', json(first));
    stub.answer(path, (response, request) =>
      after(20, request.headers.authorization === `Bearer ${first.token}` ? status(401) : broadcast)(response, request),
    );
    const { service, tally } = connect();
    await Promise.all(Array.from({ length: 8 }, () => service.broadcast('71')));
    expect(stub.asked().filter((address) => address !== path)).toEqual(['/v1/auth', '/v1/auth/refresh']);
    expect(tally.coverage).toMatchObject({ requests: { broadcast: { '401': 8, '200': 8 } }, retries: 8 });
  });

  test('that is refused for ever ends: the call is repeated twice, under newer ones, and then refused', async () => {
    stub.answer(path, status(401));
    const error = await unavailableFrom(connect().service.broadcast('71'));
    expect([error.message, error.unavailable]).toEqual([`[GET] ${path}: 401`, { reason: 'refused', status: 401 }]);
    const tokens = stub.requests.filter((asked) => asked.path === path).map(({ headers }) => headers.authorization);
    expect(tokens).toEqual(['Bearer access-1', 'Bearer access-2', 'Bearer access-3']);
  });
});

describe('a 403', () => {
  test.each([
    { under: 'a token that is surely good', seconds: 600, asked: 1 },
    { under: 'a renewed token again, that has ended meanwhile', seconds: 3, renewed: 1, asked: 2 },
    { under: 'a token that was renewed for a 401', seconds: 3, renewed: 3, first: 401, asked: 2 },
  ])('under $under forbids the broadcast', async ({ seconds, renewed = 600, first = 403, asked }) => {
    stub.answer('/v1/auth', lasting(seconds, 1));
    stub.answer('/v1/auth/refresh', lasting(renewed, 2));
    stub.answer(path, status(first), takes(renewed === 1 ? 700 : 0, status(403)), broadcast);
    const error = await unavailableFrom(connect().service.broadcast('71'));
    expect(error.unavailable).toEqual({ reason: 'forbidden', status: 403 });
    expect(stub.asked()).toEqual(['/v1/auth', path, '/v1/auth/refresh', path].slice(0, 2 * asked));
  });

  test('near the end of the token or after it is renewed once, like a 401', async () => {
    stub.answer('/v1/auth', lasting(3, 1));
    stub.answer(path, status(403), broadcast);
    const { service, tally } = connect();
    await service.broadcast('71');
    expect(stub.asked()).toEqual(['/v1/auth', path, '/v1/auth/refresh', path]);
    expect(tally.coverage.retries).toBe(1);
  });
});

test.each([
  { failure: 'is refused', answer: status(401) },
  { failure: 'is lost', answer: reset },
  { failure: 'gives no token', answer: json({ message: 'no' }) },
])('a refresh that $failure falls back to the credentials, and its token is not sent again', async ({ answer }) => {
  stub.answer('/v1/auth/refresh', answer);
  stub.answer(path, status(401), broadcast);
  await connect().service.broadcast('71');
  expect(stub.asked()).toEqual(['/v1/auth', path, '/v1/auth/refresh', '/v1/auth', path]);
});

describe('credentials', () => {
  test.each([400, 401])('that are refused (%i) are one error, without the secret', async (code) => {
    stub.answer('/v1/auth', status(code));
    const readCredentials = vi.fn(() => Promise.resolve(credentials));
    const { service } = connect({ readCredentials });
    for (const error of await Promise.all([1, 2, 3].map(() => credentialsErrorFrom(service.broadcast('71'))))) {
      expect(error.name).toBe('credentials-refused');
      expectNoCanary(error);
    }
    expect([stub.asked(), readCredentials.mock.calls.length]).toEqual([['/v1/auth'], 2]);
  });

  test.each([
    ['secret', { ...credentials, secret: 'canary-rotated' }],
    ['id', { ...credentials, id: 'a-client-2' }],
  ])('whose %s is another by now are read again, once; refused then, they end the run', async (_, rotated) => {
    stub.answer('/v1/auth', status(401), json({ token: 'access-1', refresh_token: 'refresh-1' }), status(401));
    const reads = [credentials, rotated, credentials, rotated];
    const readCredentials = () => Promise.resolve(reads.shift() ?? credentials);
    await connect({ readCredentials }).service.broadcast('71');
    expect(stub.requests.map(({ body }) => body)).toEqual([JSON.stringify(credentials), JSON.stringify(rotated), '']);
    const error = await credentialsErrorFrom(connect({ readCredentials }).service.broadcast('71'));
    expect([error.name, stub.asked().slice(3)]).toEqual(['credentials-refused', ['/v1/auth', '/v1/auth']]);
    expectNoCanary(error);
  });

  const refresh_token = 'canary-refresh';
  test.each([
    { answer: status(500), detail: '500', unavailable: { reason: 'failed', status: 500 } },
    { answer: text('canary-access'), detail: 'no JSON' },
    { answer: json({ refresh_token, access: 'canary-access' }), detail: 'expected a "token" in the answer' },
  ])(
    'whose answer is of no use ($detail) are unavailable, not refused, and nothing of it is shown',
    async ({ answer, detail, unavailable = { reason: 'unreadable' } }) => {
      stub.answer('/v1/auth', answer);
      const error = await unavailableFrom(connect().service.broadcast('71'));
      expect([error.message, error.unavailable]).toEqual([`[POST] /v1/auth: ${detail}`, unavailable]);
      expectNoCanary(error);
    },
  );
});

test('a refresh token that was sent before is not sent again, though nothing was stored since, by no worker of a process', async () => {
  stub.answer('/v1/auth', json({ token: 'access-1', refresh_token: 'refresh-1' }), status(500));
  stub.answer('/v1/auth/refresh', status(401));
  stub.answer(path, status(401));
  const ofProcess = { store: createMemoryStore(), spent: new Set<string>() };
  for (const _ of [1, 2]) {
    const { service } = connect(ofProcess);
    for (const _call of [1, 2]) await unavailableFrom(service.broadcast('71'));
  }
  expect(stub.asked().filter((address) => address === '/v1/auth/refresh')).toHaveLength(1);
});
