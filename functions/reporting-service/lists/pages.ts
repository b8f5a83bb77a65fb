import type { BodyReader } from '../requests/body-reader.ts';
import type { Tally } from '../coverage.ts';
import type { ServiceResponse, ServiceRequest } from '../requests/http.ts';
import { isObject, parseExactJson, parseRows } from '../json.ts';
import { createListReader, type ListBody } from './list-reader.ts';
import { keepAllRows, type RowSink } from './rows.ts';
import { isAboutTheAnswer, saysFailure } from './said-failure.ts';
import { nextPageOf, readStatements, signsIn, type Sign } from './signs-of-more.ts';
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

/** The pages of a list that were read, how many rows they had, and how many rows and pages they say it has in all. */
interface Asked {
  visited: Set<string>;
  /** The hashes of the bodies with rows. */
  bodies: Set<string>;
  rows: number;
  /** How many of the last ones were empty. */
  empty: number;
  stated: Sign[];
}

/** Asks for one page, after those that were `asked`. */
async function askPage<Taken>(
  request: ServiceRequest,
  list: Asking<Taken>,
  asked: Asked = { visited: new Set(), bodies: new Set(), rows: 0, empty: 0, stated: [] },
): Promise<ListPage<Taken>> {
  const { first, ask, tally, notPaging, createSink } = list;
  // The identifiers of recipients are not used.
  const parse = first.endpoint === 'recipients' || first.endpoint === 'content-recipients' ? parseRows : parseExactJson;
  const answer = await ask(request, () => createListReader(createSink(), parse));
  const { said, rows, count, hash } = answer.body;
  const name = checkList(answer, first, tally);
  const { visited, bodies, stated } = asked;
  if (count > 0 && hash !== null && bodies.has(hash)) throw unreadable(first, 'a page came again, word for word');
  if (count > 0 && hash !== null) bodies.add(hash);
  const statements = readStatements(said, answer, notPaging);
  const signs = signsIn(statements, { count, list: name, isFirst: visited.size === 0 });
  const next = nextPageOf(statements, request.url);
  if (next !== null || visited.size === 0) tally.reading('paging', next?.name ?? 'none');
  visited.add(request.url.href);
  stated.push(...signs.filter(({ of }) => of !== 'more'));
  const now: Asked = { ...asked, rows: asked.rows + count, empty: count === 0 ? asked.empty + 1 : 0 };
  if (next !== null && mayFollow(next.url, now)) {
    const { url } = next;
    return { rows, mayBeCutOff: false, next: () => askPage({ ...first, url }, list, now) };
  }
  const totals = signs.filter(({ isTotal }) => isTotal);
  if (totals[0] !== undefined && totals.every((total) => total.count < now.rows)) {
    throw unreadable(first, `${now.rows} rows came, and "${totals[0].name}" states ${totals[0].count}`);
  }
  const read = { more: 0, rows: now.rows, pages: visited.size };
  const sign = [...signs, ...stated].find((each) => each.count > read[each.of]);
  if (sign !== undefined) tally.cutOff(first.endpoint, sign.name);
  return { rows, mayBeCutOff: sign !== undefined, next: null };
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
