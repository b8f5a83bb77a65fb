import { afterEach, beforeEach, expect, test } from 'vitest';
import { json, startServiceStub, type ServiceStub } from '../../support/service-stub.ts';
import { connect, openTheDoor, readAll } from './connect.ts';

const list = '/v1/broadcasts/deliveries';
let stub: ServiceStub;

beforeEach(async () => {
  stub = await startServiceStub();
  openTheDoor(stub);
});
afterEach(() => stub.close());

/** The pages that the list was asked for. */
const pagesAsked = (): string[] => stub.asked().filter((address) => address.startsWith(list));

test.each([
  { way: 'Link header', link: () => `<${list}?page=2>; rel="next"` },
  { way: 'Link header', link: () => `<${stub.url}${list}?page=2>; rel=next` },
  { way: 'Link header', link: () => `<${list}?page=0>; rel="prev", <${list}?page=2>; rel="last next"; title="on"` },
  { way: 'Link header', link: () => `<?page=2>;rel="NEXT"` },
])('a next page of a $way is followed ($#)', async ({ way, link }) => {
  stub.answer(list, json([1, 2], { link: link() }));
  stub.answer(`${list}?page=2`, json([3]));
  const { service, tally } = connect(stub);
  expect(await readAll(service.deliveries())).toEqual({ rows: [1, 2, 3], mayBeCutOff: false });
  expect(pagesAsked()).toEqual([list, `${list}?page=2`]);
  expect(tally.coverage).toMatchObject({ readings: { paging: { [way]: 1 } }, cutOff: {} });
});

test.each([
  { way: 'next', page: (address: string) => ({ data: [1, 2], next: address }) },
  { way: 'next', page: (address: string) => ({ data: [1, 2], next: { href: address } }) },
  { way: 'links.next', page: (address: string) => ({ data: [1, 2], links: { next: address } }) },
  { way: 'links.next', page: (address: string) => ({ data: [1, 2], links: { next: { href: address } } }) },
  { way: 'meta.next', page: (address: string) => ({ data: [1, 2], meta: { next: address } }) },
  { way: 'pagination.next', page: (address: string) => ({ data: [1, 2], pagination: { next: address } }) },
])('a next page in the body ($way) is followed, by whole and by relative address', async ({ way, page }) => {
  for (const address of [`${stub.url}${list}?page=2`, `${list}?page=2`, '?page=2']) {
    stub.requests.length = 0;
    stub.answer(list, json(page(address)));
    stub.answer(
      `${list}?page=2`,
      json({ data: [3], next: null, links: {}, meta: { next: '' }, pagination: { next: false } }),
    );
    const { service, tally } = connect(stub);
    expect(await readAll(service.deliveries())).toEqual({ rows: [1, 2, 3], mayBeCutOff: false });
    expect(pagesAsked()).toEqual([list, `${list}?page=2`]);
    expect(tally.coverage).toMatchObject({ readings: { paging: { [way]: 1 } }, cutOff: {} });
  }
});

test('every page is asked for with a token', async () => {
  stub.answer(list, json([1], { link: `<${list}?page=2>; rel="next"` }));
  stub.answer(`${list}?page=2`, json([2]));
  await readAll(connect(stub).service.deliveries());
  expect(stub.requests.slice(1).map(({ headers }) => headers.authorization)).toEqual([
    'Bearer access-1',
    'Bearer access-1',
  ]);
});

test('the next page of another origin is refused: no token goes there, and the list may be cut off', async () => {
  const other = await startServiceStub();
  try {
    for (const address of [`${other.url}${list}?page=2`, `//${new URL(other.url).host}${list}?page=2`]) {
      stub.answer(list, json({ data: [1], next: address }));
      const { service, tally } = connect(stub);
      expect(await readAll(service.deliveries())).toEqual({ rows: [1], mayBeCutOff: true });
      expect(tally.coverage.cutOff).toEqual({ deliveries: 1 });
    }
    expect(other.asked()).toEqual([]);
  } finally {
    await other.close();
  }
});

test.each(['eyJvZmZzZXQiOjEwMH0', 2, true])(
  'a cursor (%s), whose parameter nobody documented, leaves the list cut off',
  async (next) => {
    stub.answer(list, json({ data: [1], next }));
    const { service, tally } = connect(stub);
    expect(await readAll(service.deliveries())).toEqual({ rows: [1], mayBeCutOff: true });
    expect(tally.coverage.cutOff).toEqual({ deliveries: 1 });
    expect(pagesAsked()).toEqual([list]);
  },
);

test('an address that comes again is asked for once, and the list may be cut off', async () => {
  stub.answer(list, json({ data: [1], next: `${list}?page=2` }));
  stub.answer(`${list}?page=2`, json({ data: [2], next: list }));
  const { service, tally } = connect(stub);
  expect(await readAll(service.deliveries())).toEqual({ rows: [1, 2], mayBeCutOff: true });
  expect(pagesAsked()).toEqual([list, `${list}?page=2`]);
  expect(tally.coverage.cutOff).toEqual({ deliveries: 1 });
});

test('an empty page ends a list that names a next page for ever', async () => {
  stub.answer(list, json({ data: [1], next: `${list}?page=2` }));
  stub.answer(`${list}?page=2`, json({ data: [], next: `${list}?page=3` }));
  const { service } = connect(stub);
  expect(await readAll(service.deliveries())).toEqual({ rows: [1], mayBeCutOff: false });
  expect(pagesAsked()).toEqual([list, `${list}?page=2`]);
});

test('a list without an end is given up after 5,000 pages, and may be cut off', async () => {
  stub.answer(list, (response, request) => {
    const page = Number(request.query.slice('?page='.length)) + 1;
    return json([page], { link: `<${list}?page=${page}>; rel="next"` })(response, request);
  });
  const { service, tally } = connect(stub);
  const { rows, mayBeCutOff } = await readAll(service.deliveries());
  expect([rows.length, pagesAsked().length, mayBeCutOff]).toEqual([5_000, 5_000, true]);
  expect(tally.coverage.cutOff).toEqual({ deliveries: 1 });
});

test.each([
  { stated: { total: 3 } },
  { stated: { totalCount: 3 } },
  { stated: { total_count: 3 } },
  { stated: { meta: { total: 3 } } },
  { stated: { pagination: { totalItems: 3 } } },
  { stated: { meta: { total_items: 3 } } },
  { stated: { hasMore: true } },
  { stated: { pagination: { has_more: true } } },
])('a body that states more than it gave, $stated, with no way on, may be cut off', async ({ stated }) => {
  stub.answer(list, json({ data: [1, 2], ...stated }));
  const { service, tally } = connect(stub);
  expect(await readAll(service.deliveries())).toEqual({ rows: [1, 2], mayBeCutOff: true });
  expect(tally.coverage.cutOff).toEqual({ deliveries: 1 });
});

test.each([{ total: 2 }, { total: 1 }, { hasMore: false }, { meta: { total: 2 } }, { total: '3' }])(
  'a body that states no more than it gave, %o, is whole',
  async (stated) => {
    stub.answer(list, json({ data: [1, 2], ...stated }));
    const { service, tally } = connect(stub);
    expect(await readAll(service.deliveries())).toEqual({ rows: [1, 2], mayBeCutOff: false });
    expect(tally.coverage.cutOff).toEqual({});
  },
);

test('a total is compared with the rows of all pages', async () => {
  stub.answer(list, json({ data: [1, 2], total: 3, next: '?page=2' }));
  stub.answer(`${list}?page=2`, json({ data: [3], total: 3 }));
  expect(await readAll(connect(stub).service.deliveries())).toEqual({ rows: [1, 2, 3], mayBeCutOff: false });
  stub.answer(`${list}?page=2`, json({ data: [3], total: 4 }));
  expect(await readAll(connect(stub).service.deliveries())).toEqual({ rows: [1, 2, 3], mayBeCutOff: true });
});

test("a filter's first page may lead to pages whose addresses carry their own query", async () => {
  const path = `${list}/d/contents/c/recipients`;
  stub.answer(`${path}?rating=5`, json({ data: [1], next: `${path}?rating=5&page=2` }));
  stub.answer(`${path}?rating=5&page=2`, json([2]));
  const { service } = connect(stub);
  expect(await readAll(service.contentRecipients('d', 'c', { name: 'rating', value: '5' }))).toEqual({
    rows: [1, 2],
    mayBeCutOff: false,
  });
});
