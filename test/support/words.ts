import { createWording, messagesOf, type Wording } from '../../functions/domain/wording.ts';
import de from '../../templates/locales/de.json' with { type: 'json' };
import en from '../../templates/locales/en.json' with { type: 'json' };
import fr from '../../templates/locales/fr.json' with { type: 'json' };

export const locales = { de, en, fr };

/** The words of a mail in a language, whatever its file says: a test asks for a message by its key. */
export function wordsOf(locale: string): Wording {
  return createWording(locale, messagesOf(locale, locales));
}

/** The words of a mail in English. */
export const english = wordsOf('en');
