import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import {
  broadcastById,
  contentOf,
  deliveriesAsOf,
  recipientsOf,
  type Recipient,
} from '../../../../infra/local/sample-account/account.ts';
import { startSampleAccount, type SampleAccount } from '../../../../infra/local/sample-account/server.ts';

const asOf = '2026-11-16T08:00:00Z';
const credentials = { id: 'a client', secret: 'a secret' };
let clock: Date;
let account: SampleAccount;

beforeEach(async () => {
  clock = new Date('2026-11-16T08:00:00Z');
  account = await startSampleAccount({ asOf, credentials, now: () => clock });
});
afterEach(() => account.close());

interface Tokens {
  token: string;
  refresh_token: string;
}

const json = { 'content-type': 'application/json' };
const post = (path: string, body: unknown, of = account) =>
  fetch(of.url + path, { method: 'POST', headers: json, body: JSON.stringify(body) });
const ask = (path: string, token: string, of = account) =>
  fetch(of.url + path, { headers: { authorization: `Bearer ${token}` } });
const signIn = async (of = account): Promise<Tokens> =>
  (await post('/v1/auth', of.credentials, of)).json() as Promise<Tokens>;

/** Every list and broadcast of an account at an instant, by its path. */
function everyAnswer(instant: string): Map<string, unknown> {
  const list = deliveriesAsOf(instant);
  const answers = new Map<string, unknown>([['/v1/broadcasts/deliveries', list.map((delivery) => ({ delivery }))]]);
  for (const { id, broadcast } of list) {
    const path = `/v1/broadcasts/deliveries/${id}`;
    const detail = broadcastById(broadcast.id, instant);
    answers.set(`${path}/recipients`, recipientsOf(id, instant));
    answers.set(`/v1/broadcasts/${broadcast.id}`, detail);
    for (const item of detail?.contents ?? []) {
      answers.set(`${path}/contents/${item.id}/recipients`, contentOf(id, item.id, instant)?.rows);
    }
  }
  return answers;
}

test.each([
  { instant: '2001-01-20T08:00:00Z', answers: 105, digest: '57b527e42ec0a08f' },
  { instant: '2026-11-16T08:00:00Z', answers: 346, digest: '2d8f85f843717f8b' },
  { instant: '2031-07-07T07:00:00+01:00', answers: 351, digest: '4f87e6d160c24c5c' },
])('all that the account says at $instant is the same on every machine', ({ instant, answers, digest }) => {
  const all = everyAnswer(instant);
  expect(all.size).toBe(answers);
  expect(
    createHash('sha256')
      .update(JSON.stringify([...all]))
      .digest('hex')
      .slice(0, 16),
  ).toBe(digest);
});

test('the server answers so', async () => {
  const { token } = await signIn();
  for (const [path, answer] of [...everyAnswer(asOf)].slice(0, 12)) {
    expect(await (await ask(path, token)).json()).toEqual(answer);
  }
});

test('a later instant shows what an earlier one showed, with what happened since', () => {
  const later = '2026-11-23T08:00:00Z';
  const listed = new Set(deliveriesAsOf(later).map(({ id }) => id));
  const happened = (instant: string | null): string | null =>
    instant !== null && Date.parse(instant) <= Date.parse(asOf) ? instant : null;
  const kept = deliveriesAsOf(asOf).filter(({ id }) => listed.has(id));
  expect(kept.length).toBeGreaterThan(50);
  for (const { id, broadcast } of kept) {
    for (const item of broadcastById(broadcast.id, asOf)?.contents ?? []) {
      const rows = contentOf(id, item.id, later)?.rows.map((row): Recipient => {
        const [seenAt, respondedAt] = [happened(row.seenAt), happened(row.respondedAt)];
        if (row.rating === undefined) return { id: row.id, seenAt, respondedAt };
        return { id: row.id, seenAt, respondedAt, rating: respondedAt === null ? null : row.rating };
      });
      const before = contentOf(id, item.id, asOf)?.rows ?? [];
      const known = new Set(before.map((row) => row.id));
      expect(rows?.filter((row) => known.has(row.id))).toEqual(before);
    }
  }
});

describe('tokens', () => {
  it('are a JWT of five minutes, which outlives a restart, and a refresh token that is good for one use', async () => {
    const { token, refresh_token } = await signIn();
    const { exp, iat } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    expect([exp - iat, iat]).toEqual([300, clock.getTime() / 1000]);
    await account.close();
    account = await startSampleAccount({ asOf, credentials, now: () => clock });
    expect((await ask('/v1/users', token)).status).toBe(200);
    clock = new Date(clock.getTime() + 300_000);
    expect((await ask('/v1/users', token)).status).toBe(401);
    expect((await post('/v1/auth/refresh', { refresh_token })).status).toBe(401);
    const next = await signIn();
    const twice = [1, 2].map(() => post('/v1/auth/refresh', { refresh_token: next.refresh_token }));
    expect((await Promise.all(twice)).map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 401,
    ]);
  });

  it('of another secret, changed or missing are refused', async () => {
    await using other = await startSampleAccount({ asOf });
    const { token } = await signIn();
    const [head, , signature] = token.split('.');
    const claims = Buffer.from('{"exp":9999999999}').toString('base64url');
    for (const wrong of [(await signIn(other)).token, `${head}.${claims}.${signature}`, 'x', '']) {
      expect((await ask('/v1/users', wrong)).status).toBe(401);
    }
    expect((await post('/v1/auth', { ...credentials, secret: 'another' })).status).toBe(401);
  });
});

test.each<{ path: string; method?: string; body?: string; status: number }>([
  { path: '/v1/none', status: 404 },
  { path: '/v1/broadcasts/7', status: 404 },
  { path: '/v1/broadcasts/%E0%A4%A', status: 400 },
  { path: '/v1/broadcasts/deliveries/x/recipients', status: 404 },
  { path: '/v1/broadcasts/deliveries/x/contents/y/recipients', status: 404 },
  { path: '/v1/users', method: 'POST', status: 405 },
  { path: '/v1/auth', method: 'POST', body: '{"id":1}', status: 400 },
  { path: '/v1/auth', method: 'POST', body: '{', status: 400 },
  { path: '/v1/auth', method: 'POST', body: '"'.padEnd(20_000, 'x'), status: 413 },
])('$path is refused with $status', async ({ path, method = 'GET', body, status }) => {
  const headers = { ...json, authorization: `Bearer ${(await signIn()).token}` };
  expect((await fetch(account.url + path, { method, headers, ...(body === undefined ? {} : { body }) })).status).toBe(
    status,
  );
});

test('recipients of a rating are filtered by it, and other filters are refused', async () => {
  const { token } = await signIn();
  const lists = [...everyAnswer(asOf)].map(([path, answer]) => [path, JSON.stringify(answer)] as const);
  const items = lists.filter(([path]) => path.includes('/contents/'));
  const rated = items.find(([, text]) => text.includes('"rating":5'))?.[0] ?? '';
  const unrated = items.find(([, text]) => !text.includes('"rating"'))?.[0] ?? '';
  const filtered = (await (await ask(`${rated}?rating=4,5`, token)).json()) as Recipient[];
  expect(new Set(filtered.map(({ rating }) => rating))).toEqual(new Set([4, 5]));
  const refused = [`${rated}?rating=6`, `${rated}?colour=red`, `${unrated}?rating=1`];
  expect(await Promise.all(refused.map(async (path) => (await ask(path, token)).status))).toEqual([400, 400, 400]);
});

test('what was asked is known with its query and without a token or secret', async () => {
  await ask('/v1/users?page=1', (await signIn()).token);
  expect(account.requests).toEqual([
    { method: 'POST', path: '/v1/auth' },
    { method: 'GET', path: '/v1/users?page=1' },
  ]);
});

test('what is no instant is refused', async () => {
  await expect(startSampleAccount({ asOf: '2026-11-16T08:00:00' })).rejects.toThrow(TypeError);
});
