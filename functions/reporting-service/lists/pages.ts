import { createHash } from 'node:crypto';
import type { Tally } from '../coverage.ts';
import { labelOf, type ServiceRequest, type ServiceResponse } from '../requests/http.ts';
import { UnavailableError } from '../unavailable.ts';
import { nextPageOf, readStatements, signsIn, type Sign } from './signs-of-more.ts';
import { unwrapRows } from './wrapper.ts';

/** One page of a list: its rows, and whether the list may be cut off after it. */
export interface ListPage {
  rows: readonly unknown[];
  mayBeCutOff: boolean;
}

/** The pages of a list, each asked for when it is wanted. */
export type ListPages = AsyncIterable<ListPage>;

/** Sends a request to the service under an access token. */
export type Ask = (request: ServiceRequest) => Promise<ServiceResponse>;

/** No further pages are asked for: the paging of such a list does not end. */
const mostPages = 5_000;
/** How many empty pages in a row are skipped, where they name a next one. */
const mostEmptyPages = 3;

/**
 * The pages of the list that begins with `first`. The interface shows no paging: the next page is where the answer says
 * (`nextPageOf`). Only URLs of the same origin are followed, each once; up to three empty pages in a row are skipped. A
 * list that ends although an answer said that there is more (`readStatements`, save what `notPaging` names) may be cut
 * off. Asking for a page throws `UnavailableError` where the answer is no list, repeats a page word for word, or has come to
 * more rows than it states in all: rows that came twice would be counted twice.
 */
export async function* listOf(
  first: ServiceRequest,
  { ask, tally, notPaging }: { ask: Ask; tally: Tally; notPaging: readonly string[] },
): AsyncGenerator<ListPage> {
  const visited = new Set<string>();
  const hashes = new Set<string>();
  const stated: Sign[] = [];
  const read = { more: 0, rows: 0, pages: 0 };
  let emptyInARow = 0;
  for (let url: URL | null = first.url; url !== null;) {
    const answer: ServiceResponse = await ask({ ...first, url });
    const { rows, list } = unwrapRows(answer, first, tally);
    if (rows.length > 0 && isTelling(answer.text)) {
      const hash = createHash('sha1').update(answer.text).digest('base64');
      if (hashes.has(hash)) throw unreadable(first, 'a page came again, word for word');
      hashes.add(hash);
    }
    const statements = readStatements(answer, notPaging);
    const signs = signsIn(statements, { count: rows.length, list, isFirst: read.pages === 0 });
    const next = nextPageOf(statements, url);
    if (next !== null || read.pages === 0) tally.reading('paging', next?.name ?? 'none');
    visited.add(url.href);
    read.pages = visited.size;
    read.rows += rows.length;
    emptyInARow = rows.length === 0 ? emptyInARow + 1 : 0;
    stated.push(...signs.filter(({ of }) => of !== 'more'));
    const mayFollow = read.pages < mostPages && emptyInARow <= mostEmptyPages;
    url = next !== null && mayFollow && !visited.has(next.url.href) ? next.url : null;
    const isLast = url === null;
    const totals = signs.filter(({ isTotal }) => isTotal);
    if (isLast && totals[0] !== undefined && totals.every((total) => total.count < read.rows)) {
      throw unreadable(first, `${read.rows} rows came, and "${totals[0].name}" states ${totals[0].count}`);
    }
    const sign = isLast ? [...signs, ...stated].find(({ of, count }) => count > read[of]) : undefined;
    if (sign !== undefined) tally.cutOff(first.endpoint, sign.name);
    yield { rows, mayBeCutOff: sign !== undefined };
  }
}

/** Whether a body is no page of recipients, or one on which somebody did something: two others may honestly be alike. */
function isTelling(text: string): boolean {
  return !text.includes('"seenAt"') || /"(?:seen|responded)At"\s*:\s*(?!null|""|\s)/.test(text);
}

function unreadable(request: ServiceRequest, detail: string): UnavailableError {
  return new UnavailableError(labelOf(request), detail, { reason: 'unreadable' });
}
