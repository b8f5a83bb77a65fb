/** A character of an address before its @ (RFC 5322's atext), in any alphabet. */
const atom = String.raw`[\p{L}\p{M}\p{N}!#$%&'*+/=?^_\x60{|}~-]`;
/** A character with which a domain may continue, also after dots and hyphens; the dot that ends a sentence has none after it. */
const label = String.raw`[\p{L}\p{M}\p{N}_]`;

/**
 * Creates a function that replaces an address in texts, in any case, where it is a whole address. What may be part of a
 * longer one stays: `n@example.com` is not in `ann@example.com`, `x.n@example.com`, `n@example.com.au` or
 * `n@example.com-x.de`. A slash may be part of an address too, but not in an ARN: `…:assumed-role/Role/n@example.com`.
 *
 * @see https://datatracker.ietf.org/doc/html/rfc5322#section-3.2.3
 */
export function createAddressReplacer(address: string, replacement: string): (text: string) => string {
  const before = String.raw`(?:(?<!${atom}|${atom}\.)|(?<=\barn:[\w:.+=@/-]*\/))`;
  const after = String.raw`(?!-*${label}|\.+-*${label})`;
  const whole = new RegExp(`${before}${escapeRegExp(address)}${after}`, 'giu');
  const lowerCase = address.toLowerCase();
  return (text) => (text.toLowerCase().includes(lowerCase) ? text.replaceAll(whole, () => replacement) : text);
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}
