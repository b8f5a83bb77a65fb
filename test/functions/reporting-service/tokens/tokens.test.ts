import { inspect } from 'node:util';
import { UnsecuredJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CredentialsError } from '../../../../functions/reporting-service/tokens/credentials.ts';
import { createTokenCipher } from '../../../../functions/reporting-service/tokens/token-cipher.ts';
import {
  after,
  cutShort,
  json,
  reset,
  startHttpStub,
  status,
  text,
  type HttpStub,
  type StubAnswer,
} from '../../../support/http-stub.ts';
import { connect, createMemoryStore, credentials, grantTokens, unavailableFrom } from '../connect.ts';

const path = '/v1/broadcasts/71';
const broadcast = json({ broadcast: {}, contents: [] });
let stub: HttpStub;

beforeEach(async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  stub = await startHttpStub();
  grantTokens(stub);
  stub.answer(path, broadcast);
});
afterEach(() => stub.close());

/** Tokens with these claims, relative to now; `n` makes them differ. */
const tokens = (n: number, claims: (now: number) => Record<string, number>): StubAnswer =>
  json({
    token: new UnsecuredJWT({ ...claims(Math.floor(Date.now() / 1000)), n }).encode(),
    refresh_token: `refresh-${n}`,
  });

/** Tokens that last for so many seconds from now. */
const lasting = (seconds: number, n: number): StubAnswer => tokens(n, (now) => ({ iat: now, exp: now + seconds }));

const readRotated = () => Promise.resolve({ id: 'a-client', secret: 'rotated' });

async function credentialsErrorFrom(promise: Promise<unknown>): Promise<CredentialsError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof CredentialsError) return error;
  throw new Error('Expected a CredentialsError.', { cause: error });
}

const accepted: StubAnswer = (response, request) =>
  after(20, request.headers.authorization === 'Bearer access-1' ? status(401) : broadcast)(response, request);

describe('a token', () => {
  test('is fetched once for many calls at once, and again for none of them', async () => {
    const { service } = connect(stub);
    await Promise.all(Array.from({ length: 10 }, () => service.broadcast('71')));
    await service.broadcast('71');
    expect(stub.asked().filter((address) => address.startsWith('/v1/auth'))).toEqual(['/v1/auth']);
  });

  test('that has come to its end is refreshed before it is used', async () => {
    stub.answer(
      '/v1/auth',
      tokens(1, (now) => ({ iat: now, exp: now + 1 })),
    );
    stub.answer(
      '/v1/auth/refresh',
      tokens(2, (now) => ({ iat: now, exp: now + 600 })),
    );
    const { service } = connect(stub);
    await service.broadcast('71');
    await new Promise((resolve) => setTimeout(resolve, 950));
    await service.broadcast('71');
    await service.broadcast('71');
    expect(stub.asked()).toEqual(['/v1/auth', path, '/v1/auth/refresh', path, path]);
    expect(stub.requests[2]?.body).toBe('{"refresh_token":"refresh-1"}');
  });

  test.each([
    { skew: 'an hour fast', claims: (now: number) => ({ iat: now + 3_600, exp: now + 4_200 }) },
    { skew: 'an hour slow', claims: (now: number) => ({ iat: now - 3_600, exp: now - 3_000 }) },
    { skew: 'an hour slow, without iat', claims: (now: number) => ({ exp: now - 3_000 }) },
    { skew: 'an hour fast, without iat', claims: (now: number) => ({ exp: now + 4_200 }) },
  ])('of a service whose clock is $skew costs no refresh while it is accepted', async ({ claims }) => {
    stub.answer('/v1/auth', tokens(1, claims));
    const { service } = connect(stub);
    for (let call = 0; call < 5; call += 1) await service.broadcast('71');
    expect(stub.asked().filter((address) => address !== path)).toEqual(['/v1/auth']);
  });

  test('that is refused before we think it ends costs one refresh', async () => {
    stub.answer(
      '/v1/auth',
      tokens(1, (now) => ({ iat: now, exp: now + 3_600 })),
    );
    stub.answer(
      '/v1/auth/refresh',
      tokens(2, (now) => ({ iat: now, exp: now + 3_600 })),
    );
    stub.answer(path, broadcast, status(401), broadcast);
    const { service, tally } = connect(stub);
    for (let call = 0; call < 4; call += 1) await service.broadcast('71');
    expect(stub.asked()).toEqual(['/v1/auth', path, path, '/v1/auth/refresh', path, path, path]);
    expect(tally.coverage.retries).toBe(1);
  });

  test('that many calls at once are refused with is replaced once', async () => {
    stub.answer(path, accepted);
    const { service } = connect(stub);
    await Promise.all(Array.from({ length: 8 }, () => service.broadcast('71')));
    expect(stub.asked().filter((address) => address !== path)).toEqual(['/v1/auth', '/v1/auth/refresh']);
    expect(stub.asked().filter((address) => address === path)).toHaveLength(16);
  });

  test('that is refused for ever ends: the call is repeated once and then refused', async () => {
    stub.answer(path, status(401));
    const error = await unavailableFrom(connect(stub).service.broadcast('71'));
    expect([error.message, error.unavailable]).toEqual([`[GET] ${path}: 401`, { reason: 'refused', status: 401 }]);
    expect(stub.asked()).toEqual(['/v1/auth', path, '/v1/auth/refresh', path]);
  });
});

describe('a 403', () => {
  test('under a token that is surely good forbids the broadcast, and costs no renewal', async () => {
    stub.answer('/v1/auth', lasting(600, 1));
    stub.answer(path, status(403));
    const error = await unavailableFrom(connect(stub).service.broadcast('71'));
    expect(error.unavailable).toEqual({ reason: 'forbidden', status: 403 });
    expect(stub.asked()).toEqual(['/v1/auth', path]);
  });

  test('under a token that does not say when it ends forbids it too', async () => {
    stub.answer(path, status(403));
    const error = await unavailableFrom(connect(stub).service.broadcast('71'));
    expect([error.unavailable.reason, stub.asked()]).toEqual(['forbidden', ['/v1/auth', path]]);
  });

  test('near the end of the token or after it is renewed once, like a 401', async () => {
    stub.answer('/v1/auth', lasting(3, 1));
    stub.answer('/v1/auth/refresh', lasting(600, 2));
    stub.answer(path, status(403), broadcast);
    const { service, tally } = connect(stub);
    await service.broadcast('71');
    expect(stub.asked()).toEqual(['/v1/auth', path, '/v1/auth/refresh', path]);
    expect(tally.coverage.retries).toBe(1);
  });

  test('that comes again under the renewed token forbids the broadcast, however short that one lives', async () => {
    for (const seconds of [3, 600]) {
      stub.requests.length = 0;
      stub.answer('/v1/auth', lasting(3, 1));
      stub.answer('/v1/auth/refresh', lasting(seconds, 2));
      stub.answer(path, status(403));
      const error = await unavailableFrom(connect(stub).service.broadcast('71'));
      expect(error.unavailable).toEqual({ reason: 'forbidden', status: 403 });
      expect(stub.asked()).toEqual(['/v1/auth', path, '/v1/auth/refresh', path]);
    }
  });

  test('after a 401 was renewed forbids it', async () => {
    stub.answer('/v1/auth', lasting(3, 1));
    stub.answer('/v1/auth/refresh', lasting(3, 2));
    stub.answer(path, status(401), status(403));
    const error = await unavailableFrom(connect(stub).service.broadcast('71'));
    expect([error.unavailable.reason, stub.asked().length]).toEqual(['forbidden', 4]);
  });
});

describe('a refresh', () => {
  test.each([
    { failure: 'is refused', answer: status(401) },
    { failure: 'is refused as malformed', answer: status(400) },
    { failure: 'fails', answer: status(500) },
    { failure: 'is throttled', answer: status(429) },
    { failure: 'is throttled for a second', answer: status(429, { 'retry-after': '1' }) },
    { failure: 'meets a service that is down', answer: status(503) },
    { failure: 'is lost', answer: reset },
    { failure: 'is cut short', answer: cutShort('{"token":', 4_000) },
    { failure: 'gives no token', answer: json({ message: 'no' }) },
    { failure: 'gives no JSON', answer: text('<html>') },
  ])('that $failure falls back to the credentials, and its token is not sent again', async ({ answer }) => {
    stub.answer('/v1/auth/refresh', answer);
    stub.answer(path, status(401), broadcast);
    await connect(stub).service.broadcast('71');
    expect(stub.asked()).toEqual(['/v1/auth', path, '/v1/auth/refresh', '/v1/auth', path]);
  });

  test('uses the refresh token that came with the last one', async () => {
    stub.answer(path, status(401), broadcast, status(401), broadcast);
    const { service } = connect(stub);
    await service.broadcast('71');
    await service.broadcast('71');
    const refreshes = stub.requests.filter(({ path: asked }) => asked === '/v1/auth/refresh').map(({ body }) => body);
    expect(refreshes).toEqual(['{"refresh_token":"refresh-1"}', '{"refresh_token":"refresh-2"}']);
  });

  test('is not tried with a refresh token that never came', async () => {
    stub.answer('/v1/auth', json({ token: 'access-1' }), json({ token: 'access-2' }));
    stub.answer(path, status(401), broadcast);
    await connect(stub).service.broadcast('71');
    expect(stub.asked()).toEqual(['/v1/auth', path, '/v1/auth', path]);
  });
});

describe('credentials', () => {
  test.each([400, 401, 403, 422])('that are refused (%i) are one error, without the secret', async (code) => {
    stub.answer('/v1/auth', status(code));
    let reads = 0;
    const readCredentials = () => {
      reads += 1;
      return Promise.resolve(credentials);
    };
    const { service } = connect(stub, { readCredentials });
    const errors = await Promise.all([1, 2, 3].map(() => credentialsErrorFrom(service.broadcast('71'))));
    for (const error of errors) {
      expect([error.name, error.message]).toEqual([
        'credentials-refused',
        'The reporting service refused the client id and secret.',
      ]);
      expect(inspect(error, { depth: null, showHidden: true })).not.toMatch(/canary|a-client/);
    }
    expect(stub.asked()).toEqual(['/v1/auth']);
    expect(reads).toBe(2);
  });

  test('that were rotated since they were read are read again, once', async () => {
    const rotated = { id: 'a-client', secret: 'rotated' };
    const opens = json({ token: 'access-1', refresh_token: 'refresh-1' });
    stub.answer('/v1/auth', (response, request) =>
      (request.body.includes('rotated') ? opens : status(401))(response, request),
    );
    const reads = [credentials, rotated];
    const { service } = connect(stub, { readCredentials: () => Promise.resolve(reads.shift() ?? rotated) });
    await service.broadcast('71');
    expect(stub.requests.map(({ body }) => body)).toEqual([JSON.stringify(credentials), JSON.stringify(rotated), '']);
    expect(reads).toEqual([]);
  });

  test('that are refused although they were rotated end the run', async () => {
    stub.answer('/v1/auth', status(401));
    const reads = [credentials, { id: 'a-client', secret: 'canary-rotated' }];
    const { service } = connect(stub, { readCredentials: () => Promise.resolve(reads.shift() ?? credentials) });
    const error = await credentialsErrorFrom(service.broadcast('71'));
    expect([error.name, stub.asked()]).toEqual(['credentials-refused', ['/v1/auth', '/v1/auth']]);
    expect(inspect(error, { depth: null, showHidden: true })).not.toMatch(/canary/);
  });

  test('are not called refused when the service fails', async () => {
    stub.answer('/v1/auth', status(500));
    const error = await unavailableFrom(connect(stub).service.broadcast('71'));
    expect([error.message, error.unavailable]).toEqual(['[POST] /v1/auth: 500', { reason: 'failed', status: 500 }]);
  });

  test('whose answer is no JSON are unavailable, and the answer is not shown', async () => {
    stub.answer('/v1/auth', text('canary-access'));
    const error = await unavailableFrom(connect(stub).service.broadcast('71'));
    expect([error.message, error.unavailable]).toEqual(['[POST] /v1/auth: no JSON', { reason: 'unreadable' }]);
    expect(inspect(error, { depth: null, showHidden: true })).not.toMatch(/canary/);
  });

  test('whose answer has no token are unavailable, and the answer is not shown', async () => {
    stub.answer('/v1/auth', json({ refresh_token: 'canary-refresh', access: 'canary-access' }));
    const error = await unavailableFrom(connect(stub).service.broadcast('71'));
    expect([error.message, error.unavailable]).toEqual([
      '[POST] /v1/auth: expected a "token" in the answer',
      { reason: 'unreadable' },
    ]);
    expect(inspect(error, { depth: null, showHidden: true })).not.toMatch(/canary/);
  });
});

describe('a token that no header can hold', () => {
  test.each([
    { what: 'of a megabyte', token: 'x'.repeat(1024 * 1024) },
    { what: 'of 12,001 characters', token: 'x'.repeat(12_001) },
    { what: 'with the end of a line', token: 'canary\r\naccess' },
    { what: 'in other letters', token: 'canary-ä' },
  ])('$what is refused, and nothing is asked with it', async ({ token }) => {
    stub.answer('/v1/auth', json({ token, refresh_token: 'canary-refresh' }));
    const error = await unavailableFrom(connect(stub).service.broadcast('71'));
    expect([error.message, error.unavailable]).toEqual([
      '[POST] /v1/auth: expected a "token" of at most 12000 visible characters',
      { reason: 'unreadable' },
    ]);
    expect(stub.asked()).toEqual(['/v1/auth']);
    expect(inspect(error, { depth: null, showHidden: true })).not.toMatch(/canary/);
  });

  test('may be one to refresh with: then the credentials give the next token', async () => {
    const refresh_token = 'x'.repeat(1024 * 1024);
    stub.answer('/v1/auth', json({ token: 'access-1', refresh_token }), json({ token: 'access-2', refresh_token }));
    stub.answer('/v1/broadcasts/71', status(401), broadcast);
    await connect(stub).service.broadcast('71');
    expect(stub.asked()).toEqual(['/v1/auth', '/v1/broadcasts/71', '/v1/auth', '/v1/broadcasts/71']);
  });
});

describe('what rests on the store', () => {
  test('serves the next worker, which asks for no token', async () => {
    const store = createMemoryStore();
    await connect(stub, { store }).service.broadcast('71');
    await connect(stub, { store }).service.broadcast('71');
    expect(stub.asked()).toEqual(['/v1/auth', path, path]);
  });

  test('is void under another secret', async () => {
    const store = createMemoryStore();
    await connect(stub, { store }).service.broadcast('71');
    await connect(stub, { store, readCredentials: readRotated }).service.broadcast('71');
    expect(stub.asked()).toEqual(['/v1/auth', path, '/v1/auth', path]);
  });

  test('is worth nothing where it is damaged', async () => {
    const store = createMemoryStore();
    const cipher = createTokenCipher(credentials, stub.url);
    await store.takeLease('another', 0, 1_000);
    await store.write('another', 0, { keyId: cipher.keyId, jwe: 'a.b.c.d.e' });
    await connect(stub, { store }).service.broadcast('71');
    expect(stub.asked()).toEqual(['/v1/auth', path]);
  });

  test('is free again for others after a worker failed', async () => {
    const store = createMemoryStore();
    stub.answer('/v1/auth', status(401), json({ token: 'access-1', refresh_token: 'refresh-1' }));
    await credentialsErrorFrom(connect(stub, { store }).service.broadcast('71'));
    await connect(stub, { store }).service.broadcast('71');
    expect(stub.asked()).toEqual(['/v1/auth', '/v1/auth', path]);
  });
});
