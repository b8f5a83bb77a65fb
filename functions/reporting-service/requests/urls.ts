import { UnavailableError } from '../unavailable.ts';

/** The address of a path under the account's base address, which may have a path prefix. */
export function urlOf(baseUrl: string, path: string): URL {
  return new URL(`${baseUrl.replace(/\/$/, '')}${path}`);
}

/** No server has to take an address that is longer (RFC 9110, section 4.1). */
const longestSegment = 8_000;

/**
 * An identifier as one path segment, encoded whole. Throws `UnavailableError` where no address can hold it: for `.` and
 * `..`, which address parsers resolve even when they are encoded (WHATWG URL, section 4.4), for half a surrogate pair,
 * which is no character, and for a very long one.
 */
export function pathSegment(id: string, label: string): string {
  const encoded = id.isWellFormed() && !/^\.{1,2}$/.test(id) ? encodeURIComponent(id) : '';
  if (encoded !== '' && encoded.length <= longestSegment) return encoded;
  throw new UnavailableError(label, 'an identifier that no address can hold', { reason: 'refused' });
}
