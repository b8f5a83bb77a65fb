import { createHash } from 'node:crypto';
import { fieldsOf, isObject, type JsonObject } from '../../json-object.ts';
import type { Tally } from '../coverage.ts';
import { labelOf, UnavailableError, type Ask, type ServiceRequest, type ServiceResponse } from '../requests/request.ts';
import { isLinks, quotable, signsOf, wordsOf, type PagingSettings, type Sign } from './signs-of-more.ts';

/** One page of a list: the fields of each row, `null` where it is no object, and whether the list may be cut off after it. */
export interface ListPage {
  rows: ReadonlyArray<JsonObject | null>;
  mayBeCutOff: boolean;
}

/** The pages of a list, each asked for when it is wanted. */
export type ListPages = AsyncIterable<ListPage>;

/** No further pages are asked for: the paging of such a list does not end. */
const mostPages = 5_000;

/**
 * The pages of the list that begins with `first`. The interface shows no paging: the next page is where the answer says, in
 * an address of the same origin, or else where the setting `service.paging` leads. Each is asked for once. A list that ends
 * although an answer said that there is more (`signsOf`) may be cut off. Asking for a page throws `UnavailableError` where
 * the answer is no list, repeats a page word for word, or has come to more rows than it states in all: rows that came twice
 * would be counted twice.
 */
export async function* listOf(
  first: ServiceRequest,
  { ask, tally, settings }: { ask: Ask; tally: Tally; settings: PagingSettings },
): AsyncGenerator<ListPage> {
  const { paging } = settings;
  const visited = new Set<string>();
  const hashes = new Set<string>();
  const stated: Sign[] = [];
  // What a page states as its own size is no sign of more by itself.
  const received = { more: 0, rows: 0, pages: 0, size: Infinity };
  const contradiction = (how: string): UnavailableError => new UnavailableError(labelOf(first), how);
  for (let url: URL | null = first.url; url !== null;) {
    const answer: ServiceResponse = await ask({ ...first, url });
    const { list, ...wrapped } = unwrapRows(answer, first, tally);
    const rows = wrapped.rows.map((row) => unwrapRow(row, first.endpoint, tally));
    if (rows.some(isDistinctive) || (paging !== undefined && rows.length > 0)) {
      const hash = createHash('sha1').update(answer.text).digest('base64');
      if (hashes.has(hash)) throw contradiction('a page came again, word for word');
      hashes.add(hash);
    }
    const signs = signsOf(answer, { rows: rows.length, list, isFirst: received.pages === 0 }, settings);
    visited.add(url.href);
    received.pages = visited.size;
    received.rows += rows.length;
    const isEnd = paging === undefined || rows.length === 0;
    const next: NextPage | null =
      linkedPage(signs, url) ?? (isEnd ? null : pageBySetting(paging, first.url, answer.body, received));
    if (next !== null || received.pages === 1) tally.reading('paging', next?.way ?? 'none');
    stated.push(...signs.filter(({ kind }) => kind !== 'more'));
    url = next !== null && received.pages < mostPages && !visited.has(next.url.href) ? next.url : null;
    const isLast = url === null;
    const totals = signs.filter(({ isTotal }) => isTotal);
    if (isLast && totals[0] !== undefined && totals.every((total) => total.count < received.rows)) {
      throw contradiction(`${received.rows} rows came, and "${totals[0].name}" states ${totals[0].count}`);
    }
    // With the setting, a list ends with an empty page, whatever that says.
    const last = paging !== undefined && isEnd ? signs.filter(({ address }) => address !== undefined) : signs;
    const notFollowed: Sign[] = next === null ? [] : [{ name: next.way, kind: 'more', count: 1 }];
    const signOfMore = [...last, ...stated, ...notFollowed].find(({ kind, count }) => count > received[kind]);
    const mayBeCutOff = isLast && signOfMore !== undefined;
    if (mayBeCutOff) tally.cutOff(first.endpoint, signOfMore);
    yield { rows, mayBeCutOff };
  }
}

/** A further page of a list, and what names it. */
type NextPage = Readonly<{ way: string; url: URL }>;

/** The page that an answer's address leads to: of several of the same origin, the first. */
function linkedPage(signs: readonly Sign[], current: URL): NextPage | null {
  for (const { name, address } of signs) {
    const url = address === undefined ? null : URL.parse(address, current.href);
    if (url?.origin === current.origin) return { way: name.replace(/\.(?:href|url|uri|link)$/i, ''), url };
  }
  return null;
}

/** The page that the setting leads to, after so many rows and pages; `null` where there is no cursor to it. */
function pageBySetting(
  paging: NonNullable<PagingSettings['paging']>,
  first: URL,
  body: unknown,
  received: { rows: number; pages: number },
): NextPage | null {
  const [parameter, value]: [string, unknown] =
    'offsetAs' in paging
      ? [paging.offsetAs, received.rows]
      : 'pageAs' in paging
        ? [paging.pageAs, received.pages + 1]
        : [paging.cursorAs, paging.cursorFrom.split('.').reduce((value, name) => fieldsOf(value)[name], body)];
  if (!value || (typeof value !== 'string' && typeof value !== 'number')) return null;
  const url = new URL(first);
  url.searchParams.set(parameter, String(value));
  return { way: 'service.paging', url };
}

/** Whether a row differs from others: two people who did nothing yet may honestly be alike. */
function isDistinctive(row: JsonObject | null): boolean {
  return row === null || [row['seenAt'], row['respondedAt']].some((date) => date !== null && date !== '');
}

/** Words of an answer's own `status` that say that it has no result, or none yet. */
const noResult = /^(?:error|fail|failed|failure|processing|pending|queued|running|in_progress)$/i;
/** No more lists are named in an error. */
const mostNamed = 5;
/** What may stand beside `error` in the name of a stated error: `errorMessage`, `error_code`. */
const besideError = /^(?:message|msg|code|description|details?|text|reason|type|id)$/;

/**
 * The rows of an answer, and the name of the property that they are; `null` where they are the whole body. The interface
 * shows no wrapper: the list is the body if that is an array, else the one array-valued property of the object. Throws
 * `UnavailableError` where there is none, or more than one, or a failure instead. A message beside a list may be about
 * anything, and contain anything: it is not read.
 */
function unwrapRows(
  { body, headers }: Pick<ServiceResponse, 'body' | 'headers'>,
  request: ServiceRequest,
  tally: Tally,
): { rows: readonly unknown[]; list: string | null } {
  if (saysFailure(body, headers)) throw new UnavailableError(labelOf(request), 'the answer says that it failed');
  const wrapper = `${request.endpoint} wrapper`;
  if (Array.isArray(body)) {
    tally.reading(wrapper, 'array');
    return { rows: body, list: null };
  }
  const lists = Object.entries(fieldsOf(body)).flatMap(([name, rows]) =>
    Array.isArray(rows) && !isLinks(name) && (rows.length > 0 || !isAboutTheAnswer(name)) ? [{ name, rows }] : [],
  );
  const [only, ...others] = lists;
  if (only !== undefined && others.length === 0 && !isAboutTheAnswer(only.name)) {
    tally.reading(wrapper, `object with "${quotable(only.name)}"`);
    return { rows: only.rows, list: only.name };
  }
  const named = lists.slice(0, mostNamed).map(({ name }) => `"${quotable(name)}"`);
  const names = [...named, ...(lists.length > mostNamed ? ['others'] : [])].join(' and ') || 'none';
  throw new UnavailableError(labelOf(request), `expected a list or an object with one list in it, found ${names}`);
}

const rowNames: Partial<Record<ServiceRequest['endpoint'], string>> = { deliveries: 'delivery', users: 'user' };

/** The fields of a row, which may come bare, or in an object under the row's own name; `null` where it is no object. */
function unwrapRow(row: unknown, endpoint: ServiceRequest['endpoint'], tally: Tally): JsonObject | null {
  if (!isObject(row)) return null;
  const name = rowNames[endpoint] ?? 'recipient';
  const inner = row[name];
  tally.reading(`${name} row`, isObject(inner) ? `{${name}}` : 'bare');
  return isObject(inner) ? inner : row;
}

/** Whether a list under this name describes the answer: such a list is never its rows. */
function isAboutTheAnswer(name: string): boolean {
  return isOfError(name) || /^(?:warnings|messages)$/i.test(name);
}

function isOfError(name: string): boolean {
  const [first, ...others] = wordsOf(name);
  return (first === 'error' || first === 'errors') && others.every((word) => besideError.test(word));
}

/**
 * Whether a 2xx answer says that the request failed: the interface describes no errors, and a list beside a failure would be
 * taken for the whole one. An error that is null, false, 0 or empty states none.
 */
function saysFailure(body: unknown, headers: Headers): boolean {
  // RFC 9457.
  if (/^application\/problem\+json\b/i.test(headers.get('content-type') ?? '')) return true;
  if (!isObject(body)) return false;
  const { success, ok, status } = body;
  if (success === false || ok === false) return true;
  if (Object.entries(body).some(([name, value]) => isOfError(name) && saysSomething(value))) return true;
  if (typeof status === 'string' && noResult.test(status)) return true;
  const codes = [status, body['statusCode'], body['code']].map((code) => (typeof code === 'object' ? 0 : Number(code)));
  return codes.some((code) => code >= 400 && code < 600);
}

/** Whether a value is more than nothing: neither null, false or zero, nor a text of one of these, nor empty. What is nested deeply is. */
function saysSomething(value: unknown, depth = 0): boolean {
  if (isObject(value)) return depth > 10 || Object.values(value).some((inner) => saysSomething(inner, depth + 1));
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === 'string') return !['', '0', 'false', 'null', 'none'].includes(value.trim().toLowerCase());
  return Boolean(value);
}
