import handlebars from 'handlebars/runtime.js';
import type { Configuration } from '../domain/configuration/configuration.ts';
import { createWording, messagesOf, type Wording } from '../domain/wording.ts';
import { inkOn } from './colours.ts';
import type { Templates } from './render.ts';

export type ShortPageTemplates = Pick<Templates, 'locales'> & { shortPage: TemplateSpecification };

/** What a short page says: a heading, a sentence or two, and the buttons that each post a field. */
interface ShortPage {
  title: string;
  heading: string;
  note: string;
  buttons: ReadonlyArray<{ label: string; field: string; value: string; quiet: boolean }>;
}

/**
 * A renderer of short pages in the language of a locale. Each is a whole html document that loads nothing. It throws a
 * `TypeError` where there are no messages for the locale.
 */
export function createShortPages(templates: ShortPageTemplates, { brand }: Pick<Configuration['mail'], 'brand'>) {
  const { accent } = brand.colours;
  const frame = { brand: brand.name, accent, accentInk: inkOn(accent) };
  const render = handlebars.template<ShortPage & typeof frame & { locale: string }>(templates.shortPage);
  return (locale: string, say: (wording: Wording) => ShortPage): string =>
    render({ ...say(createWording(locale, messagesOf(locale, templates.locales))), locale, ...frame });
}
