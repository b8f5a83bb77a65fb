import { hash } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import * as sample from '../../../../infra/local/sample-account/engagement.ts';
import { startSampleAccount } from '../../../../infra/local/sample-account/server.ts';

const asOf = '2026-11-16T08:00:00Z';
const credentials = { id: 'a client', secret: 'a secret' };

/** Every list and broadcast of an account at an instant, by its path. */
function everyAnswer(instant: string): Map<string, unknown> {
  const nowMs = Date.parse(instant);
  const list = sample.deliveriesAsOf(nowMs);
  const answers = new Map<string, unknown>([['/v1/broadcasts/deliveries', list.map((delivery) => ({ delivery }))]]);
  for (const { id, broadcast } of list) {
    const path = `/v1/broadcasts/deliveries/${id}`;
    const detail = sample.broadcastById(broadcast.id, nowMs);
    answers.set(`${path}/recipients`, sample.recipientsOf(id, nowMs));
    answers.set(`/v1/broadcasts/${broadcast.id}`, detail);
    for (const item of detail?.contents ?? []) {
      answers.set(`${path}/contents/${item.id}/recipients`, sample.contentOf(id, item.id, nowMs)?.rows);
    }
  }
  return answers;
}

test.each([
  { instant: '2001-01-20T08:00:00Z', answers: 105, digest: '57b527e42ec0a08f' },
  { instant: '2026-11-16T08:00:00Z', answers: 280, digest: 'ba264f88a61b5021' },
  { instant: '2031-07-07T07:00:00+01:00', answers: 277, digest: 'd37ae1faad35a3a6' },
])('all that the account says at $instant is the same on every machine', ({ instant, answers, digest }) => {
  const told = everyAnswer(instant);
  expect([told.size, hash('sha256', JSON.stringify([...told])).slice(0, 16)]).toEqual([answers, digest]);
});

test('a later instant shows what an earlier one showed, with what happened since', () => {
  const [earlier, later] = [Date.parse(asOf), Date.parse('2026-11-23T08:00:00Z')];
  const listed = new Set(sample.deliveriesAsOf(later).map(({ id }) => id));
  const before = (instant: string | null): string | null =>
    instant !== null && Date.parse(instant) <= earlier ? instant : null;
  const kept = sample.deliveriesAsOf(earlier).filter(({ id }) => listed.has(id));
  expect(kept.length).toBeGreaterThan(50);
  for (const { id, broadcast } of kept) {
    for (const item of sample.broadcastById(broadcast.id, earlier)?.contents ?? []) {
      const rows = sample.contentOf(id, item.id, earlier)?.rows ?? [];
      const ids = new Set(rows.map((row) => row.id));
      const laterRows = sample.contentOf(id, item.id, later)?.rows.filter((row) => ids.has(row.id)) ?? [];
      const reversed = laterRows.map(({ seenAt, respondedAt, rating, ...row }): sample.Recipient => {
        const until = { seenAt: before(seenAt), respondedAt: before(respondedAt) };
        if (rating === undefined) return Object.assign(row, until);
        return Object.assign(row, until, { rating: until.respondedAt === null ? null : rating });
      });
      expect(reversed).toEqual(rows);
    }
  }
});

test('access tokens are good for five minutes, and refresh tokens for one use', async () => {
  await using account = await startSampleAccount({ asOf, credentials });
  const post = (path: string, body: unknown) =>
    fetch(account.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const ask = (path: string, token: string) =>
    fetch(account.url + path, { headers: { authorization: `Bearer ${token}` } });
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    const { token, refresh_token } = Object(await (await post('/v1/auth', credentials)).json());
    const { exp, iat } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    expect(exp - iat).toBe(300);
    expect((await ask('/v1/users', token)).status).toBe(200);
    vi.advanceTimersByTime(300_000);
    const twice = [1, 2].map(() => post('/v1/auth/refresh', { refresh_token }));
    const asked = [ask('/v1/users', token), ask('/v1/users', 'x'), ask('/v1/users', '')];
    const wrong = post('/v1/auth', { ...credentials, secret: 'another' });
    const statuses = (await Promise.all([...twice, ...asked, wrong])).map(({ status }) => status);
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 401, 401, 401, 401, 401]);
  } finally {
    vi.useRealTimers();
  }
});
