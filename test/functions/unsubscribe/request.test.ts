import { expect, test } from 'vitest';
import { readRequest } from '../../../functions/unsubscribe/answer.ts';

const form = 'application/x-www-form-urlencoded';

const event = (method: string, type?: string, body?: string, isBase64Encoded = false) => ({
  version: '2.0',
  rawPath: '/unsubscribe/a.b.c',
  rawQueryString: '',
  headers: type === undefined ? {} : { 'content-type': type },
  requestContext: { http: { method, path: '/unsubscribe/a.b.c' } },
  ...(body === undefined ? {} : { body, isBase64Encoded }),
});

test.each([
  ['one click', form, 'List-Unsubscribe=One-Click', 'unsubscribe'],
  [
    'one click as multipart',
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n',
    'unsubscribe',
  ],
  ['one click with a line end', form, 'List-Unsubscribe=One-Click\r\n', 'unsubscribe'],
  ['one click as text', 'text/plain', 'List-Unsubscribe=One-Click', 'unsubscribe'],
  ['one click without a type', undefined, 'List-Unsubscribe=One-Click', 'unsubscribe'],
  ['nothing at all', undefined, '', 'unsubscribe'],
  ['a line end alone', form, '\r\n', 'unsubscribe'],
  ['the way back', form, 'action=return', 'resubscribe'],
  ['another report', form, 'action=instead', 'instead'],
  ['another word', form, 'List-Unsubscribe=Maybe', 'nothing'],
  ['another field', form, 'action=leave', 'nothing'],
  ['a broken form', 'multipart/form-data; boundary=b', 'x', 'nothing'],
  ['one click with its sign escaped', form, 'List-Unsubscribe%3DOne-Click', 'unsubscribe'],
  ['one click among much else', form, `${'x=y&'.repeat(10_000)}List-Unsubscribe=One-Click`, 'unsubscribe'],
])('a POST of %s wants what it says, and a GET wants nothing', (_, type, body, wish) => {
  const base64 = Buffer.from(body).toString('base64');
  for (const posted of [event('POST', type, base64, true), event('POST', type, body)]) {
    const { readWish, ...request } = readRequest(posted);
    expect([request, readWish()]).toEqual([{ method: 'POST', token: 'a.b.c' }, wish]);
  }
  expect(readRequest(event('GET', type, body)).readWish()).toBe('nothing');
});
