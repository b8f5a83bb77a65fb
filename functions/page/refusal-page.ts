import type { Configuration } from '../domain/configuration/configuration.ts';
import { createShortPages, type ShortPageTemplates } from '../render/short-page.ts';

/** Why there is no digest to show. */
export const refusals = ['invalid', 'expired', 'revoked', 'replaced', 'readOnly', 'tooLarge', 'busy'] as const;
export type Refusal = (typeof refusals)[number];

/** A renderer of the pages that say why there is no digest, and what to do. They name no report. */
export function createRefusalPages(
  templates: ShortPageTemplates,
  mail: Pick<Configuration['mail'], 'brand'>,
): (refusal: Refusal, locale: string) => string {
  const render = createShortPages(templates, mail);
  return (refusal, locale) =>
    render(locale, (wording) => ({
      title: wording.say('link.title'),
      heading: wording.say(`link.${refusal}`),
      note: wording.say(`link.${refusal}Note`),
      button: null,
    }));
}
