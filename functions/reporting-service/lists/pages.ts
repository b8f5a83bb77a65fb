import type { BodyReader } from '../requests/body-reader.ts';
import type { Tally } from '../coverage.ts';
import type { ServiceResponse, ServiceRequest } from '../requests/http.ts';
import { isObject, parseExactJson, parseRows } from '../json.ts';
import { createListReader, type ListBody } from './list-reader.ts';
import { keepAllRows, type RowSink } from './rows.ts';
import { isAboutTheAnswer, saysFailure } from './said-failure.ts';
import { meaningOf, nextPageOf, readStatements, type Page, type Statement } from './signs-of-more.ts';
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
 * (`nextPageOf`). Only URLs of the same origin are followed, each once; up to three empty pages in a row are skipped. A
 * list that ends although an answer said that there is more (`readStatements`, save what `notPaging` names) may be cut
 * off. Asking for a page throws `UnavailableError` where the answer is no list, repeats a page word for word, or has come to
 * more rows than it states in all: rows that came twice would be counted twice.
 */
export function listOf(
  first: ServiceRequest,
  { ask, tally, notPaging }: { ask: Ask; tally: Tally; notPaging: readonly string[] },
): ListPages {
  const into: ListPages['into'] = (createSink) => askPage(first, { first, ask, tally, notPaging, createSink });
  return {
    into,
    async *[Symbol.asyncIterator]() {
      let page = await into(keepAllRows);
      yield page;
      while (page.next !== null) {
        page = await page.next();
        yield page;
      }
    },
  };
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
  notPaging: readonly string[];
  createSink: () => RowSink<Taken>;
}

/** A number that an answer stated, and under which name. */
interface Stated {
  name: string;
  count: number;
}

/** The pages of a list that were read: how many rows they had, and the most rows and pages that they say it has in all. */
interface Asked {
  visited: Set<string>;
  /** The hashes of the bodies with rows. */
  bodies: Set<string>;
  rows: number;
  /** How many of the last ones were empty. */
  empty: number;
  inAll: { rows: Stated; pages: Stated };
}

const nothingStated: Stated = { name: '', count: 0 };
const nothingAsked = { rows: 0, empty: 0, inAll: { rows: nothingStated, pages: nothingStated } };

/** Asks for one page, after those that were `asked`. */
async function askPage<Taken>(
  request: ServiceRequest,
  list: Asking<Taken>,
  asked: Asked = { ...nothingAsked, visited: new Set(), bodies: new Set() },
): Promise<ListPage<Taken>> {
  const { first, ask, tally, notPaging, createSink } = list;
  // The identifiers of recipients are not used.
  const parse = first.endpoint === 'recipients' || first.endpoint === 'content-recipients' ? parseRows : parseExactJson;
  const answer = await ask(request, () => createListReader(createSink(), parse));
  const { said, rows, count, hash } = answer.body;
  const name = checkList(answer, first, tally);
  const { visited, bodies } = asked;
  if (count > 0 && bodies.has(hash)) throw unreadable(first, 'a page came again, word for word');
  if (count > 0) bodies.add(hash);
  const statements = readStatements(said, answer, notPaging);
  const signs = readSigns(statements, { count, list: name, isFirst: visited.size === 0 });
  const next = nextPageOf(statements, request.url);
  if (next !== null || visited.size === 0) tally.reading('paging', next?.name ?? 'none');
  visited.add(request.url.href);
  const now: Asked = {
    visited,
    bodies,
    rows: asked.rows + count,
    empty: count === 0 ? asked.empty + 1 : 0,
    inAll: { rows: larger(asked.inAll.rows, signs.rows), pages: larger(asked.inAll.pages, signs.pages) },
  };
  if (next !== null && mayFollow(next.url, now)) {
    const { url } = next;
    return { rows, mayBeCutOff: false, next: () => askPage({ ...first, url }, list, now) };
  }
  const { total } = signs;
  if (total !== null && total.count < now.rows) {
    throw unreadable(first, `${now.rows} rows came, and "${total.name}" states ${total.count}`);
  }
  const { inAll } = now;
  const unread = inAll.rows.count > now.rows ? inAll.rows : inAll.pages.count > visited.size ? inAll.pages : null;
  const sign = signs.goesOn ?? unread?.name ?? null;
  if (sign !== null) tally.cutOff(first.endpoint, sign);
  return { rows, mayBeCutOff: sign !== null, next: null };
}

/** What a page says of more. */
interface Signs {
  /** The name that says that the list goes on. */
  goesOn: string | null;
  rows: Stated;
  pages: Stated;
  /** The most rows in all that no rows read may exceed; `null` where it states none. */
  total: Stated | null;
}

function readSigns(statements: readonly Statement[], page: Page): Signs {
  const signs: Signs = { goesOn: null, rows: nothingStated, pages: nothingStated, total: null };
  for (const statement of statements) {
    const { name } = statement;
    const meaning = meaningOf(statement, page);
    if (meaning === null) continue;
    if (meaning === 'goes on') signs.goesOn ??= name;
    else if ('pages' in meaning) signs.pages = larger(signs.pages, { name, count: meaning.pages });
    else {
      const stated = { name, count: meaning.rows };
      signs.rows = larger(signs.rows, stated);
      if (meaning.contradicts) signs.total = larger(signs.total ?? stated, stated);
    }
  }
  return signs;
}

function larger(one: Stated, other: Stated): Stated {
  return other.count > one.count ? other : one;
}

/** Whether the next page is asked for: each once, and neither after too many in all nor after too many empty ones. */
function mayFollow({ href }: URL, { visited, empty }: Asked): boolean {
  return !visited.has(href) && visited.size < mostPages && empty <= mostEmptyPages;
}

/** How many lists an error names; of further ones it gives the number. */
const mostListsNamed = 3;

/**
 * Counts how the list is wrapped, and gives its name; `null` where it is the whole body. Throws `UnavailableError` where there
 * is none, or more than one, or a failure instead. A message beside a list may be about anything, so it is only quoted.
 */
function checkList(
  { body: { said, lists }, headers }: ServiceResponse<ListBody<unknown>>,
  request: ServiceRequest,
  tally: Tally,
): string | null {
  if (saysFailure(said, headers)) throw unreadable(request, 'the answer says that it failed');
  const of = `${request.endpoint} wrapper`;
  if (lists === null) {
    tally.reading(of, 'array');
    return null;
  }
  const message = isObject(said) ? said['message'] : undefined;
  if (typeof message === 'string' && !message.includes('@')) tally.reading('message', message);
  const [only, ...others] = lists;
  if (only !== undefined && others.length === 0 && !isAboutTheAnswer(only)) {
    tally.reading(of, `object with "${only}"`);
    return only;
  }
  const named = lists.slice(0, mostListsNamed).map((name) => `"${name.slice(0, 60)}"`);
  if (lists.length > mostListsNamed) named.push(`${lists.length - mostListsNamed} more`);
  const found = lists.length === 0 ? 'none' : named.join(' and ');
  throw unreadable(request, `expected a list or an object with one list in it, found ${found}`);
}

function unreadable({ method, url }: ServiceRequest, detail: string): UnavailableError {
  return new UnavailableError(`[${method}] ${url.pathname}`, detail, { reason: 'unreadable' });
}
