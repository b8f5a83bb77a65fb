import type { ListInPages } from './account.ts';

/** Everything in a page's answer but its rows. */
export interface Said {
  body?: Record<string, unknown>;
  headers?: Record<string, string>;
  status?: number;
}

/** How a page names the next one, by its address; every one of them is to be followed. */
export const ways: Readonly<Record<string, (next: string, total: number) => Said>> = {
  'Link header': (next) => ({ headers: { link: `<${next}>; rel="next"` } }),
  next: (next) => ({ body: { next } }),
  'next.href': (next) => ({ body: { next: { href: next } } }),
  'next.url': (next) => ({ body: { next: { url: next } } }),
  'links.next': (next) => ({ body: { links: { prev: null, next } } }),
  'meta.next': (next) => ({ body: { meta: { next } } }),
  'pagination.next': (next) => ({ body: { pagination: { next } } }),
  '_links.next': (next) => ({ body: { _links: { self: { href: '/' }, next: { href: next } } } }),
  'next, with a total': (next, total) => ({ body: { next, total } }),
  'next, with hasMore': (next) => ({ body: { next, hasMore: true } }),
  'next, below an origin': (next) => ({ body: { next: new URL(next).pathname + new URL(next).search } }),
  'next, a query': (next) => ({ body: { next: new URL(next).search } }),
};

/**
 * What a list is for its reader: whole, maybe cut off, contradicted by what it says of itself, or broken off by an answer
 * that is no page.
 */
export type Meaning = 'whole' | 'cut-off' | 'contradicted' | { status: number } | { body: unknown };

/** The last page, after `got` rows in all on so many pages; `self` is its own address, `next` that of one behind it. */
interface LastPage {
  got: number;
  pages: number;
  self: string;
  next: string;
}

interface Ending {
  means: Meaning;
  say: (page: LastPage) => Said;
}

const elsewhere = 'http://127.0.0.1:9/v1/other?page=2';

/** The page behind the last one is the first one again, word for word. */
export const repeating = 'the first page again';

/** What only headers or the status say: a list that is the whole body ends with one of these. */
export const endingsOfArrays: Readonly<Record<string, Ending>> = {
  plain: { means: 'whole', say: () => ({}) },
  'X-Total-Count met': { means: 'whole', say: ({ got }) => ({ headers: { 'x-total-count': String(got) } }) },
  'X-Total-Count above': { means: 'cut-off', say: ({ got }) => ({ headers: { 'x-total-count': String(got + 3) } }) },
  'status 206': { means: 'cut-off', say: () => ({ status: 206 }) },
  'Link elsewhere': { means: 'cut-off', say: () => ({ headers: { link: `<${elsewhere}>; rel="next"` } }) },
  'Link to what was asked': { means: 'cut-off', say: ({ self }) => ({ headers: { link: `<${self}>; rel=next` } }) },
  'Link to a refusal': {
    means: { status: 403 },
    say: ({ next }) => ({ headers: { link: `<${next}>; rel="next"` } }),
  },
  'X-Pagination above': {
    means: 'cut-off',
    say: ({ got, pages }) => ({
      headers: { 'x-pagination': JSON.stringify({ TotalCount: got + 1, TotalPages: pages + 1, HasNext: true }) },
    }),
  },
  'X-WP-TotalPages above': {
    means: 'cut-off',
    say: ({ pages }) => ({ headers: { 'x-wp-totalpages': String(pages + 1) } }),
  },
  'a count of attempts': { means: 'whole', say: () => ({ headers: { 'x-envoy-attempt-count': '1' } }) },
  [repeating]: { means: 'contradicted', say: ({ next }) => ({ headers: { link: `<${next}>; rel="next"` } }) },
  'Link to no list': { means: { body: {} }, say: ({ next }) => ({ headers: { link: `<${next}>; rel="next"` } }) },
};

/** An ending that only a body can say. */
function inBody(means: Meaning, body: (page: LastPage) => object): Ending {
  return { means, say: (page) => ({ body: { ...body(page) } }) };
}

/** What the body of an object may say at the end of its list. */
export const endingsOfObjects: Readonly<Record<string, Ending>> = {
  ...endingsOfArrays,
  'next null': inBody('whole', () => ({ next: null, links: {}, meta: { next: '' }, pagination: { next: false } })),
  'hasMore false': inBody('whole', ({ got }) => ({ hasMore: false, total: got })),
  'nextCursor null': inBody('whole', () => ({ nextCursor: null, hasNext: false, has_more: false })),
  'total met, as text': inBody('whole', ({ got }) => ({ total: String(got), meta: { totalCount: got } })),
  'total below': inBody('contradicted', ({ got }) => ({ pagination: { total: got - 1 } })),
  'no word of more': inBody('whole', ({ got }) => ({
    country: 'DE',
    generatedAt: '2026-11-16T08:00:00Z',
    count: got,
    learnMore: 'https://service.example/docs',
    message: 'ok',
    ok: true,
    meta: { version: [1, 2] },
  })),
  'no error': inBody('whole', () => ({ error: null, errorCode: 0, errorMessage: '' })),
  'last page of Spring': inBody('whole', ({ got }) => ({
    pageable: { pageNumber: 0, pageSize: 20 },
    ...springPage(got, got, true),
  })),
  'OData without more': inBody('whole', ({ got }) => ({ '@odata.context': '$metadata', '@odata.count': got })),
  '_links without next': inBody('whole', ({ self }) => ({ _links: { self: { href: self } } })),
  hasMore: inBody('cut-off', () => ({ hasMore: true })),
  'pagination.has_more': inBody('cut-off', () => ({ pagination: { has_more: true } })),
  hasNext: inBody('cut-off', () => ({ hasNext: true })),
  'meta.hasNext': inBody('cut-off', () => ({ meta: { hasNext: true } })),
  nextCursor: inBody('cut-off', () => ({ nextCursor: 'eyJvIjoxMDB9' })),
  next_cursor: inBody('cut-off', () => ({ next_cursor: 'eyJvIjoxMDB9' })),
  'meta.nextCursor': inBody('cut-off', () => ({ meta: { nextCursor: 'eyJvIjoxMDB9' } })),
  nextPageToken: inBody('cut-off', () => ({ nextPageToken: 'eyJvIjoxMDB9' })),
  'total above': inBody('cut-off', ({ got }) => ({ total: got + 1 })),
  'total above, as text': inBody('cut-off', ({ got }) => ({ total: String(got + 1) })),
  'meta.total_count above': inBody('cut-off', ({ got }) => ({ meta: { total_count: got + 1 } })),
  'pagination.totalItems above': inBody('cut-off', ({ got }) => ({ pagination: { totalItems: got + 1 } })),
  'first page of Spring': inBody('cut-off', ({ got }) => springPage(got, got + 1, false)),
  'page of Spring': inBody('cut-off', ({ got }) => ({
    page: { size: got, totalElements: got + 1, totalPages: 2, number: 0 },
  })),
  '@odata.nextLink elsewhere': inBody('cut-off', () => ({ '@odata.nextLink': elsewhere })),
  '@odata.count above': inBody('cut-off', ({ got }) => ({ '@odata.count': got + 1 })),
  'response_metadata.next_cursor': inBody('cut-off', () => ({ response_metadata: { next_cursor: 'dGVhbQ' } })),
  info: inBody('cut-off', ({ got, pages }) => ({ info: { count: got + 1, pages: pages + 1, next: elsewhere } })),
  // Not the number of the page's own rows: that counts those.
  'page_count above': inBody('cut-off', ({ pages, got }) => ({ page_count: pages + got + 1 })),
  pager: inBody('cut-off', ({ pages }) => ({ pager: { total_pages: pages + 1 } })),
  paginator: inBody('cut-off', ({ got }) => ({ paginator: { total: got + 1 } })),
  'not done': inBody('cut-off', () => ({ done: false })),
  partial: inBody('cut-off', () => ({ partial: true })),
  cursor: inBody('cut-off', () => ({ cursor: 'eyJvIjoxMDB9' })),
  'totalRecordCount above': inBody('cut-off', ({ got }) => ({ totalRecordCount: got + 1 })),
  'total.value above': inBody('cut-off', ({ got }) => ({ total: { value: got + 1, relation: 'eq' } })),
  'pages.total above': inBody('cut-off', ({ pages }) => ({ pages: { total: pages + 1 } })),
  'a bare cursor': inBody('cut-off', () => ({ next: 'eyJvIjoxMDB9' })),
  'next elsewhere': inBody('cut-off', () => ({ next: elsewhere })),
  '_links elsewhere': inBody('cut-off', () => ({ _links: { next: { href: elsewhere } } })),
  'next again': inBody('cut-off', ({ self }) => ({ next: self })),
  'next.url again': inBody('cut-off', ({ self }) => ({ next: { url: self } })),
  'next refused': inBody({ status: 403 }, ({ next }) => ({ next })),
  'next no list': inBody({ body: { a: [], b: [] } }, ({ next }) => ({ next })),
};

function springPage(got: number, totalElements: number, last: boolean): object {
  return { last, totalElements, totalPages: last ? 1 : 2, size: got, number: 0, first: true, numberOfElements: got };
}

/** The endings of a list of deliveries: what becomes of one that contradicts itself is not said. */
export const endingsOfDeliveries = Object.keys(endingsOfObjects).filter(
  (ending) => endingsOfObjects[ending]?.means !== 'contradicted',
);

/** The ending of a list. */
export function endingOf({ ending }: Pick<ListInPages, 'ending'>): Ending {
  return endingsOfObjects[ending] ?? { means: 'whole', say: () => ({}) };
}

/** The rows of a list, page by page. */
export function pagesOf({ rows, pageSize, emptyPages }: ListInPages): unknown[][] {
  const pages: unknown[][] = [];
  for (let start = 0; start < rows.length; start += pageSize) pages.push(rows.slice(start, start + pageSize));
  if (pages.length === 0) pages.push([]);
  pages.splice(1, 0, ...Array.from({ length: emptyPages }, () => []));
  return pages;
}
