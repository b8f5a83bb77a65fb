import { localeOf, type Messages } from '../../domain/wording.ts';
import { createLanguage, type Language } from './language.ts';

/**
 * Gives the language of a locale (BCP 47) and a zone (IANA). Each is made once, because its formatters are costly to make.
 * Throws a `TypeError` where there are no messages for the locale.
 */
export function createLanguages(
  locales: Readonly<Record<string, Messages>>,
): (locale: string, timeZone: string) => Language {
  const languages = new Map<string, Language>();
  return (locale, timeZone) => {
    const messages = locales[localeOf(locale, Object.keys(locales)) ?? ''];
    if (!messages) {
      throw new TypeError(`There are no messages for the locale "${locale}".`);
    }
    const key = `${locale} ${timeZone}`;
    const language = languages.get(key) ?? createLanguage(locale, messages, timeZone);
    languages.set(key, language);
    return language;
  };
}
