import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { collectList } from '../../../functions/collect/list.ts';
import { readDeliveryList, readWork } from '../../../functions/ledger/runs/collections.ts';
import { json, startHttpStub, status, text, type HttpStub } from '../../support/http-stub.ts';
import { openLedger, type Ledger } from '../ledger/open-ledger.ts';
import { connect, grantTokens } from '../reporting-service/connect.ts';
import { reportOf } from '../run/configured.ts';

const list = '/v1/broadcasts/deliveries';
let ledger: Ledger;
let stub: HttpStub;
let collections = 0;

beforeAll(async () => {
  ledger = await openLedger();
});
beforeEach(async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  stub = await startHttpStub();
  grantTokens(stub);
});
afterEach(() => stub.close());

const delivery = (id: string, over: { status?: string; name?: string } = {}) => ({
  delivery: { id, broadcast: { id: `b-${id}`, name: over.name ?? 'Friday Five' }, status: over.status ?? 'delivered' },
});

async function collect(over: { statuses?: string[]; broadcastName?: string } = {}) {
  const { service, tally } = connect(stub);
  collections += 1;
  const key = { run: 'weekly_2026-W46', collection: String(collections), now: new Date() };
  const counts = await collectList({ service, tally, table: ledger.table, key, report: reportOf(over) });
  const work = [];
  for (let batch = 0; batch < counts.batches; batch += 1)
    work.push(await readWork(ledger.table, key, { phase: 'recipients', batch }));
  return { counts, list: await readDeliveryList(ledger.table, key), ids: work.flat().map(({ id }) => id), work, tally };
}

test('deliveries with a status of the report become work, the others are counted by their status', async () => {
  stub.answer(
    list,
    json([
      delivery('a'),
      delivery('b', { status: 'scheduled' }),
      delivery('c', { status: 'Delivered' }),
      delivery('d', { status: 'scheduled' }),
      { delivery: { id: 'e', broadcast: { id: '5' } } },
    ]),
  );
  const { counts, list: stored, work } = await collect();
  expect(counts).toEqual({ batches: 1 });
  expect(stored).toEqual({ otherStatuses: { scheduled: 2, Delivered: 1, unknown: 1 } });
  expect(work).toEqual([[{ id: 'a', broadcast: { id: 'b-a', name: 'Friday Five' }, status: 'delivered' }]]);
});

test('a report takes the statuses that it names', async () => {
  stub.answer(list, json([delivery('a', { status: 'sent' }), delivery('b', { status: 'delivering' }), delivery('c')]));
  const { ids, list: stored } = await collect({ statuses: ['sent', 'delivering'] });
  expect([ids, stored.otherStatuses]).toEqual([['a', 'b'], { delivered: 1 }]);
});

test('a report that filters by name leaves out all other broadcasts', async () => {
  stub.answer(
    list,
    json([
      delivery('a', { name: 'FRIDAY FIVE' }),
      delivery('b', { name: 'Rota', status: 'scheduled' }),
      delivery('c', { name: 'Last friday' }),
      { delivery: { id: 'd', broadcast: { id: '1', name: null }, status: 'delivered' } },
    ]),
  );
  const { ids, list: stored } = await collect({ broadcastName: 'friday' });
  expect([ids, stored]).toEqual([['a', 'c'], { otherStatuses: {} }]);
});

test('a delivery that is listed twice counts once', async () => {
  stub.answer(list, json([delivery('a'), delivery('b')], { link: `<${list}?page=2>; rel="next"` }));
  stub.answer(`${list}?page=2`, json([delivery('b'), delivery('c')]));
  const { ids, counts } = await collect();
  expect([ids, counts]).toEqual([['a', 'b', 'c'], { batches: 1 }]);
});

test.each([
  { first: 'sending', second: 'delivered' },
  { first: 'delivered', second: 'sending' },
])('a delivery that is $first on one page and $second on the next is a delivered one', async ({ first, second }) => {
  stub.answer(list, json([delivery('a', { status: first }), delivery('b')], { link: `<${list}?page=2>; rel="next"` }));
  stub.answer(`${list}?page=2`, json([delivery('c'), delivery('a', { status: second })]));
  const { ids, list: stored } = await collect();
  expect([ids, stored]).toEqual([['a', 'b', 'c'], { otherStatuses: {} }]);
});

test('a delivery that has several unwanted statuses counts once, under the latest', async () => {
  const statuses = ['queued', 'sending', 'paused'];
  stub.answer(
    list,
    json([...statuses.map((status) => delivery('a', { status })), delivery('b', { status: 'queued' })]),
  );
  const { list: stored } = await collect();
  expect(stored).toEqual({ otherStatuses: { paused: 1, queued: 1 } });
});

test('a status may have the name of an inherited property: it is a word like any other', async () => {
  const words = ['toString', 'valueOf', '__proto__', 'constructor', 'hasOwnProperty', 'prototype', 'toString'];
  stub.answer(list, json(words.map((status, index) => delivery(String(index), { status }))));
  const { list: stored } = await collect();
  const others = { toString: 2, valueOf: 1, ['__proto__']: 1, constructor: 1, hasOwnProperty: 1, prototype: 1 };
  expect(Object.entries(stored.otherStatuses)).toEqual(Object.entries(others));
});

test('an empty list is no work', async () => {
  stub.answer(list, json([]));
  const { counts, list: stored } = await collect();
  expect([counts, stored]).toEqual([{ batches: 0 }, { otherStatuses: {} }]);
});

test('a long list becomes even batches, in the order of the list', async () => {
  const ids = Array.from({ length: 2_001 }, (_, n) => String(n));
  stub.answer(list, json(ids.map((id) => delivery(id))));
  const { work, ids: wanted, counts } = await collect();
  expect([counts.batches, work.map(({ length }) => length)]).toEqual([3, [667, 667, 667]]);
  expect(wanted).toEqual(ids);
});

test('a list that states more rows than it gave is recorded as cut off', async () => {
  stub.answer(list, json({ data: [delivery('a')], total: 9 }));
  const { ids, list: stored, tally } = await collect();
  expect([ids, stored.unavailable, tally.coverage.cutOff]).toEqual([['a'], { reason: 'cut-off' }, { deliveries: 1 }]);
});

test('a list that breaks off is used as far as it goes, and recorded as cut off', async () => {
  stub.answer(list, json([delivery('a')], { link: `<${list}?page=2>; rel="next"` }));
  stub.answer(`${list}?page=2`, status(500));
  const { ids, list: stored, tally } = await collect();
  expect([ids, stored.unavailable, tally.coverage.cutOff]).toEqual([['a'], { reason: 'cut-off' }, { deliveries: 1 }]);
});

test('a delivery without an id makes the list unreadable in part, and that is recorded', async () => {
  stub.answer(list, json([delivery('a'), { delivery: { status: 'delivered' } }]));
  const { ids, list: stored } = await collect();
  expect([ids, stored.unavailable]).toEqual([['a'], { reason: 'unreadable' }]);
});

test.each([
  { what: 'fails', answer: status(500), why: '[GET] /v1/broadcasts/deliveries: 500.' },
  { what: 'is not found', answer: status(404), why: '[GET] /v1/broadcasts/deliveries: 404.' },
  { what: 'is html', answer: text('<html>'), why: '[GET] /v1/broadcasts/deliveries: no JSON.' },
  {
    what: 'is two lists',
    answer: json({ deliveries: [delivery('a')], drafts: [] }),
    why: '[GET] /v1/broadcasts/deliveries: expected a list or an object with one list in it, found "deliveries" and "drafts".',
  },
])('a list that $what is one clear error', async ({ answer, why }) => {
  stub.answer(list, answer);
  await expect(collect()).rejects.toMatchObject({
    name: 'service-unavailable',
    message: `The list of deliveries is unavailable. ${why}`,
  });
});

test('a service whose token is a megabyte long is one clear error', async () => {
  stub.answer('/v1/auth', json({ token: 'x'.repeat(1024 * 1024), refresh_token: 'y' }));
  await expect(collect()).rejects.toMatchObject({
    name: 'service-unavailable',
    message:
      'The list of deliveries is unavailable. [POST] /v1/auth: expected a "token" of at most 12000 visible characters.',
  });
});

test('a row of more than 8 MiB makes the list unreadable in part, and the others are read', async () => {
  const large = { ...delivery('b').delivery, note: 'x'.repeat(9 * 1024 * 1024) };
  stub.answer(list, json([delivery('a'), large, delivery('c')]));
  const { ids, list: stored } = await collect();
  expect([ids, stored.unavailable]).toEqual([['a', 'c'], { reason: 'unreadable' }]);
});

test('a service that refuses the credentials fails as that, and not as a missing list', async () => {
  stub.answer('/v1/auth', status(401));
  await expect(collect()).rejects.toMatchObject({ name: 'credentials-refused' });
});
