import handlebars from 'handlebars/runtime.js';
import type { Configuration } from '../domain/configuration/configuration.ts';
import { createWording, localeOf, type Messages, type Wording } from '../domain/wording.ts';

/** The compiled page and the messages of every locale. */
export interface PageTemplates {
  page: TemplateSpecification;
  locales: Readonly<Record<string, Messages>>;
}

/** The page: it asks, confirms that the subscriber has left or returned, or says that the link or the system does not work. */
export type PageKind = 'ask' | 'left' | 'returned' | 'invalid' | 'expired' | 'busy';

/** What the template shows: it adds layout and nothing else. */
interface PageView {
  locale: string;
  title: string;
  brand: string;
  accent: string;
  accentInk: string;
  heading: string;
  note: string;
  button: { label: string; field: string; value: string; quiet: boolean } | null;
}

/** The report that a page is about, or whose language it uses. */
export type ReportOfPage = Pick<Configuration['reports'][number], 'title' | 'locale'>;

/** A renderer of pages. Each is a whole html document that loads nothing. */
export function createPages(
  templates: PageTemplates,
  { brand }: Pick<Configuration['mail'], 'brand'>,
): (kind: PageKind, report: ReportOfPage) => string {
  const render = handlebars.template<PageView>(templates.page);
  return (kind, { title, locale }) => {
    const messages = templates.locales[localeOf(locale, Object.keys(templates.locales)) ?? ''];
    if (messages === undefined) throw new TypeError(`There are no messages for the locale "${locale}".`);
    const wording = createWording(locale, messages);
    return render({
      locale,
      title: wording.say('page.title'),
      brand: brand.name,
      accent: brand.colours.accent,
      accentInk: isLight(brand.colours.accent) ? '#17212b' : '#ffffff',
      heading: sayHeading(kind, title, wording),
      note: wording.say(`page.${kind}Note`),
      button: viewButton(kind, wording),
    });
  };
}

function sayHeading(kind: PageKind, title: string, wording: Wording): string {
  return kind === 'invalid' || kind === 'expired' || kind === 'busy'
    ? wording.say(`page.${kind}`)
    : wording.say(`page.${kind}`, { title });
}

/** The button sends what a mail program sends (RFC 8058), so that there is one way to unsubscribe. */
function viewButton(kind: PageKind, wording: Wording): PageView['button'] {
  const unsubscribe = { label: wording.say('page.leave'), field: 'List-Unsubscribe', value: 'One-Click' };
  if (kind === 'ask') return { ...unsubscribe, quiet: false };
  if (kind === 'returned') return { ...unsubscribe, quiet: true };
  return kind === 'left' ? { label: wording.say('page.return'), field: 'action', value: 'return', quiet: true } : null;
}

/** Whether dark text reads better on a colour (`#rrggbb`), by the W3C's perceived brightness, 0 to 255. */
function isLight(colour: string): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16));
  return red * 0.299 + green * 0.587 + blue * 0.114 > 130;
}
