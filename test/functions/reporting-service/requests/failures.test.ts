import { createServer } from 'node:http';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  after,
  cutShort,
  hang,
  json,
  reset,
  stall,
  startHttpStub,
  status,
  text,
  type HttpStub,
  type StubAnswer,
} from '../../../support/http-stub.ts';
import { connect, grantTokens, readAll, unavailableFrom } from '../connect.ts';

const path = '/v1/broadcasts/71';
const broadcast = json({ broadcast: { name: 'Friday Five' }, contents: [] });
const html = text('<html>Bad gateway</html>', { 'content-type': 'text/html' });
const cutJson = text('{"broadcast":{"name":"Friday');
let stub: HttpStub;

beforeEach(async () => {
  // No jitter: retries follow at once, unless the service asks for a pause.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  stub = await startHttpStub();
  grantTokens(stub);
});
afterEach(() => stub.close());

const timesAsked = (): number => stub.asked().filter((address) => address === path).length;

const passing: Array<{
  failure: string;
  answer: StubAnswer;
  word: string;
  reason: 'failed' | 'unreadable';
  code?: number;
}> = [
  { failure: 'a 500', answer: status(500), word: '500', reason: 'failed', code: 500 },
  { failure: 'a 502', answer: status(502), word: '502', reason: 'failed', code: 502 },
  { failure: 'a 504', answer: status(504), word: '504', reason: 'failed', code: 504 },
  { failure: 'a 408', answer: status(408), word: '408', reason: 'failed', code: 408 },
  { failure: 'a reset', answer: reset, word: 'connection lost', reason: 'failed' },
  {
    failure: 'a body cut before its Content-Length',
    answer: cutShort('{"broadcast":', 4_000),
    word: 'connection lost',
    reason: 'failed',
  },
  { failure: 'a cut body whose Content-Length is right', answer: cutJson, word: 'no JSON', reason: 'unreadable' },
  { failure: 'a page of html with status 200', answer: html, word: 'no JSON', reason: 'unreadable' },
  { failure: 'an empty body', answer: text(''), word: 'no JSON', reason: 'unreadable' },
];

describe('a failure that may pass', () => {
  test.each(passing)('$failure is tried again, and the next answer counts', async ({ answer, word }) => {
    stub.answer(path, answer, answer, broadcast);
    const { service, tally } = connect(stub);
    expect((await service.broadcast('71')).name).toBe('Friday Five');
    expect(tally.coverage).toMatchObject({ requests: { broadcast: { [word]: 2, '200': 1 } }, retries: 2 });
  });

  test.each(passing)('$failure that stays is named after five attempts', async ({ answer, word, reason, code }) => {
    stub.answer(path, answer);
    const { service, tally } = connect(stub);
    const error = await unavailableFrom(service.broadcast('71'));
    expect([error.message, error.unavailable]).toEqual([
      `[GET] ${path}: ${word}`,
      { reason, ...(code === undefined ? {} : { status: code }) },
    ]);
    expect(timesAsked()).toBe(5);
    expect(tally.coverage).toMatchObject({ requests: { broadcast: { [word]: 5 } }, retries: 4 });
  });

  test.each([
    { failure: 'no answer at all', answer: hang },
    { failure: 'a body that stalls', answer: stall('{"broadcast":') },
  ])('$failure is given up after the time-out and tried again', async ({ answer }) => {
    stub.answer(path, answer, broadcast);
    const { service, tally } = connect(stub, { timeoutMs: 250 });
    expect((await service.broadcast('71')).name).toBe('Friday Five');
    expect(tally.coverage.requests['broadcast']).toEqual({ 'no answer in time': 1, '200': 1 });
  });

  test('a time-out that stays is named', async () => {
    stub.answer(path, hang);
    const error = await unavailableFrom(connect(stub, { timeoutMs: 100 }).service.broadcast('71'));
    expect([error.message, error.unavailable]).toEqual([`[GET] ${path}: no answer in time`, { reason: 'failed' }]);
    expect(timesAsked()).toBe(5);
  });

  test('where no service listens, the error says that the connection was refused', async () => {
    const closed = createServer();
    const port = await new Promise<number>((resolve) => {
      closed.listen(0, '127.0.0.1', () => resolve(Number(Object(closed.address()).port)));
    });
    await new Promise((resolve) => closed.close(resolve));
    const { service } = connect(stub, { settings: { baseUrl: `http://127.0.0.1:${port}` } });
    const error = await unavailableFrom(service.broadcast('71'));
    expect(error.message).toBe('[POST] /v1/auth: connection refused');
  });

  test('after twenty failed requests in a row, each further one is sent only once, until one succeeds', async () => {
    stub.answer(path, status(500));
    const { service } = connect(stub);
    for (let call = 0; call < 20; call += 1) await unavailableFrom(service.broadcast('71'));
    expect(timesAsked()).toBe(100);
    await unavailableFrom(service.broadcast('71'));
    expect(timesAsked()).toBe(101);
    stub.answer(path, broadcast, status(500));
    await service.broadcast('71');
    await unavailableFrom(service.broadcast('71'));
    expect(timesAsked()).toBe(107);
  });
});

test.each([
  { code: 400, reason: 'refused' },
  { code: 403, reason: 'forbidden' },
  { code: 404, reason: 'not-found' },
  { code: 410, reason: 'gone' },
  { code: 422, reason: 'refused' },
])('a $code is an answer about this one thing ($reason), and not asked for again', async ({ code, reason }) => {
  stub.answer(path, status(code));
  const { service, tally } = connect(stub);
  const error = await unavailableFrom(service.broadcast('71'));
  expect([error.message, error.unavailable]).toEqual([`[GET] ${path}: ${code}`, { reason, status: code }]);
  expect(tally.coverage).toMatchObject({ requests: { broadcast: { [code]: 1 } }, retries: 0 });
});

/** Milliseconds between the first request and each later one. */
function gaps(): number[] {
  const [first, ...later] = stub.requests.filter(({ method }) => method === 'GET').map(({ at }) => at);
  return later.map((at) => at - (first ?? 0));
}

/** Milliseconds of a second, less what a timer may be early. */
const second = 990;

describe('a service that is asked too much', () => {
  test.each([429, 503])('gets the pause it asks for in seconds (%i)', async (code) => {
    stub.answer(path, status(code, { 'retry-after': '1' }), broadcast);
    const { service, tally } = connect(stub);
    await service.broadcast('71');
    expect(gaps()[0]).toBeGreaterThan(second);
    expect(tally.coverage).toMatchObject({ requests: { broadcast: { [code]: 1, '200': 1 } }, retries: 1 });
  });

  test('gets the pause it asks for as a date by its own clock, however wrong that is', async () => {
    const headers = { date: 'Sun, 06 Nov 1994 08:49:37 GMT', 'retry-after': 'Sun, 06 Nov 1994 08:49:38 GMT' };
    stub.answer(path, status(429, headers), broadcast);
    await connect(stub).service.broadcast('71');
    expect(gaps()[0]).toBeGreaterThan(second);
  });

  test('without naming a pause is asked again after short ones, eight times in all', async () => {
    stub.answer(path, status(429));
    const error = await unavailableFrom(connect(stub).service.broadcast('71'));
    expect([error.unavailable, timesAsked()]).toEqual([{ reason: 'failed', status: 429 }, 8]);
  });

  test('holds all calls back together, and not only the one that it refused', async () => {
    stub.answer(path, status(429, { 'retry-after': '1' }), broadcast);
    for (let id = 1; id <= 5; id += 1) stub.answer(`/v1/broadcasts/${id}`, broadcast);
    const { service } = connect(stub);
    const refused = service.broadcast('71');
    await vi.waitFor(() => expect(timesAsked()).toBe(1));
    // The answer is on its way back.
    await new Promise((resolve) => setTimeout(resolve, 100));
    await Promise.all([refused, ...Array.from({ length: 5 }, (_, id) => service.broadcast(String(id + 1)))]);
    expect(gaps()).toHaveLength(6);
    for (const gap of gaps()) expect(gap).toBeGreaterThan(second);
  });

  test('and asks for a pause that is too long to wait for is not asked again, and no request waits', async () => {
    stub.answer(path, status(429, { 'retry-after': '3600' }));
    stub.answer('/v1/broadcasts/72', broadcast);
    const { service, tally } = connect(stub);
    const errors = [await unavailableFrom(service.broadcast('71')), await unavailableFrom(service.broadcast('72'))];
    expect(errors.map(({ message, unavailable }) => [message, unavailable])).toEqual([
      ['[GET] /v1/broadcasts/71: 429', { reason: 'failed', status: 429 }],
      ['[GET] /v1/broadcasts/72: 429', { reason: 'failed', status: 429 }],
    ]);
    expect(stub.asked()).toEqual(['/v1/auth', '/v1/broadcasts/71']);
    expect(tally.coverage).toMatchObject({ requests: { broadcast: { '429': 1 } }, retries: 0 });
  });

  test('and asks for a pause that is too long to wait for is not asked by the requests in the queue either', async () => {
    stub.answer(path, status(429, { 'retry-after': '3600' }));
    const { service } = connect(stub, { settings: { concurrency: 1 } });
    const errors = await Promise.all([1, 2, 3].map(() => unavailableFrom(service.broadcast('71'))));
    expect(errors.map(({ unavailable }) => unavailable.status)).toEqual([429, 429, 429]);
    expect(timesAsked()).toBe(1);
  });

  test('gets no further request from a worker whose time is up before the pause ends, and no request waits for that', async () => {
    stub.answer(path, status(429, { 'retry-after': '30' }));
    const { service } = connect(stub, { settings: { concurrency: 1 }, remainingMs: 10_000 });
    const begun = performance.now();
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => service.broadcast('71')));
    for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: { name: 'OutOfTimeError' } });
    expect(timesAsked()).toBe(1);
    expect(performance.now() - begun).toBeLessThan(9_000);
  });

  test('sees fewer calls at once until it has recovered', async () => {
    const calls = (from: number, answer: StubAnswer) =>
      Array.from({ length: 8 }, (_, id) => {
        stub.answer(`/v1/broadcasts/${from + id}`, answer);
        return () => connection.service.broadcast(String(from + id));
      });
    const connection = connect(stub, { settings: { concurrency: 8 } });
    stub.answer(path, status(503, { 'retry-after': '0' }), broadcast);
    await connection.service.broadcast('71');
    let open = 0;
    let most = 0;
    const counting: StubAnswer = (response, request) => {
      open += 1;
      most = Math.max(most, open);
      response.once('close', () => (open -= 1));
      return after(30, broadcast)(response, request);
    };
    await Promise.all(calls(100, counting).map((call) => call()));
    // The limit of eight was halved, and has grown by one in the first round of answers.
    expect(most).toBeGreaterThanOrEqual(4);
    expect(most).toBeLessThan(8);
  });
});

test('no error contains a token, the query, or anything of the answer', async () => {
  const secrets = ['access-1', 'canary-secret', 'canary-value', 'Bad gateway', 'the body'];
  const filter = { name: 'rating', value: 'canary-value' };
  for (const { answer } of passing) {
    stub.answer('/v1/broadcasts/deliveries/d/contents/c/recipients', answer);
    const error = await unavailableFrom(readAll(connect(stub).service.contentRecipients('d', 'c', filter)));
    const shown = inspect(error, { depth: null, showHidden: true });
    expect(secrets.filter((secret) => shown.includes(secret))).toEqual([]);
  }
});
