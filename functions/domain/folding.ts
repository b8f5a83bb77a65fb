import { memoize } from './wording.ts';

/** Made with the first character that needs it: to make one takes longer than to load most of the other modules. */
const collatorOf = memoize((locale: string) => new Intl.Collator(locale, { sensitivity: 'base' }));
/** What a character may be without its accent, its stroke or its curl: nothing, where nobody sees it. */
const plainTexts = ` ' " a b c d e f g h i j k l m n o p q r s t u v w x y z ae oe ss`.split(' ');

const plainOf = memoize((character: string): string => {
  const [base = ''] = character.normalize('NFD');
  return [...plainTexts, base].find((text) => collatorOf('en').compare(text, character) === 0) ?? character;
});

/**
 * A text as it is compared: compatibility forms, case, accents, curly quotes, kinds of dashes, white space and characters that
 * nobody sees make no difference. Letters are one that `Intl.Collator` holds to be one at base strength; it compares whole
 * texts, and a text is also looked for within another one, so each character is replaced by the plain one.
 */
export function comparable(text: string): string {
  return text
    .replaceAll(/[`´ʼ′‹›]/g, "'")
    .replaceAll(/[«»″]/g, '"')
    .replaceAll(/[\p{Pd}−]/gu, '-')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\P{ASCII}/gu, plainOf)
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Texts as they are compared, each once, whatever their order. */
export function comparableSet(texts: readonly string[]): string[] {
  return [...new Set(texts.map(comparable))].toSorted();
}

/** A content item's type as it is compared, whether as the service writes it or as mails show it: `multiple_choice` is "Multiple choice". */
export function comparableType(type: string): string {
  return comparable(type).replaceAll(/[_ -]+/g, '');
}
