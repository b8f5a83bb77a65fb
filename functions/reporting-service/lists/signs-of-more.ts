import { isObject, type JsonObject } from '../../json-object.ts';
import type { ServiceResponse } from '../requests/request.ts';

/** What an answer says beside its rows under a name that has a word of more: the path of names to it, and the words. */
export interface Statement {
  name: string;
  words: readonly string[];
  value: boolean | number | string;
  /** The object that says it. */
  said: JsonObject;
}

/** What a page says of more, under which name: that there is more (`count` is 1), or so many rows or pages in all. */
export interface Sign {
  name: string;
  of: 'more' | 'rows' | 'pages';
  count: number;
  /** No more rows may come than this. */
  isTotal?: boolean;
}

/** The page that a statement stands beside: its rows, the name of its list, where it has one, and whether others were read before. */
interface Page {
  count: number;
  list: string | null;
  isFirst: boolean;
}

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));
/** The words of more. Which of them a name has decides what its value can say. */
const goingOn = setOf('next more partial truncated incomplete continuation remaining');
const cursors = setOf('cursor cursors scroll');
const ending = setOf('last done complete');
const counting = setOf('total totals count');
const paging = setOf('page pages offset pagination pager paginator');
const wordsOfMore = new Set([...goingOn, ...cursors, ...ending, ...counting, ...paging]);
/** An object under a name of such words alone is one statement with what it holds: `total.value`, `next.href`, `pages.total`. */
const passedOn = setOf('next cursor cursors continuation total totals count pages');
/** Prefixes of vendors, and words that change no meaning: `X-WP-Total`, `@odata.count`, `hasMore`, `isLast`, `numPages`. */
const silent = setOf('x wp odata hydra opensearch has is num number nb of in');
/** What a text that leads to more, or is a cursor to it, is called. */
const leading = setOf('token link url uri href key id marker after value path str');
/** What is counted beside the list's own name, without the end that tells singular from plural. */
const counted = setOf('row item record result entr element hit value available data');
/** How often a client may ask is no matter of the list: `rateLimit.remaining`. */
const ofLimits = setOf('rate ratelimit limit limits quota throttle');
/** Headers come without capitals: of one word that is several of these, each counts, as in `x-wp-totalpages`. */
const joinable = [
  ...wordsOfMore,
  ...'has is num token link url uri records rows items results elements entries hits'.split(' '),
];
const oneJoinable = joinable.toSorted((a, b) => b.length - a.length).join('|');
const isJoined = new RegExp(`^(?:${oneJoinable}){2,}$`);
const eachJoined = new RegExp(oneJoinable, 'g');
/** As deep as `meta.pagination.links.next.href`. */
const deepest = 5;

/**
 * What an answer says of more rows than it gives. The interface shows no paging, and each service says it in words of its
 * own, so this is a rule and no list of names: it looks into the headers (JSON in a header is an object) and the objects
 * beside the list, never into rows. What the operators' `notPaging` names is left out.
 */
export function readStatements(
  { status, headers, body }: Pick<ServiceResponse, 'status' | 'headers' | 'body'>,
  notPaging: readonly string[],
): Statement[] {
  const ofRange = rowsOfRange(headers.get('content-range'));
  const linked = linkToNext(headers.get('link'));
  const found: Statement[] = [];
  if (linked !== null) found.push({ name: 'Link header', words: ['next'], value: linked, said: {} });
  if (ofRange !== null) found.push({ name: 'content-range', words: ['total'], value: ofRange, said: {} });
  // A part of the list (RFC 9110, section 15.3.7), unless the range says of how many rows.
  else if (status === 206) found.push({ name: 'status 206', words: ['partial'], value: true, said: {} });
  addStatements(found, Object.fromEntries([...headers.entries()].map(([name, value]) => [name, fromHeader(value)])));
  if (isObject(body)) addStatements(found, body);
  const ignored = new Set(notPaging.map((name) => name.toLowerCase()));
  return found.filter(({ name }) => !ignored.has(name.toLowerCase()));
}

function addStatements(found: Statement[], said: JsonObject, path = '', outer: readonly string[] = [], depth = 1) {
  for (const [key, given] of Object.entries(said)) {
    const parts = wordsOf(key.replace(/^x-ms-/i, ''));
    const own = parts.flatMap((word) => (isJoined.test(word) ? (word.match(eachJoined) ?? []) : [word]));
    // A key that is an address is a row's, and so may be what it holds.
    if (own.some((word) => ofLimits.has(word)) || (key.includes('@') && !key.startsWith('@odata.'))) continue;
    const words = [...outer, ...own.filter((word) => !silent.has(word))];
    const isAllOfMore = words.every((word) => wordsOfMore.has(word));
    const name = `${path}${key}`;
    if (isObject(given)) {
      const inner = isAllOfMore && words.some((word) => passedOn.has(word)) ? words : [];
      if (depth < deepest) addStatements(found, given, `${name}.`, inner, depth + 1);
      continue;
    }
    const value = plainValue(given);
    if (value !== null && words.some((word) => wordsOfMore.has(word))) found.push({ name, words, value, said });
  }
}

/** What statements say of more. */
export function signsIn(statements: readonly Statement[], page: Page): Sign[] {
  return statements.flatMap((statement) => {
    const meaning = meaningOf(statement, page);
    return meaning === null ? [] : [{ name: statement.name, ...meaning }];
  });
}

/** What a statement means; `null` where it does not say that there may be more than the page has. */
function meaningOf({ words, value, said }: Statement, { count, list, isFirst }: Page): Omit<Sign, 'name'> | null {
  const more = { of: 'more', count: 1 } as const;
  const has = (set: ReadonlySet<string>): boolean => words.some((word) => set.has(word));
  const ofList = new Set(wordsOf(list ?? '').map(stemOf));
  const isUnit = (word: string): boolean => counted.has(stemOf(word)) || ofList.has(stemOf(word));
  const others = words.filter((word) => !wordsOfMore.has(word));
  if (typeof value === 'boolean') {
    return has(value ? goingOn : ending) && others.every(isUnit) ? more : null;
  }
  const isNext = words.includes('next');
  const mayLead = (word: string): boolean => leading.has(word) || (isNext && (word === 'start' || isUnit(word)));
  // A cursor to the rows after these. Beside one to the rows before, it may mark the end of this page.
  const marksEnd = words.includes('after') && plainValue(said['before']) !== null;
  if (typeof value === 'string') {
    const isToken = has(paging) && (words.includes('token') || words.includes('marker'));
    // An offset such as +01:00 is that of a time zone.
    const isOffset = words.includes('offset') && !/^[+-]/.test(value);
    const leads = has(goingOn) || has(cursors) || isOffset || isToken;
    return leads && !has(ending) && !has(counting) && others.every(mayLead) && !marksEnd ? more : null;
  }
  if (value <= 0) return null;
  if (has(goingOn) || (has(cursors) && !has(counting) && !has(paging))) {
    return others.every((word) => isUnit(word) || mayLead(word)) && !marksEnd ? more : null;
  }
  if (!others.every(isUnit) || words.includes('offset')) return null;
  const isOfPage = words.includes('page') && (has(counting) || has(ending));
  if (words.includes('pages') || isOfPage) {
    // What counts a page may count its rows, too.
    return isOfPage && !has(ending) && value === count ? null : { of: 'pages', count: value };
  }
  // A count that equals the limit is the page size, and one of the page's own rows states no total. One that is less, beside
  // a single page, may count anything.
  const isTotal = words.includes('total') || words.includes('totals');
  if (!has(counting) || has(ending) || (!isTotal && value === said['limit'])) return null;
  return { of: 'rows', count: value, isTotal: isTotal || (value !== count && !isFirst) };
}

function stemOf(word: string): string {
  return word.replace(/(?:ies|y|s)$/, '');
}

/** A header's value; the object that it is, where it is JSON, as in `X-Pagination`. */
function fromHeader(value: string): unknown {
  if (!value.startsWith('{')) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** A value without the forms in which services write nothing; a text that is a number or a boolean is one. */
function plainValue(value: unknown): Statement['value'] | null {
  if (typeof value === 'boolean' || typeof value === 'number') return value;
  if (typeof value !== 'string') return null;
  const text = value.trim();
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  if (/^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return /^(?:null|none|no)?$/i.test(text) ? null : text;
}

/** The address of an answer's `Link: rel="next"` (RFC 8288). */
function linkToNext(header: string | null): string | null {
  if (header === null) return null;
  for (const [, address, parameters] of header.matchAll(/<([^>]*)>([^<]*)/g)) {
    if (/;\s*rel\s*=\s*(?:"(?:[^"]*\s)?next(?:\s[^"]*)?"|next\b)/i.test(parameters ?? '')) return address ?? null;
  }
  return null;
}

/** The rows of the whole list by a `Content-Range` (`items 0-19/120`); `null` where it does not say, or counts bytes. */
function rowsOfRange(header: string | null): number | null {
  const rows = /^\s*(?!bytes\b)(?:[a-z]+[ =])?(?:\d+-\d+|\*)\/(\d+)\s*$/i.exec(header ?? '')?.[1];
  return rows === undefined ? null : Number(rows);
}

/** The next page by what an answer says: of several addresses of the same origin the first, each with its name. */
export function nextPageOf(statements: readonly Statement[], current: URL): { name: string; url: URL } | null {
  for (const { name, words, value } of statements) {
    // A bare word is a cursor for a parameter that is not documented.
    if (!words.includes('next') || typeof value !== 'string' || !/^(https?:\/\/|\/|\?)/i.test(value)) continue;
    const url = URL.parse(value, current.href);
    if (url?.origin === current.origin) return { name: name.replace(/\.(?:href|url|uri|link)$/i, ''), url };
  }
  return null;
}

/**
 * The words of a name that a service gave, in lower case: `totalCount`, `total_count`, `X-Total-Count` and `TOTAL COUNT`
 * all have `total` and `count`, and `country` is one word of its own. So a rule holds however a service writes its names.
 */
export function wordsOf(name: string): string[] {
  const words = name.match(/\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{Lo}+|\p{N}+/gu) ?? [];
  return words.map((word) => word.toLowerCase());
}
