import * as v from 'valibot';
import type { Configuration } from '../../domain/configuration/configuration.ts';
import { fieldsOf, isObject, type JsonObject } from '../../json-object.ts';
import type { ServiceResponse } from '../requests/request.ts';

/** What a page says under a name: whether there is more (1 or 0), how many rows or pages in all, or how many rows a page has. */
export type Sign = Meaning & { name: string };

interface Meaning {
  kind: 'more' | 'rows' | 'pages' | 'size';
  count: number;
  /** No more rows may come than this. */
  isTotal?: boolean;
  /** Where it says that the next page is. */
  address?: string;
}

/** The words of names by what a value under them can say of more. Headers arrive without capitals: two words may be one. */
const table = {
  goingOn:
    'next more continuation resume after evaluated partial truncated incomplete remaining scroll hasmore nextpage',
  cursor: 'cursor nextcursor',
  ending: 'last done complete exhausted',
  count: 'total count totalcount totalitems',
  page: 'page offset pagination pager paginator',
  pages: 'pages totalpages pagecount',
  size: 'limit size per perpage pagesize',
  // What is counted, beside the list's own name.
  unit: 'row item record result entr element hit value available data',
  // What a text that leads to more is called. A token may begin with a slash, and is no path.
  token: 'token key marker id',
  leading: 'view link url uri href path index position',
  // Prefixes of vendors, objects around such names, and words that change no meaning.
  none: 'x wp ms odata hydra opensearch has is num number nb of in meta metadata info response paging links summary',
};
const entries = Object.entries(table).flatMap(([role, words]) => words.split(' ').map((word) => [word, role] as const));
const roles = new Map(entries);

/** No more names of an answer are looked at: of what is beyond, it is not known what it says. */
const mostNames = 10_000;
const tooManyNames = 'over 10,000 names';
/** What is called so by us, and not by the service. */
const ownNames = new Set(['Link header', 'status 206', tooManyNames]);
/** No name of paging is longer, nor are the names of objects within objects: each field in them is held against all their words. */
const longestName = 100;

/** JSON in a header is an object, as in `X-Pagination`; to try it with every text takes longer than all else that is asked here. */
const headerValue = (text: string): unknown =>
  /^[[{"]/.test(text) ? v.parse(v.fallback(v.pipe(v.string(), v.parseJson()), text), text) : text;

/** What the operators say of paging: names that say nothing of it, and a way on. */
export type PagingSettings = Pick<Configuration['service'], 'notPaging' | 'paging'>;

/** How many rows a page has, the name of the property that they are, and whether it is the first page of its list. */
type Page = Readonly<{ rows: number; list: string | null; isFirst: boolean }>;

/**
 * What an answer says of what follows its page, by the table of words: the interface shows no paging, and each service says
 * it in words of its own, in headers and in the objects beside the list. What the operators' `notPaging` names says nothing,
 * unless it is an address. A first page with exactly as many rows as it states as its size, and not a word on what follows,
 * may be cut off.
 */
export function signsOf(
  { status, headers, body }: Pick<ServiceResponse, 'status' | 'headers' | 'body'>,
  page: Page,
  { notPaging, paging }: PagingSettings,
): Sign[] {
  const ignored = new Set(notPaging.map((name) => name.toLowerCase()));
  const signs: Sign[] = [];
  const add = (name: string, words: readonly string[], value: unknown): void => {
    const meaning = meaningOf(words, plainValue(value), page);
    const isIgnored = ignored.has(name.toLowerCase()) && meaning?.address === undefined;
    if (meaning !== null && !isIgnored) signs.push({ name: ownNames.has(name) ? name : quotable(name), ...meaning });
  };
  // The search for `rel` takes quadratic time in spaces.
  const link = (headers.get('link') ?? '').replaceAll(/\s+/g, ' ');
  const range = headers.get('content-range') ?? '';
  // RFC 8288; and `items 0-49/120`, or `items 0-49/*` where it is not known of how many, but never of bytes.
  const next = /<([^<>]*)>[^<]*;\s*rel\s*=\s*"?(?:[^"<;]*\s)?next(?![\w-])/i.exec(link)?.[1];
  const total = /^\s*(?!bytes\b)(?:[a-z]+[ =])?(?:\d+-\d+|\*)\/(\d+|\*)\s*$/i.exec(range)?.[1];
  if (next !== undefined) add('Link header', ['next'], next);
  if (total !== undefined) add('content-range', [total === '*' ? 'more' : 'total'], total);
  // A part of the list (RFC 9110, section 15.3.7), unless the range says of how many rows.
  else if (status === 206) add('status 206', ['partial'], true);

  const headerFields = [...headers].map(([name, value]) => [name, headerValue(value)] as const);
  const objects: Array<{ path: string; outerWords: readonly string[]; fields: JsonObject }> = [
    { path: '', outerWords: [], fields: Object.fromEntries(headerFields) },
    { path: '', outerWords: [], fields: fieldsOf(body) },
  ];
  let namesLeft = mostNames;
  for (const { path, outerWords, fields } of objects) {
    const named = Object.entries(fields);
    if (named.length > namesLeft) {
      add(tooManyNames, ['more'], true);
      continue;
    }
    namesLeft -= named.length;
    for (const [name, field] of named) {
      const words = [...outerWords, ...wordsOf(name)];
      const value = isLinks(name) ? byRelation(field) : field;
      // Beside a cursor to the rows before, one to those after may mark the end of this page.
      if (words.includes('after') && plainValue(fields['before']) !== null) continue;
      // DynamoDB's `LastEvaluatedKey` is an object, and its names are those of a table's key.
      const isKey = isObject(value) && words.includes('evaluated') && Object.keys(value).length > 0;
      if (isKey || !isObject(value)) add(path + name, words, isKey || value);
      else if (path.length < longestName) {
        // What a `page` or a `cursor` holds is of the list: its `total` counts no pages.
        const pathWords = words.map((word) => (/^(?:page|cursors?)$/.test(word) ? 'pagination' : word));
        objects.push({ path: `${path}${name}.`, outerWords: pathWords, fields: value });
      }
    }
  }
  const isFull = signs.every(({ kind, count }) => kind === 'size' && count === page.rows) && page.rows > 0;
  return isFull && page.isFirst && paging === undefined ? signs.map((sign) => ({ ...sign, kind: 'more' })) : signs;
}

/** What a value under these words means; `null` where it says nothing of what follows the page. */
function meaningOf(words: readonly string[], value: PlainValue, { rows, list, isFirst }: Page): Meaning | null {
  const listWords = new Set(wordsOf(list ?? '').map(stemOf));
  const wordRoles = words.map((word) => roleOf(word) ?? (listWords.has(stemOf(word)) ? 'unit' : 'other'));
  const has = (...wanted: string[]): boolean => wordRoles.some((role) => wanted.includes(role));
  const isPlace = typeof value === 'string' && has('page') && words.some((word) => /^(?:token|offset)$/.test(word));
  if (has('goingOn', 'cursor') || isPlace) {
    if (typeof value !== 'boolean' && has('other', 'size')) return null;
    const isAddress = typeof value === 'string' && /^(?:https?:\/\/|\/|\?)/i.test(value) && !has('cursor', 'token');
    const isMore = Boolean(value) !== words.includes('no');
    return { kind: 'more', count: Number(isMore), ...(isAddress && { address: value }) };
  }
  if (has('other', 'token', 'leading') || typeof value === 'string') return null;
  if (typeof value === 'boolean') return has('ending') ? { kind: 'more', count: Number(!value) } : null;
  if (value === null) return has('count', 'ending') ? { kind: 'more', count: 0 } : null;
  if (has('size') && !has('count', 'ending')) return { kind: 'size', count: value };
  const isOfPages = has('pages') || (words.includes('page') && has('count', 'ending'));
  if (!isOfPages && (!has('count') || has('ending'))) return null;
  // A count that equals the page's own rows states no total, and one that is less, beside a single page, may count anything.
  const isTotal = words.some((word) => stemOf(word) === 'total');
  if (value === rows && !isTotal && !has('pages', 'ending')) return null;
  return { kind: isOfPages ? 'pages' : 'rows', count: value, isTotal: !isOfPages && (isTotal || !isFirst) };
}

/**
 * A name that a service gave a property, for receipts and messages: `…` where it is no identifier. Services that name
 * properties after people or their addresses must not get these into a receipt.
 */
export function quotable(name: string): string {
  return name.split('.').every((part) => /^@?[\p{L}_$][\p{L}\p{N}_$:-]{0,59}$/u.test(part)) ? name : '…';
}

/** A word without the end that tells singular from plural. */
const stemOf = (word: string): string => word.replace(/(?:ies|y|s)$/, '');

const roleOf = (word: string): string | undefined => roles.get(word) ?? roles.get(stemOf(word));

/** Whether an array under this name holds links, and not rows. */
export const isLinks = (name: string): boolean => /^_?links?$/i.test(name);

/** An array of links as an object: the address of each under what it is to this page. */
function byRelation(links: unknown): unknown {
  if (!Array.isArray(links)) return links;
  return Object.fromEntries(
    links.filter(isObject).map(({ rel, href, url }) => [typeof rel === 'string' ? rel : '', href ?? url]),
  );
}

type PlainValue = boolean | number | string | null;

/** A value; `null` for the forms in which services write nothing. A text that is a number or a boolean is one. */
function plainValue(value: unknown): PlainValue {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return value > 0 ? value : null;
  if (typeof value !== 'string') return null;
  const text = value.trim();
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return plainValue(Number(text));
  if (/^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return /^(?:null|none|no)?$/i.test(text) ? null : text;
}

/**
 * The words of a name that a service gave, in lower case: `totalCount`, `total_count`, `X-Total-Count` and `TOTAL COUNT`
 * all have `total` and `count`, and `country` is one word of its own. So a rule holds however a service writes its names.
 */
export function wordsOf(name: string): string[] {
  const words = name.slice(0, longestName).match(/\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{Lo}+|\p{N}+/gu) ?? [];
  return words.map((word) => word.toLowerCase());
}
