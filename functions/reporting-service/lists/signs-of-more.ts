import type { RawHeaders } from '../requests/exchange.ts';
import { plainName, saysSomething, type PagingObject } from './paging-objects.ts';

/** Whether and how an answer says that its list has more rows than it gives. */
interface SignsOfMore {
  /** It says that there is more, but not where. */
  goesOn: boolean;
  /** The rows and pages of the whole list, the largest numbers that it gives; 0 where it gives none. */
  rows: number;
  pages: number;
}

/**
 * What a name means: that the list goes on, by any value that is not empty; whether this is its last page; how many rows,
 * or pages, it has in all. A `count` may count anything, but one above the number of rows says that there are more.
 */
type Meaning = 'goes on' | 'is last' | 'rows in all' | 'pages in all';

const namesOf: Readonly<Record<Meaning, string>> = {
  'goes on': `
    hasMore hasNext hasNextPage hasMorePages hasMoreItems hasMoreResults isMore
    more moreAvailable moreResults morePages truncated isTruncated incompleteResults
    nextCursor nextPage nextPageToken nextPageUrl nextPageLink nextPageId nextToken
    nextLink nextUrl nextUri nextHref nextOffset nextStart nextMarker nextKey nextId
    nextRecordsUrl nextContinuationToken continuationToken continuation odata.nextLink
    nextPageCursor scrollId remaining remainingCount`,
  'is last': 'last isLast lastPage isLastPage',
  'rows in all': `
    total totalCount totalItems totalElements totalResults totalRecords totalRows
    totalEntries totalHits totalSize recordsTotal @odata.count odata.count`,
  'pages in all': 'totalPages pagesTotal lastPage pages numPages',
};

/** By the plain name. A `last_page` may be the number of the last one, or whether this is it. */
const meaningsOf = new Map<string, Meaning[]>();
const meanings: readonly Meaning[] = ['goes on', 'is last', 'rows in all', 'pages in all'];
for (const meaning of meanings) {
  for (const name of namesOf[meaning].trim().split(/\s+/).map(plainName)) {
    meaningsOf.set(name, [...(meaningsOf.get(name) ?? []), meaning]);
  }
}

/** Headers that may say that there is more. */
const headerNames: ReadonlyArray<{ name: string; meaning: Meaning }> = [
  { name: 'x-total-count', meaning: 'rows in all' },
  { name: 'x-total', meaning: 'rows in all' },
  { name: 'x-total-pages', meaning: 'pages in all' },
  { name: 'x-next-page', meaning: 'goes on' },
  { name: 'x-next-cursor', meaning: 'goes on' },
  { name: 'x-next-page-token', meaning: 'goes on' },
  { name: 'x-continuation-token', meaning: 'goes on' },
  { name: 'x-has-more', meaning: 'goes on' },
];

/**
 * Reads the signs of more rows in the body's objects for paging, the headers and the status: 206 is a part of the list
 * (RFC 9110, section 15.3.7), unless the range says of how many rows.
 */
export function readSignsOfMore(
  objects: readonly PagingObject[],
  { status, headers }: { status: number; headers: RawHeaders },
): SignsOfMore {
  const signs: SignsOfMore = { goesOn: false, rows: 0, pages: 0 };
  for (const { path, said } of objects) {
    // A cursor to the next rows. Beside one to the rows before, it may mark the end of this page.
    const isCursor = /(?:^|\.)cursors?\.$/i.test(path) && said['before'] === undefined;
    if (isCursor) addSign(signs, 'goes on', said['after']);
    // A count that equals the limit is the page size.
    if (said['count'] !== said['limit']) addSign(signs, 'rows in all', said['count']);
    for (const [name, value] of Object.entries(said)) {
      for (const meaning of meaningsOf.get(plainName(name)) ?? []) addSign(signs, meaning, value);
    }
  }
  for (const { name, meaning } of headerNames) addSign(signs, meaning, headers.get(name));
  const ofRange = rowsOfRange(headers.get('content-range'));
  if (ofRange !== null) addSign(signs, 'rows in all', ofRange);
  else if (status === 206) signs.goesOn = true;
  return signs;
}

function addSign(signs: SignsOfMore, meaning: Meaning, value: unknown): void {
  if (meaning === 'goes on') signs.goesOn ||= saysSomething(value);
  else if (meaning === 'is last') signs.goesOn ||= value === false || value === 'false';
  else if (meaning === 'rows in all') signs.rows = Math.max(signs.rows, readCount(value));
  else signs.pages = Math.max(signs.pages, readCount(value));
}

/** A number, or a text that is one; 0 for anything else. */
function readCount(value: unknown): number {
  if (typeof value === 'string' && /^\s*\d+\s*$/.test(value)) return Number(value);
  return typeof value === 'number' && value > 0 ? value : 0;
}

/** The rows of the whole list by a `Content-Range` (`items 0-19/120`); `null` where it does not say, or counts bytes. */
function rowsOfRange(header: string | null): string | null {
  return /^\s*(?!bytes\b)(?:[a-z]+[ =])?(?:\d+-\d+|\*)\/(\d+)\s*$/i.exec(header ?? '')?.[1] ?? null;
}
