import { afterEach, beforeEach, expect, test } from 'vitest';
import { startHttpApi } from '../../../../infra/local/emulators/http-api.ts';
import type { InvocationOutcome } from '../../../../infra/local/emulators/lambda/function-thread.ts';
import type { Loopback } from '../../../../infra/local/emulators/loopback.ts';

let api: Loopback;
let events: unknown[];
let outcome: InvocationOutcome;

beforeEach(async () => {
  events = [];
  api = await startHttpApi(['unsubscribe'], (name, event) => {
    events.push({ name, event });
    return Promise.resolve(outcome);
  });
});
afterEach(() => api.close());

test('a form arrives in base64, as API Gateway sends it, and the result of the function is the answer', async () => {
  const answer = Buffer.from('Done').toString('base64');
  outcome = { payload: { statusCode: 201, headers: { 'x-page': 'left' }, body: answer, isBase64Encoded: true } };
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
  const response = await fetch(`${api.url}/unsubscribe/a.b?c=d`, { method: 'POST', body });
  expect([response.status, response.headers.get('x-page'), await response.text()]).toEqual([201, 'left', 'Done']);
  const form = { body: Buffer.from(String(body)).toString('base64'), isBase64Encoded: true };
  const path = { rawPath: '/unsubscribe/a.b', rawQueryString: 'c=d', requestContext: { http: { method: 'POST' } } };
  expect(events).toMatchObject([{ name: 'unsubscribe', event: { ...path, ...form } }]);
});

test.each([
  ['fails', { functionError: 'Unhandled', payload: { errorType: 'Error', errorMessage: 'secret' } }],
  ['answers with what is no answer', { payload: { status: 'fine' } }],
])('a function that %s is a 500 without a word of it', async (_, failed) => {
  outcome = failed;
  const response = await fetch(`${api.url}/unsubscribe/a.b`);
  expect([response.status, await response.text()]).toEqual([500, '{"message":"Internal Server Error"}']);
});

test.each(['/', '/unsubscribe', '/unsubscribe/', '/page/a', '/other/a'])('%s reaches no function', async (path) => {
  const response = await fetch(api.url + path);
  expect([response.status, await response.text(), events]).toEqual([404, '{"message":"Not Found"}', []]);
});
