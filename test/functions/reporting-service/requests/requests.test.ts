import { describe, expect, test } from 'vitest';
import { json, mebibytes, status, text } from '../../../support/http-stub.ts';
import { readAll, unavailableFrom } from '../connect.ts';
import { connect, stub, stubEachTest } from '../service-stub.ts';

stubEachTest();

test('every path lies below a base address with its prefix, the list of deliveries at its configured path and query, and a filter goes encoded', async () => {
  const below = '/accounts/one/v1';
  const ofItem = `${below}/broadcasts/deliveries/d/contents/c/recipients`;
  stub.answer(`${below}/auth`, json({ token: 'access', refresh_token: 'refresh' }));
  for (const path of [`${below}/deliveries/recent`, ofItem]) stub.answer(path, json([]));
  const deliveries = { path: '/v1/deliveries/recent', query: { since: '30 days', 'page[size]': '100' } };
  const { service } = connect({ settings: { baseUrl: `${stub.url}/accounts/one`, deliveries } });
  await readAll(service.deliveries());
  await readAll(service.contentRecipients('d', 'c', { name: 'rating[]', value: '4&5' }));
  expect(stub.asked()).toEqual([
    `${below}/auth`,
    `${below}/deliveries/recent?since=30+days&page%5Bsize%5D=100`,
    `${ofItem}?rating%5B%5D=4%265`,
  ]);
});

test.each([
  ['a/b?c%2F', 'a%2Fb%3Fc%252F'],
  ['...', '...'],
  ['x'.repeat(1_000), 'x'.repeat(1_000)],
])('an identifier goes whole as one segment of every path (%#)', async (id, onTheWire) => {
  const paths = [
    `/v1/broadcasts/deliveries/${onTheWire}/recipients`,
    `/v1/broadcasts/${onTheWire}`,
    `/v1/broadcasts/deliveries/${onTheWire}/contents/${onTheWire}/recipients`,
  ];
  for (const path of paths) stub.answer(path, json(path === paths[1] ? { broadcast: { id }, contents: [] } : []));
  const { service } = connect();
  await readAll(service.recipients(id));
  await service.broadcast(id);
  await readAll(service.contentRecipients(id, id));
  expect(stub.asked().slice(1)).toEqual(paths);
});

test.each(['.', '..', '\ud800', 'x'.repeat(1_001)])('an id that no URL can hold is refused unasked: %o', async (id) => {
  const { service } = connect();
  const error = await unavailableFrom((async () => await readAll(service.contentRecipients('d', id)))());
  expect(error.unavailable).toEqual({ reason: 'refused' });
  expect(stub.asked()).toEqual([]);
});

test('a redirect is refused: neither token nor credentials go where it points', async () => {
  const redirect = status(307, { location: `${stub.url}/elsewhere` });
  stub.answer('/v1/broadcasts/71', redirect);
  await unavailableFrom(connect().service.broadcast('71'));
  stub.answer('/v1/auth', redirect);
  await unavailableFrom(connect().service.broadcast('71'));
  expect(stub.asked()).toEqual(['/v1/auth', '/v1/broadcasts/71', '/v1/auth']);
});

test('a 204 is an empty list', async () => {
  stub.answer('/v1/broadcasts/deliveries', status(204));
  expect(await readAll(connect().service.deliveries())).toEqual({ rows: [], mayBeCutOff: false });
});

describe('a body', () => {
  const path = '/v1/broadcasts/deliveries/d/recipients';

  test('may begin with a byte order mark, have up to 64 MiB, and numbers that keep every digit', async () => {
    const row = '[{"id":9007199254740993,"n":-1.5e3}]';
    stub.answer(path, text(`\uFEFF${row}`), mebibytes(63, row));
    const { service } = connect({ timeoutMs: 60_000 });
    for (const _ of [1, 2])
      expect((await readAll(service.recipients('d'))).rows).toEqual([{ id: '9007199254740993', n: -1500 }]);
  }, 60_000);

  test.each([
    ['windows-1252', Buffer.from('["Caf\u00e9"]', 'latin1'), 'Caf\u00e9'],
    ['"ISO-8859-1"', Buffer.from('["Caf\u00e9"]'), 'Caf\u00e9'],
    ['utf-16le', Buffer.from('["Caf\u00e9"]', 'utf16le'), 'Caf\u00e9'],
    ['a-made-up-one', Buffer.from('["Caf\u00e9"]', 'latin1'), 'Caf\ufffd'],
  ])('that declares to be in %s is read so', async (charset, body, read) => {
    const headers = { 'content-type': `application/json; charset=${charset}` };
    stub.answer('/v1/broadcasts/71', (response) => void response.writeHead(200, headers).end(body));
    const { http } = connect();
    const asked = { endpoint: 'broadcast', method: 'GET', url: new URL(`${stub.url}/v1/broadcasts/71`) } as const;
    expect((await http(asked)).body).toEqual([read]);
  });

  test('of more than 64 MiB is unavailable, and not asked for again', async () => {
    stub.answer(path, mebibytes(65));
    const { service, tally } = connect({ timeoutMs: 60_000 });
    const error = await unavailableFrom(readAll(service.recipients('d')));
    expect(error.unavailable).toEqual({ reason: 'too-large' });
    expect(tally.coverage).toMatchObject({ requests: { recipients: { 'too large': 1 } }, retries: 0 });
  }, 60_000);
});
