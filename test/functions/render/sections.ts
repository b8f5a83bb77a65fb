import type { Digest } from '../../../functions/domain/digest.ts';
import { mailLimits, type SectionInput } from '../../../functions/render/input.ts';
import { createLanguage, type Language } from '../../../functions/render/texts/language.ts';
import { input } from '../../support/digests/pieces.ts';
import { locales } from '../../support/words.ts';
import { keyLanguage } from './outputs/key-locale.ts';

/** The language of files in English. */
export const language: Language = createLanguage('en', locales.en, 'Europe/London');

/** What the sections of a digest's mail are made from, with keys for words. */
export function sectionOf(digest: Digest, over: Partial<SectionInput> = {}): SectionInput {
  const { report, mail } = input(digest);
  return { digest, report, mail, ...keyLanguage, limits: mailLimits, page: null, files: 'attached', ...over };
}
