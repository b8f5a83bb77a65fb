import type { Digest } from '../../../functions/domain/digest.ts';
import { mailLimits, type SectionInput } from '../../../functions/render/input.ts';
import { createLanguage, type Language } from '../../../functions/render/texts/language.ts';
import { input } from '../../support/digests/pieces.ts';
import english from '../../../templates/locales/en.json' with { type: 'json' };

export const language: Language = createLanguage('en', english, 'Europe/London');

/** What the sections of a digest's mail are made from. */
export function sectionOf(of: Digest, over: Partial<SectionInput> = {}): SectionInput {
  const { report, mail } = input(of);
  return { digest: of, report, mail, ...language, limits: mailLimits, page: null, files: 'attached', ...over };
}

/** The same without spaces that keep words together. */
export function plain<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value).replaceAll('\u00a0', ' '));
}
