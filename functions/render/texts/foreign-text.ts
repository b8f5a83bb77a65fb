import { clip } from '../../domain/wording.ts';

/**
 * The place of each subscriber's own unsubscribe link in a rendered mail. No text of the service or of the configuration
 * can contain it: control characters are removed from the one and refused in the other.
 */
export const unsubscribePlaceholder = '\u0001leave\u0001';

/** The longest name or other text of the service in the mail, in UTF-16 units. */
const longestName = 120;
const longestWord = 60;

/** Runs of white space, control characters (C0, DEL, C1), and line and paragraph separators. */
const breaks = /[\s\p{Cc}\u2028\u2029]+/gu;
/** Characters that change the direction of what follows (marks, embeddings, overrides, isolates), and the zero-width BOM. */
const directions = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

const firstStrongIsolate = '\u2068';
const popDirectionalIsolate = '\u2069';

/**
 * A text of the service as one harmless line: control and direction characters are removed, it is clipped to `length`,
 * and text that runs from right to left is isolated so that it cannot reorder what is next to it (Unicode standard
 * annex 9). `null` where nothing visible is left.
 */
export function showForeignText(text: string | null | undefined, length = longestName): string | null {
  const line = readOneLine(text ?? '');
  if (line === null) return null;
  const clipped = clip(line, length);
  return rightToLeft.test(clipped) ? firstStrongIsolate + clipped + popDirectionalIsolate : clipped;
}

/** A text of the service as one line, without control and direction characters. `null` where nothing visible is left. */
export function readOneLine(text: string): string | null {
  const line = text.toWellFormed().replaceAll(directions, '').replaceAll(breaks, ' ').trim();
  return visible.test(line) ? line : null;
}

/** A word of the service, such as `multiple_choice` or `pollResult`, made readable: "multiple choice". */
export function showWord(word: string): string | null {
  const words = word
    .replaceAll(/[_\s-]+/g, ' ')
    .replaceAll(/(?<=\p{Ll})\p{Lu}(?=\p{Ll})/gu, (capital) => ` ${capital.toLowerCase()}`)
    .trim();
  return showForeignText(words, longestWord);
}
