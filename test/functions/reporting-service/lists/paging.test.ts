import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { json, startHttpStub, type HttpStub, type StubAnswer } from '../../../support/http-stub.ts';
import { connect, grantTokens, readAll, unavailableFrom } from '../connect.ts';

const list = '/v1/broadcasts/deliveries';
let stub: HttpStub;

beforeEach(async () => {
  stub = await startHttpStub();
  grantTokens(stub);
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
  { way: 'next', page: (address: string) => ({ data: [1, 2], next: { url: address } }) },
  { way: '_links.next', page: (address: string) => ({ data: [1, 2], _links: { next: address } }) },
  { way: '_links.next', page: (address: string) => ({ data: [1, 2], _links: { next: { href: address } } }) },
  { way: 'links.next', page: (address: string) => ({ data: [1, 2], links: { next: { url: address } } }) },
  { way: 'paging.next', page: (address: string) => ({ data: [1, 2], paging: { next: address } }) },
  { way: '@odata.nextLink', page: (address: string) => ({ value: [1, 2], '@odata.nextLink': address }) },
  {
    way: 'meta.pagination.links.next',
    page: (address: string) => ({ data: [1, 2], meta: { pagination: { total: 3, links: { next: address } } } }),
  },
  // Of several that are named, one that can be followed is.
  { way: 'links.next', page: (address: string) => ({ data: [1, 2], next: 'a-cursor', links: { next: address } }) },
  { way: 'next', page: (address: string) => ({ data: [1, 2], next: address, nextCursor: 'a-cursor', hasMore: true }) },
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
  const other = await startHttpStub();
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
  'a list with a cursor (%s), whose parameter is not documented, may be cut off',
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

test.each([1, 2, 3])('%i empty pages in a row that name a next one are skipped', async (empty) => {
  stub.answer(list, json({ data: [1], next: '?page=2' }));
  for (let page = 2; page < 2 + empty; page += 1)
    stub.answer(`${list}?page=${page}`, json({ data: [], next: `?page=${page + 1}` }));
  stub.answer(`${list}?page=${2 + empty}`, json({ data: [2], next: `?page=${3 + empty}` }));
  // It is only in a row that they count.
  stub.answer(`${list}?page=${3 + empty}`, json({ data: [], next: `?page=${4 + empty}` }));
  stub.answer(`${list}?page=${4 + empty}`, json({ data: [3] }));
  const { service, tally } = connect(stub);
  expect(await readAll(service.deliveries())).toEqual({ rows: [1, 2, 3], mayBeCutOff: false });
  expect([pagesAsked().length, tally.coverage.cutOff]).toEqual([4 + empty, {}]);
});

test('a list that goes on with a fourth empty page may be cut off', async () => {
  stub.answer(list, (response, request) => {
    const page = Number(request.query.slice('?page='.length)) + 1;
    return json({ data: page === 1 ? [1] : [], next: `${list}?page=${page}` })(response, request);
  });
  const { service, tally } = connect(stub);
  expect(await readAll(service.deliveries())).toEqual({ rows: [1], mayBeCutOff: true });
  expect([pagesAsked().length, tally.coverage.cutOff]).toEqual([5, { deliveries: 1 }]);
});

test.each([{ next: 'a-cursor' }, { next: list }, { nextCursor: 'a-cursor' }])(
  'an empty list that goes on (%o) in a way that cannot be followed may be cut off',
  async (said) => {
    stub.answer(list, json({ data: [], ...said }));
    expect(await readAll(connect(stub).service.deliveries())).toEqual({ rows: [], mayBeCutOff: true });
    expect(pagesAsked()).toEqual([list]);
  },
);

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

/** What bodies say beside two rows of a list, where there is more of it, and where there is not. */
const signs: ReadonlyArray<{ more: object; whole: object }> = [
  ...[
    'total',
    'totalCount',
    'total_count',
    'totalItems',
    'total_items',
    'totalElements',
    'totalResults',
    'total_results',
    'totalRecords',
    '@odata.count',
  ].flatMap((name) => [
    { more: { [name]: 3 }, whole: { [name]: 2 } },
    { more: { [name]: '120' }, whole: { [name]: '2' } },
  ]),
  ...[
    'nextCursor',
    'next_cursor',
    'nextPageToken',
    'next_page_token',
    'nextToken',
    'NextToken',
    'nextPage',
    'next_page_url',
    'nextRecordsUrl',
    'continuationToken',
  ].flatMap((name) => [
    { more: { [name]: 'eyJvZmZzZXQiOjEwMH0' }, whole: { [name]: null } },
    { more: { [name]: 2 }, whole: { [name]: '' } },
  ]),
  ...['hasMore', 'has_more', 'hasNext', 'has_next', 'hasNextPage', 'more', 'truncated'].flatMap((name) => [
    { more: { [name]: true }, whole: { [name]: false } },
    { more: { [name]: 'true' }, whole: { [name]: 'false' } },
    { more: { [name]: 1 }, whole: { [name]: 0 } },
  ]),
  ...['last', 'isLast', 'is_last', 'isLastPage'].map((name) => ({ more: { [name]: false }, whole: { [name]: true } })),
  { more: { totalPages: 2, number: 0 }, whole: { totalPages: 1, number: 0 } },
  { more: { total_pages: 2, page: 1 }, whole: { total_pages: 1, page: 1 } },
  { more: { current_page: 1, last_page: '2' }, whole: { current_page: 1, last_page: '1' } },
];

/** Where a body may say it. */
const places: ReadonlyArray<{ place: string; put: (said: object) => object }> = [
  { place: 'the top', put: (said) => said },
  ...['links', '_links', 'meta', 'pagination', 'paging', 'page', 'page_info', 'pageInfo', 'cursor'].map((name) => ({
    place: name,
    put: (said: object) => ({ [name]: { self: '/', ...said } }),
  })),
  { place: 'meta.pagination', put: (said) => ({ meta: { pagination: said } }) },
];

describe.each(places)('at $place of a body', ({ put }) => {
  test('each sign of more that there is no way to follow says that the list may be cut off', async () => {
    for (const { more } of signs) {
      stub.answer(list, json({ data: [1, 2], ...put(more) }));
      const { service, tally } = connect(stub);
      expect([more, await readAll(service.deliveries())]).toEqual([more, { rows: [1, 2], mayBeCutOff: true }]);
      expect(tally.coverage.cutOff).toEqual({ deliveries: 1 });
    }
  });

  test('each sign that there is no more says that the list is whole', async () => {
    for (const { whole } of signs) {
      stub.answer(list, json({ data: [1, 2], ...put(whole) }));
      const { service, tally } = connect(stub);
      expect([whole, await readAll(service.deliveries())]).toEqual([whole, { rows: [1, 2], mayBeCutOff: false }]);
      expect(tally.coverage.cutOff).toEqual({});
    }
  });
});

test.each([
  { what: 'the next of a cursor', body: { data: [1, 2], cursor: { next: 'x' } } },
  {
    what: 'a page of Spring',
    body: { content: [1, 2], pageable: { sort: {} }, last: false, totalElements: 3, totalPages: 2, number: 0 },
  },
  { what: 'a slice of Spring', body: { content: [1, 2], last: false, number: 0, size: 2 } },
  { what: 'a model of Spring', body: { data: [1, 2], page: { size: 2, totalElements: 3, totalPages: 2, number: 0 } } },
  { what: 'an answer of OData', body: { '@odata.count': 3, value: [1, 2] } },
  {
    what: 'a next link of OData on another host',
    body: { '@odata.nextLink': 'https://other.example/', value: [1, 2] },
  },
  { what: 'a connection of GraphQL', body: { nodes: [1, 2], pageInfo: { hasNextPage: true, endCursor: 'x' } } },
])('$what that goes on may be cut off', async ({ body }) => {
  stub.answer(list, json(body));
  expect(await readAll(connect(stub).service.deliveries())).toEqual({ rows: [1, 2], mayBeCutOff: true });
});

test.each([
  {
    what: 'the last page of Spring',
    body: { content: [1, 2], last: true, totalElements: 2, totalPages: 1, number: 0, numberOfElements: 2, first: true },
  },
  { what: 'a model of Spring', body: { data: [1, 2], page: { size: 2, totalElements: 2, totalPages: 1, number: 0 } } },
  { what: 'an answer of OData', body: { '@odata.context': '/$metadata#x', '@odata.count': 2, value: [1, 2] } },
  { what: 'a connection of GraphQL', body: { nodes: [1, 2], pageInfo: { hasNextPage: false, endCursor: 'x' } } },
  { what: 'a page of HAL', body: { data: [1, 2], _links: { self: { href: '/x' }, last: { href: '/x' } }, total: 2 } },
  { what: 'cursors of both ends', body: { data: [1, 2], paging: { cursors: { before: 'a', after: 'b' } } } },
  { what: 'a count of something else', body: { data: [1, 2], count: 900, limit: 900, totalRecipients: 900 } },
  { what: 'a total that is less', body: { data: [1, 2], total: 1, next: false, meta: { next: { href: null } } } },
])('$what is whole', async ({ body }) => {
  stub.answer(list, json(body));
  const { service, tally } = connect(stub);
  expect(await readAll(service.deliveries())).toEqual({ rows: [1, 2], mayBeCutOff: false });
  expect(tally.coverage).toMatchObject({ readings: { paging: { none: 1 } }, cutOff: {} });
});

/** An answer of two rows with a status of its own. */
const answerOf = (code: number, headers: Record<string, string>): StubAnswer => {
  return (response) => void response.writeHead(code, headers).end('[1,2]');
};

test.each([
  { code: 200, headers: { 'X-Total-Count': '3' } },
  { code: 200, headers: { 'x-total': '120' } },
  { code: 200, headers: { 'x-total-pages': '2' } },
  { code: 200, headers: { 'x-next-page': '2' } },
  { code: 200, headers: { 'content-range': 'items 0-1/120' } },
  { code: 206, headers: { 'content-range': 'items 0-1/120' } },
  { code: 206, headers: { 'content-range': 'items 0-1/*' } },
  { code: 206, headers: { 'content-range': 'bytes 0-1/2' } },
  { code: 206, headers: {} },
])('an answer $code with $headers may be cut off', async ({ code, headers }) => {
  stub.answer(list, answerOf(code, headers));
  const { service, tally } = connect(stub);
  expect(await readAll(service.deliveries())).toEqual({ rows: [1, 2], mayBeCutOff: true });
  expect(tally.coverage).toMatchObject({ requests: { deliveries: { [code]: 1 } }, cutOff: { deliveries: 1 } });
});

test.each([
  { code: 200, headers: { 'X-Total-Count': '2', 'x-total-pages': '1', 'x-next-page': '' } },
  { code: 200, headers: { 'content-range': 'items 0-1/2' } },
  { code: 200, headers: { 'content-range': 'bytes 0-1/5' } },
  { code: 206, headers: { 'content-range': 'items 0-1/2' } },
])('an answer $code with $headers is whole', async ({ code, headers }) => {
  stub.answer(list, answerOf(code, headers));
  expect(await readAll(connect(stub).service.deliveries())).toEqual({ rows: [1, 2], mayBeCutOff: false });
});

test('a total is compared with the rows of all pages', async () => {
  stub.answer(list, json({ data: [1, 2], total: 3, next: '?page=2' }));
  stub.answer(`${list}?page=2`, json({ data: [3], total: 3 }));
  expect(await readAll(connect(stub).service.deliveries())).toEqual({ rows: [1, 2, 3], mayBeCutOff: false });
  stub.answer(`${list}?page=2`, json({ data: [3], total: 4 }));
  expect(await readAll(connect(stub).service.deliveries())).toEqual({ rows: [1, 2, 3], mayBeCutOff: true });
});

test('what the first page stated counts where the last one states nothing', async () => {
  stub.answer(list, json({ data: [1, 2], total: 4, totalPages: 2, next: '?page=2' }));
  stub.answer(`${list}?page=2`, json([3]));
  expect(await readAll(connect(stub).service.deliveries())).toEqual({ rows: [1, 2, 3], mayBeCutOff: true });
  stub.answer(`${list}?page=2`, json([3, 4]));
  expect(await readAll(connect(stub).service.deliveries())).toEqual({ rows: [1, 2, 3, 4], mayBeCutOff: false });
  stub.answer(list, json({ data: [1, 2], totalPages: 3, next: '?page=2' }));
  expect(await readAll(connect(stub).service.deliveries())).toEqual({ rows: [1, 2, 3, 4], mayBeCutOff: true });
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

test.each([
  { data: [1], count: 3 },
  { data: [1], remaining: 2 },
  { data: [1], scrollId: 'abc' },
  { data: [1], cursor: { after: 'abc' } },
  { data: [1], meta: { cursors: { after: 'abc' } } },
])('a list that says %j may be cut off', async (body) => {
  stub.answer(list, json(body));
  expect(await readAll(connect(stub).service.deliveries())).toEqual({ rows: [1], mayBeCutOff: true });
});

test.each(['x-next-cursor', 'x-has-more', 'x-next-page-token'])(
  'a list with the header %s may be cut off',
  async (name) => {
    stub.answer(list, json([1], { [name]: 'abc' }));
    expect(await readAll(connect(stub).service.deliveries())).toEqual({ rows: [1], mayBeCutOff: true });
  },
);

test.each([
  { data: [1], count: 1, remaining: 0, cursor: { after: null } },
  { data: [1], success: true, ok: true, error: null, status: 'ok' },
  { data: [1], status: 200, code: 0 },
])('a list that says %j is whole', async (body) => {
  stub.answer(list, json(body));
  expect(await readAll(connect(stub).service.deliveries())).toEqual({ rows: [1], mayBeCutOff: false });
});

test.each([
  { success: false, data: [] },
  { ok: false, data: [1] },
  { error: { message: 'boom' }, data: [] },
  { error: 'boom', data: [] },
  { status: 'processing', data: [] },
  { status: 'ERROR', data: [] },
  { status: 503, data: [] },
  { code: '429', data: [] },
  { errors: [] },
  { warnings: ['slow'] },
])('an answer that says it failed is no list, whatever its status: %j', async (body) => {
  stub.answer(list, json(body));
  const error = await unavailableFrom(readAll(connect(stub).service.deliveries()));
  expect(error.unavailable).toEqual({ reason: 'unreadable' });
});
