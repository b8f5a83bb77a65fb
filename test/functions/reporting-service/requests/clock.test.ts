import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { after, json, startHttpStub, status, type HttpStub } from '../../../support/http-stub.ts';
import { connect, createMemoryStore } from '../connect.ts';
import { openWithShortLived } from '../tokens/short-lived.ts';

const path = '/v1/broadcasts/71';
const broadcast = json({ broadcast: {}, contents: [] });
let stub: HttpStub;

beforeEach(async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true });
  stub = await startHttpStub();
  stub.answer('/v1/auth', json({ token: 'access', refresh_token: 'refresh' }));
});
afterEach(async () => {
  vi.useRealTimers();
  await stub.close();
});

/** Sets the clock, and nothing else: timers and `performance.now()` go on. */
const stepClock = (seconds: number): unknown => vi.setSystemTime(Date.now() + seconds * 1000);
const refused = (): string[] => stub.asked().filter((asked) => asked === path);

test.each([-20, 20])('a pause lasts as long where the clock is set by %i s', async (seconds) => {
  stub.answer(path, status(429, { 'retry-after': '2' }), broadcast);
  const { service } = connect(stub);
  const throttled = service.broadcast('71');
  await vi.waitFor(() => expect(refused()).toHaveLength(1));
  await pause(100);
  stepClock(seconds);
  await Promise.all([throttled, service.broadcast('71')]);
  const [first = 0, ...later] = stub.requests.filter(({ method }) => method === 'GET').map(({ at }) => at);
  expect(later).toHaveLength(2);
  for (const at of later) {
    expect(at - first).toBeGreaterThan(1_990);
    expect(at - first).toBeLessThan(12_000);
  }
});

test('a request is not given up for a clock that was set forward', async () => {
  stub.answer(path, after(200, status(500)), broadcast);
  const { service, tally } = connect(stub);
  const asked = service.broadcast('71');
  await vi.waitFor(() => expect(refused()).toHaveLength(1));
  stepClock(600);
  await asked;
  expect(tally.coverage.requests['broadcast']).toEqual({ '500': 1, '200': 1 });
});

test.each([-20, 20])('a token lives as long where the clock is set by %i s', async (seconds) => {
  const judged = openWithShortLived(stub, { seconds: 3 });
  const { service, tally } = connect(stub);
  stub.answer(path, judged(broadcast));
  await service.broadcast('71');
  stepClock(seconds);
  await service.broadcast('71');
  expect(stub.asked()).toEqual(['/v1/auth', path, path]);
  for (const end = performance.now() + 4_000; performance.now() < end; await pause(200)) await service.broadcast('71');
  expect(tally.coverage.requests['broadcast']?.['401']).toBeUndefined();
  expect(tally.coverage.requests['refresh']?.['200']).toBeLessThan(4);
});

test('a token that is stored longer than it is valid, because the clock was set back, costs one refresh', async () => {
  const judged = openWithShortLived(stub, { seconds: 2 });
  const store = createMemoryStore();
  stub.answer(path, judged(broadcast));
  await connect(stub, { store }).service.broadcast('71');
  await pause(2_400);
  stepClock(-20);
  await connect(stub, { store }).service.broadcast('71');
  expect(stub.asked()).toEqual(['/v1/auth', path, path, '/v1/auth/refresh', path]);
});
