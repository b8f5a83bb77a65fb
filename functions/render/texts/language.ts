import { createWording, messagesOf, type Messages, type Wording } from '../../domain/wording.ts';
import { createFormats, type Formats } from './formats.ts';

export interface Language {
  readonly locale: string;
  readonly wording: Wording;
  readonly figures: Formats;
}

/** The language of a report: its locale (BCP 47), the messages of that locale, and the period's zone (IANA). */
export function createLanguage(locale: string, messages: Messages, timeZone: string): Language {
  const wording = createWording(locale, messages);
  return { locale, wording, figures: createFormats(locale, timeZone, wording) };
}

/**
 * Gives the language of a locale (BCP 47) and a zone (IANA). Each is made once, because its formatters are costly to make.
 * Throws a `TypeError` where there are no messages for the locale.
 */
export function createLanguages(
  locales: Readonly<Record<string, Messages>>,
): (locale: string, timeZone: string) => Language {
  const languages = new Map<string, Language>();
  return (locale, timeZone) => {
    const key = `${locale} ${timeZone}`;
    const language = languages.get(key) ?? createLanguage(locale, messagesOf(locale, locales), timeZone);
    languages.set(key, language);
    return language;
  };
}

/** Facts in one line, without those that are not there; `null` where none is. */
export function joinFacts(facts: ReadonlyArray<string | null>, separator: string): string | null {
  const known = facts.filter((fact) => fact !== null && fact !== '');
  return known.length === 0 ? null : known.join(separator);
}

export function capitalize(text: string, locale: string): string {
  return text.slice(0, 1).toLocaleUpperCase(locale) + text.slice(1);
}
