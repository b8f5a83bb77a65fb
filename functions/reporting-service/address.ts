import { UnavailableError } from './unavailable.ts';

/** The address of a path under the account's base address, which may have a path prefix. */
export function addressOf(baseUrl: string, path: string): URL {
  return new URL(`${baseUrl.replace(/\/$/, '')}${path}`);
}

/**
 * An identifier as one path segment, encoded whole. Throws `UnavailableError` for `.` and `..`, which address parsers
 * resolve even when they are encoded (WHATWG URL, section 4.4): no address can hold them.
 */
export function segment(id: string, label: string): string {
  if (!/^\.{1,2}$/.test(id)) return encodeURIComponent(id);
  throw new UnavailableError(label, 'an identifier that no address can hold', { reason: 'refused' });
}
