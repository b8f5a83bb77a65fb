import { UnavailableError } from '../unavailable.ts';

/** The URL of a path under the account's base address, which may have a path prefix. */
export function urlOf(baseUrl: string, path: string): URL {
  return new URL(`${baseUrl.replace(/\/$/, '')}${path}`);
}

/** No server has to accept a longer URL (RFC 9110, section 4.1). */
const longestSegment = 8_000;

/**
 * An identifier as one path segment, encoded whole. Throws `UnavailableError` where no URL can hold it: for `.` and
 * `..`, which URL parsers resolve even when they are encoded (WHATWG URL, section 4.4), for half a surrogate pair,
 * which is no character, and for a very long one.
 */
export function pathSegment(id: string, label: string): string {
  const encoded = id.isWellFormed() && !/^\.{1,2}$/.test(id) ? encodeURIComponent(id) : '';
  if (encoded !== '' && encoded.length <= longestSegment) return encoded;
  throw new UnavailableError(label, 'an identifier that no URL can hold', { reason: 'refused' });
}
