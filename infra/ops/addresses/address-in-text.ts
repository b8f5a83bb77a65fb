/** What may be a part of an address's name (RFC 5322's atext), or of one in another alphabet. */
const atom = String.raw`[\p{L}\p{M}\p{N}!#$%&'*+/=?^_\x60{|}~-]`;
/** What a domain may go on with, behind dots and hyphens too; the dot at the end of a sentence is not followed by any. */
const label = String.raw`[\p{L}\p{M}\p{N}_]`;

/**
 * Makes what puts `replacement` for an address wherever a text holds the whole of it, in any case. What may be a part of a
 * longer address stays: `n@example.com` is not in `ann@example.com`, `x.n@example.com`, `n@example.com.au` or
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
