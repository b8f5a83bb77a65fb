import { afterEach, beforeEach, expect, test } from 'vitest';
import { startFunctionUrl } from '../../../../infra/local/emulators/lambda/function-url.ts';
import type { InvocationOutcome } from '../../../../infra/local/emulators/lambda/function-thread.ts';
import type { Loopback } from '../../../../infra/local/emulators/loopback.ts';

let url: Loopback;
let events: unknown[];
let outcome: InvocationOutcome;

beforeEach(async () => {
  events = [];
  url = await startFunctionUrl((event) => {
    events.push(event);
    return Promise.resolve(outcome);
  });
});
afterEach(() => url.close());

test('a form arrives in base64, as Lambda sends it, and the result of the function is the answer', async () => {
  const answer = Buffer.from('Done').toString('base64');
  outcome = { payload: { statusCode: 201, headers: { 'x-page': 'left' }, body: answer, isBase64Encoded: true } };
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
  const response = await fetch(`${url.url}/a.b?c=d`, { method: 'POST', body });
  expect([response.status, response.headers.get('x-page'), await response.text()]).toEqual([201, 'left', 'Done']);
  expect(events).toMatchObject([
    {
      version: '2.0',
      rawPath: '/a.b',
      rawQueryString: 'c=d',
      headers: { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' },
      requestContext: { http: { method: 'POST', path: '/a.b' } },
      body: Buffer.from('List-Unsubscribe=One-Click').toString('base64'),
      isBase64Encoded: true,
    },
  ]);
});

test.each([
  ['fails', { functionError: 'Unhandled', payload: { errorType: 'Error', errorMessage: 'secret' } }],
  ['answers with what is no answer', { payload: { status: 'fine' } }],
])('a function that %s is a 502 without a word of it', async (_, failed) => {
  outcome = failed;
  const response = await fetch(url.url);
  expect([response.status, await response.text()]).toEqual([502, 'Internal Server Error']);
});
