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
  { what: 'a next that is none', body: { data: [1, 2], total: 2, next: false, meta: { next: { href: null } } } },
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

/** What ordinary services say in bodies and headers beside two rows, and the name of the sign where there are more. */
const moreSaid: ReadonlyArray<{ sign: string; body?: object; headers?: Record<string, string> }> = [
  { sign: 'response_metadata.next_cursor', body: { ok: true, response_metadata: { next_cursor: 'dXNlcjpVMDYx' } } },
  { sign: 'info.count', body: { info: { count: 250, pages: 1, next: null } } },
  { sign: 'info.pages', body: { info: { count: 2, pages: 3 } } },
  { sign: 'x-pagination.TotalCount', headers: { 'X-Pagination': '{"TotalCount":250,"PageSize":100}' } },
  { sign: 'x-pagination.HasNext', headers: { 'X-Pagination': '{"TotalCount":2,"HasNext":true}' } },
  { sign: 'x-wp-total', headers: { 'X-WP-Total': '250' } },
  { sign: 'x-wp-totalpages', headers: { 'X-WP-TotalPages': '3', 'X-WP-Total': '2' } },
  { sign: 'x-hasmore', headers: { 'X-HasMore': 'true' } },
  { sign: 'nextpagetoken', body: { nextpagetoken: 'abc', totalcount: 2, hasmore: false } },
  { sign: 'x-ms-continuation', headers: { 'x-ms-continuation': 'abc' } },
  { sign: 'x-page-count', headers: { 'x-page-count': '3' } },
  { sign: 'result_info.total_count', body: { result_info: { page: 1, per_page: 2, count: 2, total_count: 250 } } },
  { sign: 'result_info.cursors.after', body: { result_info: { cursors: { after: 'abc', before: null } } } },
  { sign: 'page_count', body: { page_count: 3 } },
  { sign: 'numPages', body: { numPages: 3 } },
  { sign: 'pager.total', body: { pager: { current: 1, total: 3 } } },
  { sign: 'pager.pages.total', body: { pager: { pages: { total: 2 } } } },
  { sign: 'paginator.last_page', body: { paginator: { current_page: 1, last_page: 3 } } },
  { sign: 'done', body: { done: false, totalSize: 2 } },
  { sign: 'complete', body: { complete: false } },
  { sign: 'partial', body: { partial: true } },
  { sign: 'incomplete_results', body: { incomplete_results: true } },
  { sign: 'cursor', body: { cursor: 'abc' } },
  { sign: 'offset', body: { offset: 'itr/rec' } },
  { sign: 'scrollId', body: { scrollId: 'abc' } },
  { sign: 'paginationToken', body: { paginationToken: 'abc' } },
  { sign: 'totalRecordCount', body: { totalRecordCount: 250 } },
  { sign: 'total.value', body: { took: 3, total: { value: 250, relation: 'eq' } } },
  { sign: 'hits.total.value', body: { took: 3, hits: { total: { value: 250, relation: 'eq' } } } },
  { sign: 'pages.total', body: { pages: { total: 3, current: 1 } } },
  { sign: 'totalData', body: { totalData: 3 } },
  { sign: 'totals.data', body: { totals: { data: 3, seen: 900 } } },
  { sign: 'has_more', body: { object: 'list', url: '/v1/charges', has_more: true } },
  { sign: 'count', body: { count: 250, next: null, previous: null } },
  { sign: 'paging.next.after', body: { paging: { next: { after: 'abc' } } } },
  { sign: 'next.offset', body: { next: { offset: 2, limit: 2 } } },
  {
    sign: 'meta.pagination.pageCount',
    body: { meta: { pagination: { page: 1, pageSize: 25, pageCount: 10, total: 2 } } },
  },
  { sign: 'hydra:totalItems', body: { 'hydra:totalItems': 250 } },
  { sign: 'page.totalElements', body: { page: { size: 2, number: 0, totalPages: 1, totalElements: 3 } } },
  {
    sign: 'last',
    body: { last: false, number: 0, size: 2, numberOfElements: 2, pageable: { offset: 0, pageNumber: 0 } },
  },
  { sign: 'nbPages', body: { nbHits: 250, nbPages: 5 } },
];

test.each(moreSaid)(
  '$sign says that the list may be cut off, and is quoted',
  async ({ sign, body = {}, headers = {} }) => {
    stub.answer(list, json({ data: [1, 2], ...body }, headers));
    const { service, tally } = connect(stub);
    expect(await readAll(service.deliveries())).toEqual({ rows: [1, 2], mayBeCutOff: true });
    expect(tally.coverage).toMatchObject({ cutOff: { deliveries: 1 }, readings: { 'sign of more': { [sign]: 1 } } });
    const settings = { notPaging: ['another', sign.toUpperCase()] };
    const told = connect(stub, { settings });
    expect(await readAll(told.service.deliveries())).toEqual({ rows: [1, 2], mayBeCutOff: false });
    expect(told.tally.coverage.cutOff).toEqual({});
  },
);

const wholeSaid: ReadonlyArray<{ body?: object; headers?: Record<string, string> }> = [
  {
    body: {
      discounts: 30,
      account: 900,
      encounter: 9,
      blast: false,
      islast: true,
      country: 'GB',
      countries: 250,
      generatedAt: '2026-11-16T08:00:00Z',
      discount: 30,
      amount: 900,
      age: 40,
    },
  },
  { body: { count: 2, next: null, previous: null } },
  { body: { count: 2, next: null, previous: '/v1/broadcasts/deliveries?page=0' } },
  { body: { hasMore: false, learnMore: 'https://service.example/more', showMoreLabel: 'More', noMore: true } },
  { body: { offset: 0, page: 1, per_page: 2, limit: 2, pageSize: 100, page_number: 1, perPage: 100 } },
  { body: { cursors: { before: 'a', after: 'b' }, previous_cursor: 'a', startCursor: 'a', endCursor: 'b' } },
  { body: { rateLimit: { remaining: 59, limit: 60, total: 60 }, quota: { total: 5_000 } } },
  { body: { nextSteps: 'Ask the team.', next_run: '2026-12-01', nextDelivery: 'd-2', seenCount: 9, totalViews: 900 } },
  { body: { totals: { seen: 900, responded: 300 }, count: { seen: 9 }, statistics: { viewCount: 900 } } },
  { body: { last: true, totalElements: 2, totalPages: 1, size: 20, number: 0, numberOfElements: 2, empty: false } },
  { body: { pageable: { pageNumber: 0, pageSize: 20, offset: 0, paged: true, sort: { sorted: false } } } },
  {
    body: {
      links: { first: '/x?page=1', last: '/x?page=1', prev: null, next: null },
      meta: { current_page: 1, from: 1, last_page: 1, path: '/x', per_page: 15, to: 2, total: 2 },
    },
  },
  { body: { '@odata.context': '/$metadata#x', '@odata.count': 2, '@context': '/x', '@id': '/y' } },
  { body: { _links: { self: { href: '/x?page=1' }, last: { href: '/x?page=9' } } } },
  { body: { object: 'list', has_more: false, url: '/v1/charges' } },
  { body: { ok: true, response_metadata: { next_cursor: '' } } },
  { body: { done: true, totalSize: 2, complete: 'true', incomplete: false, nextPageToken: 'none' } },
  { body: { timezone: { name: 'Europe/Paris', offset: '+01:00' } } },
  { body: { people: { 'ada@example.com': { total: 900 } } } },
  { headers: { 'x-envoy-attempt-count': '3', 'x-total-time': '120', 'x-page-generated-ms': '120', age: '900' } },
  { headers: { 'x-ratelimit-remaining': '59', 'ratelimit-remaining': '59', 'x-rate-limit-total': '900' } },
  { headers: { 'x-request-id': 'next', etag: '"more"', 'x-page': '1', 'x-per-page': '20', 'x-next-page': '' } },
  { headers: { 'x-total-count': '2', 'x-pagination': '{"TotalCount":2,"HasNext":false}', 'x-json': '{no json' } },
  { headers: { link: '<https://service.example/help>; rel="help", </v1?page=1>; rel="prev"' } },
];

test.each(wholeSaid)('a list of two rows that says %j is whole', async ({ body = {}, headers = {} }) => {
  stub.answer(list, json({ data: [1, 2], ...body }, headers));
  const { service, tally } = connect(stub);
  expect(await readAll(service.deliveries())).toEqual({ rows: [1, 2], mayBeCutOff: false });
  expect(tally.coverage).toMatchObject({ cutOff: {}, readings: { paging: { none: 1 } } });
});

test.each([
  { body: { next_page_url: `${list}?page=2` }, way: 'next_page_url' },
  { body: { response: { page: { nextLink: `${list}?page=2` } } }, way: 'response.page.nextLink' },
  { body: { 'hydra:view': { 'hydra:next': '?page=2' } }, way: 'hydra:view.hydra:next' },
  { body: { paging: { next: { link: '?page=2', after: 'abc' } } }, way: 'paging.next' },
])('a next address in any object beside the list ($way) is followed', async ({ body, way }) => {
  stub.answer(list, json({ data: [1, 2], ...body }));
  stub.answer(`${list}?page=2`, json({ data: [3] }));
  const { service, tally } = connect(stub);
  expect(await readAll(service.deliveries())).toEqual({ rows: [1, 2, 3], mayBeCutOff: false });
  expect(tally.coverage.readings['paging']).toEqual({ [way]: 1 });
});

test.each([
  { sign: 'Link header', body: [1], headers: { link: '<https://other.example/>; rel=next' }, code: 200 },
  { sign: 'content-range', body: [1], headers: { 'content-range': 'items 0-0/9' }, code: 206 },
  { sign: 'status 206', body: [1], headers: {}, code: 206 },
])('$sign is quoted, and may be said to be none', async ({ sign, body, headers, code }) => {
  stub.answer(list, (response) => void response.writeHead(code, headers).end(JSON.stringify(body)));
  const { service, tally } = connect(stub);
  expect((await readAll(service.deliveries())).mayBeCutOff).toBe(true);
  expect(tally.coverage.readings['sign of more']).toEqual({ [sign]: 1 });
  const told = connect(stub, { settings: { notPaging: [sign] } });
  expect((await readAll(told.service.deliveries())).mayBeCutOff).toBe(false);
});

/** What the error says. */
const detailOf = async (settings: object = {}): Promise<string> => {
  const error = await unavailableFrom(readAll(connect(stub, { settings }).service.deliveries()));
  expect(error.unavailable).toEqual({ reason: 'unreadable' });
  return error.message;
};

describe('a list that contradicts itself is unavailable', () => {
  test('with more rows than the total that its last page states', async () => {
    stub.answer(list, json({ data: [1, 2], total: 2, next: '?page=2' }));
    stub.answer(`${list}?page=2`, json({ data: [1, 2], total: 2, next: '?page=3' }));
    stub.answer(`${list}?page=3`, json({ data: [1, 2], total: 2, next: null }));
    expect(await detailOf()).toBe(`[GET] ${list}: 6 rows came, and "total" states 2`);
    stub.answer(list, json({ data: [1, 2], meta: { total: 1 } }));
    expect(await detailOf()).toBe(`[GET] ${list}: 2 rows came, and "meta.total" states 1`);
    const told = connect(stub, { settings: { notPaging: ['meta.total'] } });
    expect(await readAll(told.service.deliveries())).toEqual({ rows: [1, 2], mayBeCutOff: false });
  });

  test('with a count below the rows of several pages, unless it is that of its own page', async () => {
    stub.answer(list, json({ data: [1, 2], count: 2, next: '?page=2' }));
    stub.answer(`${list}?page=2`, json({ data: [3], count: 1, next: null }));
    expect(await readAll(connect(stub).service.deliveries())).toEqual({ rows: [1, 2, 3], mayBeCutOff: false });
    stub.answer(`${list}?page=2`, json({ data: [3], count: 2, next: null }));
    expect(await detailOf()).toBe(`[GET] ${list}: 3 rows came, and "count" states 2`);
  });

  test('with a page that comes again, word for word, however it arrives', async () => {
    for (const rows of [[{ id: 1 }], Array.from({ length: 40_000 }, (_, id) => ({ id }))]) {
      stub.answer(list, json(rows, { link: `<${list}?page=2>; rel="next"` }));
      stub.answer(`${list}?page=2`, json(rows, { link: `<${list}?page=3>; rel="next"` }));
      expect(await detailOf()).toBe(`[GET] ${list}: a page came again, word for word`);
    }
  });

  test('but not with empty pages', async () => {
    stub.answer(list, json([1], { link: `<${list}?page=2>; rel="next"` }));
    stub.answer(`${list}?page=2`, json([], { link: `<${list}?page=3>; rel="next"` }));
    stub.answer(`${list}?page=3`, json([]));
    expect(await readAll(connect(stub).service.deliveries())).toEqual({ rows: [1], mayBeCutOff: false });
  });
});

test.each([null, false, 0, '', '0', {}, [], { message: null }])('an error that is %j states none', async (none) => {
  for (const name of ['error', 'errors', 'errorMessage', 'error_code']) {
    stub.answer(list, json({ data: [1], [name]: none }));
    const { service } = connect(stub);
    expect([name, await readAll(service.deliveries())]).toEqual([name, { rows: [1], mayBeCutOff: false }]);
  }
});

test('a message beside a list is quoted in the coverage, without any address', async () => {
  stub.answer(list, json({ data: [1], message: `Success. ${'x'.repeat(100)}` }));
  const { service, tally } = connect(stub);
  expect(await readAll(service.deliveries())).toEqual({ rows: [1], mayBeCutOff: false });
  expect(tally.coverage.readings['message']).toEqual({ [`Success. ${'x'.repeat(51)}`]: 1 });
  stub.answer(list, json({ data: [1], message: 'Hello ada@example.com' }));
  const other = connect(stub);
  await readAll(other.service.deliveries());
  expect(other.tally.coverage.readings['message']).toBeUndefined();
});

test('an answer of the type application/problem+json is a failure', async () => {
  for (const body of [[], { data: [1] }]) {
    stub.answer(list, (response) => {
      response.writeHead(200, { 'content-type': 'application/problem+json; charset=utf-8' }).end(JSON.stringify(body));
    });
    const error = await unavailableFrom(readAll(connect(stub).service.deliveries()));
    expect([error.message, error.unavailable]).toEqual([
      `[GET] ${list}: the answer says that it failed`,
      { reason: 'unreadable' },
    ]);
  }
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
  { errors: [{ title: 'boom' }], data: [] },
  { errors: ['boom'], data: [1] },
  { errors: { page: 'boom' }, data: [1] },
  { errorMessage: 'boom', errorCode: 7, data: [1] },
  { errorCode: 'E_DB', data: [] },
  { error_description: 'boom', data: [1] },
  { warnings: ['slow'] },
])('an answer that says it failed is no list, whatever its status: %j', async (body) => {
  stub.answer(list, json(body));
  const error = await unavailableFrom(readAll(connect(stub).service.deliveries()));
  expect(error.unavailable).toEqual({ reason: 'unreadable' });
});
