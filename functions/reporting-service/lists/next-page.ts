import type { RawHeaders } from '../requests/exchange.ts';
import { isObject } from '../json.ts';
import { saysSomething, type PagingObject } from './paging-objects.ts';

/** What names a page's next one. */
export interface NextPage {
  /** Where it was said: what the coverage calls this kind of paging. */
  from: string;
  /** `null` where it is no address, or one of another origin. */
  url: URL | null;
}

/**
 * Under these names stands the address of the next page: in the body or an object for paging, as a text or as an object
 * with the address in it (JSON:API, HAL); the second is OData's own (JSON Format 4.01, section 4.6.5).
 */
const nextNames = ['next', '@odata.nextLink'] as const;

/**
 * The next page that an answer names, by a `Link: rel="next"` header (RFC 8288) or in its body; of several the first that
 * can be followed. `null` where it names none.
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

/** Only what looks like an address is one: a bare word is a cursor whose parameter nobody documented. */
function sameOrigin(address: unknown, current: URL): URL | null {
  if (typeof address !== 'string' || !/^(https?:\/\/|\/|\?)/i.test(address)) return null;
  const url = URL.parse(address, current.href);
  return url !== null && url.origin === current.origin ? url : null;
}
