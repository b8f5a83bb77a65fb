import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { collectList } from '../../../functions/collect/list.ts';
import { readDeliveryList } from '../../../functions/ledger/runs/collections.ts';
import { json, mebibytes, startHttpStub, status, text, type HttpStub } from '../../support/http-stub.ts';
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

const delivery = (id: string, over: { status?: string; name?: string | null } = {}) => ({
  delivery: {
    id,
    broadcast: { id: `b-${id}`, name: over.name === undefined ? 'Friday Five' : over.name },
    status: over.status ?? 'delivered',
  },
});

async function collect(over: { statuses?: string[]; broadcastName?: string } = {}) {
  const { service, tally } = connect(stub);
  collections += 1;
  const key = { run: 'weekly_2026-11-09', collection: String(collections), now: new Date() };
  const answer = await collectList({ service, tally, table: ledger.table, key, report: reportOf(over) });
  const stored = await readDeliveryList(ledger.table, key);
  expect(answer).toEqual({ deliveries: stored.deliveries.length });
  return { stored, found: stored.deliveries.map(({ id, status: word }) => `${id} ${word}`), tally };
}

test('the deliveries of the list are stored in its order, each with its own word for its status', async () => {
  const words = ['Delivered', 'scheduled', 'toString', '__proto__'];
  const rows = words.map((word, n) => delivery(String(n), { status: word }));
  stub.answer(list, json([...rows, { delivery: { id: 'e', broadcast: { id: '5' } } }]));
  expect((await collect()).stored).toEqual({
    rows: 5,
    deliveries: [
      ...rows.map((each) => each.delivery),
      { id: 'e', broadcast: { id: '5', name: null }, status: 'unknown' },
    ],
  });
});

test('an empty list is one of no rows', async () => {
  stub.answer(list, json([]));
  expect((await collect()).stored).toEqual({ rows: 0, deliveries: [] });
});

test('a report that filters by name leaves out the broadcasts of other names, and keeps those whose name the list does not say', async () => {
  // An accent is one character in NFC, and two in NFD.
  const names = ['CAFÉ News', 'cafe\u0301 news', 'Rota', 'The café', 'Cafe', null];
  stub.answer(list, json(names.map((name, n) => delivery(String(n), { name }))));
  for (const broadcastName of ['caf\u00e9', 'Cafe\u0301']) {
    const { stored } = await collect({ broadcastName });
    expect([stored.rows, stored.deliveries.map(({ id }) => id)]).toEqual([6, ['0', '1', '3', '5']]);
  }
});

test.each([
  { statuses: ['sending', 'delivered'], found: 'delivered' },
  { statuses: ['Delivered', 'sending'], found: 'Delivered' },
  { statuses: ['delivered', 'delivered'], found: 'delivered' },
  { statuses: ['queued', 'sending', 'paused'], found: 'paused' },
])(
  'a delivery that is listed several times, as $statuses, counts once, as $found: as delivered, else under the latest',
  async ({ statuses, found: word }) => {
    const [first, ...others] = statuses.map((each) => delivery('a', { status: each }));
    stub.answer(list, json([first, delivery('b')], { link: `<${list}?page=2>; rel="next"` }));
    stub.answer(`${list}?page=2`, json([delivery('c'), ...others]));
    const { found, stored } = await collect();
    expect([found, stored.rows]).toEqual([[`a ${word}`, 'b delivered', 'c delivered'], statuses.length + 2]);
  },
);

test('a list that states more rows than it gave is recorded as cut off', async () => {
  stub.answer(list, json({ data: [delivery('a')], total: 9 }));
  const { found, stored, tally } = await collect();
  expect([found, stored.unavailable, tally.coverage.cutOff]).toEqual([
    ['a delivered'],
    { reason: 'cut-off' },
    { deliveries: 1 },
  ]);
});

test('a list that breaks off is used as far as it goes, and recorded as cut off', async () => {
  stub.answer(list, json([delivery('a')], { link: `<${list}?page=2>; rel="next"` }));
  stub.answer(`${list}?page=2`, status(500));
  const { found, stored, tally } = await collect();
  expect([found, stored.unavailable, tally.coverage.cutOff]).toEqual([
    ['a delivered'],
    { reason: 'cut-off' },
    { deliveries: 1 },
  ]);
});

test('a delivery without an id makes the list unreadable in part, and that is recorded', async () => {
  stub.answer(list, json([delivery('a'), { delivery: { status: 'delivered' } }]));
  const { found, stored } = await collect();
  expect([found, stored.unavailable]).toEqual([['a delivered'], { reason: 'unreadable' }]);
});

test.each([
  { what: 'fails', answer: status(500), why: '[GET] /v1/broadcasts/deliveries: 500.' },
  { what: 'is not found', answer: status(404), why: '[GET] /v1/broadcasts/deliveries: 404.' },
  {
    what: 'is larger than 64 MiB',
    answer: mebibytes(65),
    why: '[GET] /v1/broadcasts/deliveries: the answer is larger than 64 MiB.',
  },
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

test('a service that refuses the credentials fails as that, and not as a missing list', async () => {
  stub.answer('/v1/auth', status(401));
  await expect(collect()).rejects.toMatchObject({ name: 'credentials-refused' });
});
