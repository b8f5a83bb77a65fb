import { clip } from '../../../functions/domain/wording.ts';

/** No line that is printed is longer: a text of the service may be. */
const longestLine = 4_000;

/** What a terminal obeys and does not show, or what turns round what is beside it: Unicode's `Cc`, `Zl`, `Zp`, `Bidi_Control`. */
const unshown = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\ufeff]+/gu;

/**
 * A text as one line for a terminal, whatever is in it: what a service, a ledger or a caller wrote can neither begin a line of
 * its own nor move the cursor. Everything that the program prints comes through here, or through `printableJson`.
 */
export function printable(text: string): string {
  return clip(text.replaceAll(unshown, ' '), longestLine);
}

/** A text of several lines, which are ours. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

/** A value as JSON that a terminal shows as well: what it would obey is escaped. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(/[\u007f-\u009f\p{Zl}\p{Zp}\p{Bidi_Control}\ufeff]/gu, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
