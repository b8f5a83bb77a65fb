import type { BodyReader } from '../requests/body-reader.ts';
import type { Tally } from '../coverage.ts';
import type { ServiceResponse, ServiceRequest } from '../requests/http.ts';
import { parseExactJson, parseRows } from '../json.ts';
import { createListReader, type ListBody } from './list-reader.ts';
import { findNextPage } from './next-page.ts';
import { findPagingObjects } from './paging-objects.ts';
import { keepAllRows, type RowSink } from './rows.ts';
import { listsAboutTheAnswer, saysFailure } from './said-failure.ts';
import { readSignsOfMore } from './signs-of-more.ts';
import { UnavailableError } from '../unavailable.ts';

/** One page of a list: its rows, or what a sink made of them, and whether the list may be cut off after it. */
export interface ListPage<Taken = readonly unknown[]> {
  rows: Taken;
  mayBeCutOff: boolean;
  /** Asks for the next page; `null` on the last one. */
  next: (() => Promise<ListPage<Taken>>) | null;
}

/** The pages of a list, asked for as they are iterated. */
export interface ListPages extends AsyncIterable<ListPage> {
  /** The first page. Each page gives its rows to a sink of its own, so that none need be kept. */
  into<Taken>(createSink: () => RowSink<Taken>): Promise<ListPage<Taken>>;
}

/** Sends a request to the service, with a new reader for the body of each attempt. */
export type Ask = <Body>(
  request: ServiceRequest,
  createReader: () => BodyReader<Body>,
) => Promise<ServiceResponse<Body>>;

/**
 * The pages of the list that begins with `first`. The interface shows neither wrapper nor paging: the list is the body if
 * that is an array, else the one array-valued property of the object; the next page is where the answer says
 * (`findNextPage`). Only URLs of the same origin are followed, each once; up to three empty pages in a row are skipped. A
 * list that ends although an answer said that there is more (`readSignsOfMore`) may be cut off. Asking for a page throws
 * `UnavailableError` where the answer is no list.
 */
export function listOf(first: ServiceRequest, ask: Ask, tally: Tally): ListPages {
  return new List(first, ask, tally);
}

class List implements ListPages {
  readonly #first: ServiceRequest;
  readonly #ask: Ask;
  readonly #tally: Tally;

  constructor(first: ServiceRequest, ask: Ask, tally: Tally) {
    this.#first = first;
    this.#ask = ask;
    this.#tally = tally;
  }

  into<Taken>(createSink: () => RowSink<Taken>): Promise<ListPage<Taken>> {
    const list = { first: this.#first, ask: this.#ask, tally: this.#tally, createSink };
    return askPage(this.#first, list);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ListPage> {
    let page = await this.into(keepAllRows);
    yield page;
    while (page.next !== null) {
      page = await page.next();
      yield page;
    }
  }
}

/** No further pages are asked for: the paging of such a list does not end. */
const mostPages = 5_000;
/** How many empty pages in a row are skipped, where they name a next one. */
const mostEmptyPages = 3;

/** A list whose pages are asked for. */
interface Asking<Taken> {
  first: ServiceRequest;
  ask: Ask;
  tally: Tally;
  createSink: () => RowSink<Taken>;
}

/** The pages of a list that were read: how many rows they had, and how many rows and pages they say it has in all. */
interface Asked {
  visited: Set<string>;
  rows: number;
  /** How many of the last ones were empty. */
  empty: number;
  inAll: { rows: number; pages: number };
}

/** Asks for one page, after those that were `asked`. */
async function askPage<Taken>(
  request: ServiceRequest,
  list: Asking<Taken>,
  asked: Asked = { visited: new Set(), rows: 0, empty: 0, inAll: { rows: 0, pages: 0 } },
): Promise<ListPage<Taken>> {
  const { first, ask, tally, createSink } = list;
  // The identifiers of recipients are not used.
  const parse = first.endpoint === 'recipients' || first.endpoint === 'content-recipients' ? parseRows : parseExactJson;
  const answer = await ask(request, () => createListReader(createSink(), parse));
  const { said, rows, count } = answer.body;
  checkList(answer.body, first, tally);
  const objects = findPagingObjects(said);
  const signs = readSignsOfMore(objects, answer);
  const next = findNextPage(objects, answer.headers, request.url);
  const { visited } = asked;
  if (next !== null || visited.size === 0) tally.reading('paging', next?.from ?? 'none');
  visited.add(request.url.href);
  const now: Asked = {
    visited,
    rows: asked.rows + count,
    empty: count === 0 ? asked.empty + 1 : 0,
    inAll: {
      rows: Math.max(asked.inAll.rows, signs.rows),
      pages: Math.max(asked.inAll.pages, signs.pages),
    },
  };
  if (next?.url && mayFollow(next.url, now)) {
    const { url } = next;
    return { rows, mayBeCutOff: false, next: () => askPage({ ...first, url }, list, now) };
  }
  const mayBeCutOff = next !== null || signs.goesOn || now.inAll.rows > now.rows || now.inAll.pages > now.visited.size;
  if (mayBeCutOff) tally.cutOff(first.endpoint);
  return { rows, mayBeCutOff, next: null };
}

/** Whether the next page is asked for: each once, and neither after too many in all nor after too many empty ones. */
function mayFollow({ href }: URL, { visited, empty }: Asked): boolean {
  return !visited.has(href) && visited.size < mostPages && empty <= mostEmptyPages;
}

/** How many lists an error names; of further ones it gives the number. */
const mostListsNamed = 3;

/** Counts how the list is wrapped. Throws `UnavailableError` where there is none, or more than one, or a failure instead. */
function checkList({ said, lists }: ListBody<unknown>, request: ServiceRequest, tally: Tally): void {
  const of = `${request.endpoint} wrapper`;
  if (lists === null) return tally.reading(of, 'array');
  const label = `[${request.method}] ${request.url.pathname}`;
  if (saysFailure(said)) throw new UnavailableError(label, 'the answer says that it failed', { reason: 'unreadable' });
  const [only, ...others] = lists;
  const isOne = only !== undefined && others.length === 0 && !listsAboutTheAnswer.has(only);
  if (isOne) return tally.reading(of, `object with "${only}"`);
  const named = lists.slice(0, mostListsNamed).map((name) => `"${name.slice(0, 60)}"`);
  if (lists.length > mostListsNamed) named.push(`${lists.length - mostListsNamed} more`);
  const found = lists.length === 0 ? 'none' : named.join(' and ');
  throw new UnavailableError(label, `expected a list or an object with one list in it, found ${found}`, {
    reason: 'unreadable',
  });
}
