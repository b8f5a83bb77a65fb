import { createFormats, type Formats } from './formats.ts';
import { createWording, type Messages, type Wording } from '../../domain/wording.ts';

/** The wording and the formats of one locale and zone. */
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
