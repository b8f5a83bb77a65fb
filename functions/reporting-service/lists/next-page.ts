import type { RawHeaders } from '../requests/exchange.ts';
import { isObject } from '../json.ts';
import { saysSomething, type PagingObject } from './paging-objects.ts';

/** Where an answer says that its next page is. */
interface NextPage {
  /** The place in the answer: what the coverage calls this kind of paging. */
  from: string;
  /** `null` where that is no URL, or one of another origin. */
  url: URL | null;
}

/**
 * Names of the next page's URL, in the body or an object for paging, as a text or as an object with the URL in it
 * (JSON:API, HAL). The second is OData's own (JSON Format 4.01, section 4.6.5).
 */
const nextNames = ['next', '@odata.nextLink'] as const;

/**
 * The next page by an answer's `Link: rel="next"` header (RFC 8288) or its body; of several the first that can be
 * followed. `null` where there is none.
 */
export function findNextPage(objects: readonly PagingObject[], headers: RawHeaders, current: URL): NextPage | null {
  const named: NextPage[] = [];
  const linked = linkToNext(headers.get('link'));
  if (linked !== null) named.push({ from: 'Link header', url: sameOrigin(linked, current) });
  for (const { path, said } of objects) {
    for (const name of nextNames) {
      const next = said[name];
      if (saysSomething(next)) named.push({ from: `${path}${name}`, url: sameOrigin(addressIn(next), current) });
    }
  }
  return named.find(({ url }) => url !== null) ?? named[0] ?? null;
}

function addressIn(next: unknown): unknown {
  return isObject(next) ? (next['href'] ?? next['url']) : next;
}

function linkToNext(header: string | null): string | null {
  if (header === null) return null;
  for (const [, address, parameters] of header.matchAll(/<([^>]*)>([^<]*)/g)) {
    if (/;\s*rel\s*=\s*(?:"(?:[^"]*\s)?next(?:\s[^"]*)?"|next\b)/i.test(parameters ?? '')) return address ?? null;
  }
  return null;
}

/** `null` for a bare word: it is a cursor for a parameter that is not documented. */
function sameOrigin(address: unknown, current: URL): URL | null {
  if (typeof address !== 'string' || !/^(https?:\/\/|\/|\?)/i.test(address)) return null;
  const url = URL.parse(address, current.href);
  return url !== null && url.origin === current.origin ? url : null;
}
