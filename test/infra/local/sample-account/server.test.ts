import { connect } from 'node:net';
import { once } from 'node:events';
import { decodeJwt } from 'jose';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  broadcastById,
  contentRecipientsOf,
  deliveriesAsOf,
  recipientsOf,
} from '../../../../infra/local/sample-account/account.ts';
import { users } from '../../../../infra/local/sample-account/catalogue.ts';
import { startSampleAccount, type SampleAccount } from '../../../../infra/local/sample-account/server.ts';

const asOf = '2026-11-16T08:00:00Z';
const credentials = { id: 'a-client', secret: 'a-secret' };

let account: SampleAccount;
let clock: Date;

beforeEach(async () => {
  clock = new Date('2026-11-16T08:00:30.500Z');
  account = await startSampleAccount({ asOf, credentials, now: () => clock });
});

afterEach(() => account.close());

async function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(account.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const answer: unknown = await response.json();
  return { status: response.status, body: answer };
}

async function get(path: string, token?: string) {
  const response = await fetch(account.url + path, token ? { headers: { authorization: `Bearer ${token}` } } : {});
  const answer: unknown = await response.json();
  return { status: response.status, body: answer };
}

const tokenResponse = v.object({ token: v.string(), refresh_token: v.string() });
const errorBody = v.object({ error: v.object({ code: v.string() }) });

async function tokens() {
  return v.parse(v.strictObject(tokenResponse.entries), (await post('/v1/auth', credentials)).body);
}

async function read(path: string) {
  return get(path, (await tokens()).token);
}

const fridayFive = deliveriesAsOf(asOf).find(({ broadcast }) => broadcast.name === 'Friday Five')?.id ?? '';
const rating = '1130405';
const poll = '1130404';

describe('authentication', () => {
  it('exchanges the credentials for an access token of five minutes and a long hexadecimal refresh token', async () => {
    const issued = await tokens();
    expect(issued.refresh_token).toMatch(/^[0-9a-f]{128}$/);
    expect(decodeJwt(issued.token)).toEqual({
      account: 'harbour-leisure',
      sub: 'a-client',
      jti: expect.any(String),
      iat: 1_794_816_030,
      exp: 1_794_816_330,
    });
  });

  it.each([
    { id: 'a-client', secret: 'another' },
    { id: 'another', secret: 'a-secret' },
    { id: '', secret: '' },
  ])('refuses other credentials: $id, $secret', async (wrong) => {
    expect(await post('/v1/auth', wrong)).toEqual({
      status: 401,
      body: {
        error: {
          code: 'invalid_credentials',
          message: 'The client id and secret are not those of this account.',
        },
      },
    });
  });

  it('refuses a request without a token, with a foreign one, and with another scheme', async () => {
    const other = await startSampleAccount({ asOf, now: () => clock });
    const issued = await fetch(`${other.url}/v1/auth`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(other.credentials),
    });
    const foreign = v.parse(tokenResponse, await issued.json());
    await other.close();
    const { token } = await tokens();
    expect(await get('/v1/users')).toEqual({
      status: 401,
      body: { error: { code: 'invalid_token', message: 'A valid access token is needed.' } },
    });
    expect((await get('/v1/users', foreign.token)).status).toBe(401);
    expect((await get('/v1/users', `${token}x`)).status).toBe(401);
    const basic = await fetch(`${account.url}/v1/users`, { headers: { authorization: `Basic ${token}` } });
    expect(basic.status).toBe(401);
    expect(basic.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('refuses an access token once its five minutes are over', async () => {
    const { token } = await tokens();
    clock = new Date('2026-11-16T08:05:29.900Z');
    expect((await get('/v1/users', token)).status).toBe(200);
    clock = new Date('2026-11-16T08:05:30Z');
    expect((await get('/v1/users', token)).status).toBe(401);
  });

  it('gives new tokens for a refresh token, once', async () => {
    const first = await tokens();
    const answer = await post('/v1/auth/refresh', { refresh_token: first.refresh_token });
    const second = v.parse(tokenResponse, answer.body);
    expect(answer.status).toBe(200);
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect((await get('/v1/users', second.token)).status).toBe(200);
    expect(await post('/v1/auth/refresh', { refresh_token: first.refresh_token })).toEqual({
      status: 401,
      body: {
        error: { code: 'invalid_refresh_token', message: 'The refresh token is unknown or was used before.' },
      },
    });
    expect((await post('/v1/auth/refresh', { refresh_token: second.refresh_token })).status).toBe(200);
  });

  it('gives tokens to one of two who use a refresh token at once', async () => {
    const { refresh_token } = await tokens();
    const answers = await Promise.all([
      post('/v1/auth/refresh', { refresh_token }),
      post('/v1/auth/refresh', { refresh_token }),
    ]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 401]));
  });

  it('honours an access token of before a restart', async () => {
    const { token } = await tokens();
    await account.close();
    account = await startSampleAccount({ asOf, credentials, now: () => clock });
    expect((await get('/v1/users', token)).status).toBe(200);
  });

  it.each([
    ['/v1/auth', '{', 'The body is not JSON.'],
    ['/v1/auth', '', 'The body is not JSON.'],
    ['/v1/auth', '[]', 'Missing or of the wrong type: id, secret.'],
    ['/v1/auth', '"text"', 'Missing or of the wrong type: body.'],
    ['/v1/auth', '{"id":"a-client"}', 'Missing or of the wrong type: secret.'],
    ['/v1/auth', '{"id":7,"secret":null}', 'Missing or of the wrong type: id, secret.'],
    ['/v1/auth/refresh', '{}', 'Missing or of the wrong type: refresh_token.'],
  ])('refuses a body at %s that is not what it asks for: %s', async (path, body, message) => {
    expect(await post(path, body)).toEqual({ status: 400, body: { error: { code: 'invalid_body', message } } });
  });

  it('refuses a body that is not called JSON, and one that is too large', async () => {
    expect((await post('/v1/auth', credentials, { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await post('/v1/auth', { ...credentials, more: 'x'.repeat(20_000) })).status).toBe(413);
  });
});

describe('reporting', () => {
  it('lists the recent deliveries, each in its wrapper', async () => {
    expect(await read('/v1/broadcasts/deliveries')).toEqual({
      status: 200,
      body: deliveriesAsOf(asOf).map((delivery) => ({ delivery })),
    });
  });

  it('gives a broadcast with its content items', async () => {
    expect(await read('/v1/broadcasts/113040')).toEqual({ status: 200, body: broadcastById('113040', asOf) });
  });

  it('lists the recipients of a delivery', async () => {
    const rows = recipientsOf(fridayFive, asOf);
    expect(rows).toHaveLength(37);
    expect(await read(`/v1/broadcasts/deliveries/${fridayFive}/recipients`)).toEqual({ status: 200, body: rows });
  });

  it('lists the recipients of a content item', async () => {
    const rows = contentRecipientsOf(fridayFive, poll, asOf);
    expect(rows).toHaveLength(93);
    const path = `/v1/broadcasts/deliveries/${fridayFive}/contents/${poll}/recipients`;
    expect(await read(path)).toEqual({ status: 200, body: rows });
  });

  it.each([
    ['rating=4', [4]],
    ['rating=4&rating=5', [4, 5]],
    ['rating=1,2,3', [1, 2, 3]],
    ['rating=1%2C2&rating=5', [1, 2, 5]],
  ])('filters the recipients of a rating: %s', async (query, wanted) => {
    const rows = contentRecipientsOf(fridayFive, rating, asOf) ?? [];
    const expected = rows.filter((row) => wanted.some((value) => row.rating === value));
    expect(expected.length).toBeGreaterThan(0);
    const path = `/v1/broadcasts/deliveries/${fridayFive}/contents/${rating}/recipients?${query}`;
    expect(await read(path)).toEqual({ status: 200, body: expected });
  });

  it.each([
    [poll, 'rating=4', 'A query parameter does not apply to a content item of type poll.'],
    [poll, 'page=2', 'A query parameter does not apply to a content item of type poll.'],
    [rating, 'answer=1', 'A query parameter does not apply to a content item of type rating.'],
    [rating, 'rating=6', 'A rating is a whole number from 1 to 5.'],
    [rating, 'rating=', 'A rating is a whole number from 1 to 5.'],
    [rating, 'rating=4,', 'A rating is a whole number from 1 to 5.'],
  ])('refuses a filter that does not fit: content %s, %s', async (content, query, message) => {
    const path = `/v1/broadcasts/deliveries/${fridayFive}/contents/${content}/recipients?${query}`;
    expect(await read(path)).toEqual({ status: 400, body: { error: { code: 'invalid_parameter', message } } });
  });

  it('lists the users, in whose names the broadcasts are created', async () => {
    expect(await read('/v1/users')).toEqual({ status: 200, body: users.map((user) => ({ user })) });
  });
});

describe('requests it does not know', () => {
  it.each([
    '/',
    '/v1',
    '/v2/users',
    '/v1/users/',
    '/v1/broadcasts/113495',
    '/v1/broadcasts/deliveries/unknown/recipients',
    `/v1/broadcasts/deliveries/${fridayFive}/contents/1130406/recipients`,
    `/v1/broadcasts/deliveries/${fridayFive}/contents/1135021/recipients`,
  ])('finds nothing at %s', async (path) => {
    const { status, body } = await read(path);
    expect({ status, code: v.parse(errorBody, body).error.code }).toEqual({ status: 404, code: 'not_found' });
  });

  it.each([
    ['GET', '/v1/auth', 'POST'],
    ['DELETE', '/v1/broadcasts/113040', 'GET'],
    ['PUT', '/v1/users', 'GET'],
  ])('does not answer %s %s', async (method, path, allow) => {
    const response = await fetch(account.url + path, { method });
    expect({ status: response.status, allow: response.headers.get('allow') }).toEqual({ status: 405, allow });
  });

  it('calls an escape in the path that cannot be read a bad request', async () => {
    expect((await read('/v1/broadcasts/%ff')).status).toBe(400);
  });
});

describe('the account', () => {
  it('logs what was asked, with the query and without a token or secret', async () => {
    const { token } = await tokens();
    await get('/v1/users?page=1', token);
    await get('/v1/nothing');
    expect(account.requests).toEqual([
      { method: 'POST', path: '/v1/auth' },
      { method: 'GET', path: '/v1/users?page=1' },
      { method: 'GET', path: '/v1/nothing' },
    ]);
  });

  it('has a secret of its own where it is given none', async () => {
    const [one, other] = await Promise.all([startSampleAccount({ asOf }), startSampleAccount({ asOf })]);
    await Promise.all([one.close(), other.close()]);
    expect(one.credentials.id).toBe('sample-account');
    expect(one.credentials.secret).toMatch(/^[\w-]{32}$/);
    expect(one.credentials.secret).not.toBe(other.credentials.secret);
  });

  it('answers no sooner than its latency', async () => {
    const slow = await startSampleAccount({ asOf, latencyMs: 50 });
    const started = performance.now();
    await (await fetch(`${slow.url}/v1/users`)).text();
    expect(performance.now() - started).toBeGreaterThanOrEqual(49);
    await slow.close();
  });

  it('closes though a client keeps its connection open, and answers nobody afterwards', async () => {
    const { port } = new URL(account.url);
    const socket = connect(Number(port), '127.0.0.1');
    await once(socket, 'connect');
    await account.close();
    await once(socket.resume(), 'close');
    await expect(fetch(account.url)).rejects.toThrow('fetch failed');
    account = await startSampleAccount({ asOf });
  });

  it('does not start at what is no instant', async () => {
    await expect(startSampleAccount({ asOf: 'Monday' })).rejects.toThrow(TypeError);
  });
});
