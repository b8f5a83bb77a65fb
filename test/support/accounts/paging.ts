import type { ListInPages } from './account.ts';

/** Everything in a page's answer but its rows. */
export interface Said {
  body?: Record<string, unknown>;
  headers?: Record<string, string>;
  status?: number;
}

/** How a page names the next one, by its address. All forms of it, and all signs of more, are judged with the lists (lists.test.ts). */
export const ways: Readonly<Record<string, (next: string, total: number) => Said>> = {
  'Link header': (next) => ({ headers: { link: `<${next}>; rel="next"` } }),
  next: (next) => ({ body: { next } }),
  'meta.next': (next) => ({ body: { meta: { next } } }),
  'next, with a total': (next, total) => ({ body: { next, total } }),
  'links with next': (next) => ({ body: { links: [{ rel: 'self' }, { rel: 'next', href: next }] } }),
  'next, a query': (next) => ({ body: { next: new URL(next).search } }),
};

/**
 * What a list is for its reader: whole, maybe cut off, contradicted by what it says of itself, or broken off by an answer
 * that is no page.
 */
export type Meaning = 'whole' | 'cut-off' | 'contradicted' | { status: number } | { body: unknown };

/** The last page, after `got` rows in all; `self` is its own address, `next` that of one behind it. */
interface LastPage {
  got: number;
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
  'X-Total-Count above': { means: 'cut-off', say: ({ got }) => ({ headers: { 'x-total-count': String(got + 3) } }) },
  'status 206': { means: 'cut-off', say: () => ({ status: 206 }) },
  'of unknown length': {
    means: 'cut-off',
    say: ({ got }) => ({ headers: { 'content-range': `items 0-${Math.max(0, got - 1)}/*` } }),
  },
  'Link elsewhere': { means: 'cut-off', say: () => ({ headers: { link: `<${elsewhere}>; rel="next"` } }) },
  'Link to what was asked': { means: 'cut-off', say: ({ self }) => ({ headers: { link: `<${self}>; rel=next` } }) },
  'Link to a refusal': {
    means: { status: 403 },
    say: ({ next }) => ({ headers: { link: `<${next}>; rel="next"` } }),
  },
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
  'total below': inBody('contradicted', ({ got }) => ({ pagination: { total: got - 1 } })),
  'no word of more': inBody('whole', ({ got }) => ({ count: got, message: 'ok', meta: { version: [1, 2] } })),
  hasMore: inBody('cut-off', () => ({ hasMore: true })),
  nextCursor: inBody('cut-off', () => ({ nextCursor: 'eyJvIjoxMDB9' })),
  lastEvaluatedKey: inBody('cut-off', () => ({ lastEvaluatedKey: { id: { S: 'x' } }, exhausted: false })),
  resumeToken: inBody('cut-off', () => ({ resumeToken: 'eyJvIjoxMDB9' })),
  'links elsewhere': inBody('cut-off', () => ({ links: [{ rel: 'next', href: elsewhere }] })),
  'total above': inBody('cut-off', ({ got }) => ({ total: got + 1 })),
  'a bare cursor': inBody('cut-off', () => ({ next: 'eyJvIjoxMDB9' })),
  'next elsewhere': inBody('cut-off', () => ({ next: elsewhere })),
  'next again': inBody('cut-off', ({ self }) => ({ next: self })),
  'next refused': inBody({ status: 403 }, ({ next }) => ({ next })),
  'next no list': inBody({ body: { a: [], b: [] } }, ({ next }) => ({ next })),
};

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
