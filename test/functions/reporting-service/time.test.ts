import { UnsecuredJWT } from 'jose';
import { describe, expect, test, vi } from 'vitest';
import { json, status, type StubAnswer } from '../../support/http-stub.ts';
import { unavailableFrom, type Connection } from './connect.ts';
import { connect, stub, stubEachTest } from './service-stub.ts';
import { standStill, takes } from './passing-time.ts';

vi.mock('node:timers/promises', async () => (await import('./passing-time.ts')).timers);

const path = '/v1/broadcasts/71';
const broadcast = json({ broadcast: {}, contents: [] });

standStill();
stubEachTest();

/** Asks for twelve broadcasts at once, each answered by `answer`. */
async function askAtOnce({ service }: Connection, answer: StubAnswer): Promise<void> {
  const ids = Array.from({ length: 12 }, (_, index) => String(100 + index));
  for (const id of ids) stub.answer(`/v1/broadcasts/${id}`, answer);
  await Promise.all(ids.map((id) => service.broadcast(id)));
}

const counted = ({ tally }: Connection, word: string): number => tally.coverage.requests['broadcast']?.[word] ?? 0;
/** Waits for the 429 whose pause begins then. Sleeping through it ends soon after. */
const isThrottled = (connection: Connection) =>
  vi.waitFor(() => expect(counted(connection, '429')).toBe(1), { interval: 1, timeout: 20_000 });
const timesOf = (path: string): number[] => stub.requests.filter((asked) => asked.path === path).map(({ at }) => at);

test('a call for tokens begins a pause for all requests where the service asks for one, and does not queue behind them', async () => {
  const auth = json({ token: 'access', refresh_token: 'refresh' });
  stub.answer('/v1/auth', status(503, { 'retry-after': '1' }), auth);
  stub.answer(path, broadcast);
  const { service } = connect({ settings: { concurrency: 1 } });
  await Promise.all([service.broadcast('71'), service.broadcast('71'), service.broadcast('71')]);
  expect(stub.asked()).toEqual(['/v1/auth', '/v1/auth', path, path, path]);
  expect(timesOf('/v1/auth')).toEqual([0, 1_000]);
});

describe('a service that is asked too much', () => {
  test.each([
    [503, { 'retry-after': '1' }],
    [429, { date: 'Sun, 06 Nov 1994 08:49:37 GMT', 'retry-after': 'Sun, 06 Nov 1994 08:49:38 GMT' }],
  ])('gets the pause it asks for in seconds, or as a date by its own clock: %i, %j', async (code, headers) => {
    stub.answer(path, status(code, headers), broadcast);
    const { service, tally } = connect();
    await service.broadcast('71');
    expect(timesOf(path)).toEqual([0, 1_000]);
    expect(tally.coverage).toMatchObject({ requests: { broadcast: { [code]: 1, '200': 1 } }, retries: 1 });
  });

  test('holds all calls back together, which then leave under a token of that moment', async () => {
    const token = new UnsecuredJWT({ iat: Date.now() / 1000, exp: Date.now() / 1000 + 2 }).encode();
    stub.answer('/v1/auth', json({ token, refresh_token: 'refresh' }));
    stub.answer(path, status(429, { 'retry-after': '3' }), broadcast);
    const connection = connect();
    const throttled = connection.service.broadcast('71');
    await isThrottled(connection);
    await Promise.all([throttled, askAtOnce(connection, broadcast)]);
    const gets = stub.requests.filter(({ method }) => method === 'GET');
    expect(gets.map(({ at, headers }) => [at, headers.authorization])).toEqual([
      [0, `Bearer ${token}`],
      ...Array.from({ length: 13 }, () => [3_000, 'Bearer access-1']),
    ]);
  });

  test('and asks for a pause that is too long to wait for is not asked again, by those in the queue either', async () => {
    stub.answer(path, status(429, { 'retry-after': '3600' }));
    const { service, tally } = connect({ settings: { concurrency: 1 } });
    const errors = await Promise.all(['71', '72', '73'].map((id) => unavailableFrom(service.broadcast(id))));
    expect(errors.map(({ message, unavailable }) => [message, unavailable])).toEqual(
      ['71', '72', '73'].map((id) => [`[GET] /v1/broadcasts/${id}: 429`, { reason: 'failed', status: 429 }]),
    );
    expect(stub.asked()).toEqual(['/v1/auth', path]);
    expect(tally.coverage).toMatchObject({ requests: { broadcast: { '429': 1 } }, retries: 0 });
  });

  test('gets no further request from a worker whose time is up before the pause ends, and no request waits for that', async () => {
    stub.answer(path, status(429, { 'retry-after': '30' }));
    const { service } = connect({ settings: { concurrency: 1 }, remainingMs: 10_000 });
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => service.broadcast('71')));
    const reason = { name: 'OutOfTimeError', message: `[GET] ${path}: ran out of time` };
    for (const outcome of outcomes) expect(outcome).toMatchObject({ reason });
    expect([timesOf(path), performance.now()]).toEqual([[0], 0]);
  });
});

test('a request that takes long says what it waits for, and that this is over', async () => {
  const waits: unknown[] = [];
  const { service } = connect({ onWait: (wait) => Promise.resolve(void waits.push(wait)) });
  stub.answer(path, takes(1_000, status(500)), takes(6_000, status(500)), broadcast);
  await service.broadcast('71');
  expect(waits).toEqual(['nothing usable (500) from the service for 7 s, attempt 3 of 5', null]);
});
