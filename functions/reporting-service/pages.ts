import { remembering } from '../remembering.ts';
import type { BodyReader } from './body-reader.ts';
import type { Tally } from './coverage.ts';
import type { RawHeaders } from './exchange.ts';
import type { Answer, Request } from './http.ts';
import { isObject, parseJson, parseRows, type JsonObject } from './json.ts';
import { createListReader, type ListBody } from './list-reader.ts';
import { keepRows, type RowSink } from './rows.ts';
import { UnavailableError } from './unavailable.ts';

/** One page of a list: its rows, as they came or as they were taken, and whether the list may be cut off after it. */
export interface Page<Taken = readonly unknown[]> {
  rows: Taken;
  mayBeCutOff: boolean;
  /** Asks for the page after it; `null` on the last one. */
  next: (() => Promise<Page<Taken>>) | null;
}

/** The pages of a list, asked for as they are iterated. */
export interface Pages extends AsyncIterable<Page> {
  /** The first page, its rows taken by a sink, and a sink each for those after it, so that no row need be kept. */
  into<Taken>(createSink: () => RowSink<Taken>): Promise<Page<Taken>>;
}

/** Asks the service, with a reader for the body of each attempt. */
export type Ask = <Body>(request: Request, createReader: () => BodyReader<Body>) => Promise<Answer<Body>>;

/**
 * The pages of the list that begins with `first`. The interface shows neither wrapper nor paging: the list is the body if
 * that is an array, else the one array-valued property of the object; the next page is a `Link: rel="next"` header (RFC
 * 8288) or a `next` address in the body. Only addresses of the same origin are followed, each once. What asks for a page
 * throws `UnavailableError` where it is no list.
 */
export function listOf(first: Request, ask: Ask, tally: Tally): Pages {
  return new List(first, ask, tally);
}

class List implements Pages {
  readonly #first: Request;
  readonly #ask: Ask;
  readonly #tally: Tally;

  constructor(first: Request, ask: Ask, tally: Tally) {
    this.#first = first;
    this.#ask = ask;
    this.#tally = tally;
  }

  into<Taken>(createSink: () => RowSink<Taken>): Promise<Page<Taken>> {
    const list = { first: this.#first, ask: this.#ask, tally: this.#tally, createSink };
    return askPage(this.#first, list);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Page> {
    let page = await this.into(keepRows);
    yield page;
    while (page.next !== null) {
      page = await page.next();
      yield page;
    }
  }
}

/** Pages past this number are not asked for; a list of that length has no end. */
const mostPages = 5_000;

/** Where a body may say its next page, its total, or that there is more: at its top or in one of these objects. */
const pagingObjects = ['links', 'meta', 'pagination'] as const;
const totalNames = ['total', 'totalCount', 'total_count', 'totalItems', 'total_items'] as const;
const moreNames = ['hasMore', 'has_more'] as const;

/** What the pages of one list have in common. */
interface Asking<Taken> {
  first: Request;
  ask: Ask;
  tally: Tally;
  createSink: () => RowSink<Taken>;
}

/** The pages of a list that were asked for, and how many rows they had. */
interface Asked {
  visited: Set<string>;
  rows: number;
}

/** Asks for one page, after those that were `asked`. */
async function askPage<Taken>(request: Request, list: Asking<Taken>, asked: Asked | null = null): Promise<Page<Taken>> {
  const { first, ask, tally, createSink } = list;
  // Of a recipient no identifier is wanted.
  const parse = first.endpoint === 'recipients' || first.endpoint === 'content-recipients' ? parseRows : parseJson;
  const answer = await ask(request, () => createListReader(createSink(), parse));
  const { said, rows, count } = answer.body;
  checkList(answer.body, first, tally);
  const next = nextAddress(said, answer.headers, request.url);
  const got = (asked?.rows ?? 0) + count;
  if (next === null) {
    if (asked === null) tally.reading('paging', 'none');
  } else {
    tally.reading('paging', next.from);
    const visited = (asked?.visited ?? new Set()).add(request.url.href);
    const { url } = next;
    if (url !== null && !visited.has(url.href) && count > 0 && visited.size < mostPages) {
      const following = () => askPage({ ...first, url }, list, { visited, rows: got });
      return { rows, mayBeCutOff: false, next: following };
    }
  }
  // An empty last page that still names a next one has said all it has to say; any other refused way on has not.
  const refusedWayOn = next !== null && count > 0;
  const mayBeCutOff = refusedWayOn || statesMore(said, got);
  if (mayBeCutOff) tally.cutOff(first.endpoint);
  return { rows, mayBeCutOff, next: null };
}

/** What the coverage calls the wrapper of an endpoint's list. */
const wrapperOf = remembering((endpoint: string) => `${endpoint} wrapper`);

/** Notes what the list came in. Throws `UnavailableError` where there is none, or more than one. */
function checkList({ lists }: ListBody<unknown>, request: Request, tally: Tally): void {
  const of = wrapperOf(request.endpoint);
  if (lists === null) return tally.reading(of, 'array');
  const [only, ...others] = lists;
  if (only !== undefined && others.length === 0) return tally.reading(of, `object with "${only}"`);
  const label = `[${request.method}] ${request.url.pathname}`;
  const found = lists.length === 0 ? 'none' : lists.map((name) => `"${name.slice(0, 60)}"`).join(' and ');
  throw new UnavailableError(label, `expected a list or an object with one list in it, found ${found}`, {
    reason: 'unreadable',
  });
}

interface NextAddress {
  from: string;
  /** `null` where it is no address, or one of another origin. */
  url: URL | null;
}

function nextAddress(said: unknown, headers: RawHeaders, current: URL): NextAddress | null {
  const linked = linkToNext(headers.get('link'));
  if (linked !== null) return { from: 'Link header', url: sameOrigin(linked, current) };
  if (!isObject(said)) return null;
  const places: Array<[string, unknown]> = [['next', said['next']]];
  for (const name of pagingObjects) {
    const inner = said[name];
    if (isObject(inner)) places.push([`${name}.next`, inner['next']]);
  }
  for (const [from, value] of places) {
    const address = isObject(value) ? value['href'] : value;
    if (address === undefined || address === null || address === '' || address === false) continue;
    return { from, url: typeof address === 'string' ? sameOrigin(address, current) : null };
  }
  return null;
}

function linkToNext(header: string | null): string | null {
  if (header === null) return null;
  for (const [, address, parameters] of header.matchAll(/<([^>]*)>([^<]*)/g)) {
    if (/;\s*rel\s*=\s*(?:"(?:[^"]*\s)?next(?:\s[^"]*)?"|next\b)/i.test(parameters ?? '')) return address ?? null;
  }
  return null;
}

/** Only what looks like an address is one: a bare word is a cursor whose parameter nobody documented. */
function sameOrigin(address: string, current: URL): URL | null {
  if (!/^(https?:\/\/|\/|\?)/i.test(address)) return null;
  const url = URL.parse(address, current.href);
  return url !== null && url.origin === current.origin ? url : null;
}

function statesMore(body: unknown, got: number): boolean {
  if (!isObject(body)) return false;
  const objects: JsonObject[] = [body, ...pagingObjects.map((name) => body[name]).filter(isObject)];
  return objects.some(
    (object) =>
      moreNames.some((name) => object[name] === true) ||
      totalNames.some((name) => {
        const total = object[name];
        return typeof total === 'number' && total > got;
      }),
  );
}
