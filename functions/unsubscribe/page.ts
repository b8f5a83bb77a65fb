import type { Configuration } from '../domain/configuration/configuration.ts';
import type { Wording } from '../domain/wording.ts';
import { createShortPages, type ShortPageTemplates } from '../render/short-page.ts';

/** The page: it asks, confirms that the subscriber has left or returned, or says that the link or the system does not work. */
export type PageKind = 'ask' | 'left' | 'returned' | 'invalid' | 'expired' | 'busy';

/** The report that a page is about, or whose language it uses. */
export type ReportOfShortPage = Pick<Configuration['reports'][number], 'title' | 'locale'>;

/** A renderer of the pages behind unsubscribe links. */
export function createPages(
  templates: ShortPageTemplates,
  mail: Pick<Configuration['mail'], 'brand'>,
): (kind: PageKind, report: ReportOfShortPage) => string {
  const render = createShortPages(templates, mail);
  return (kind, { title, locale }) =>
    render(locale, (wording) => ({
      title: wording.say('page.title'),
      heading: sayHeading(kind, title, wording),
      note: wording.say(`page.${kind}Note`),
      button: viewButton(kind, wording),
    }));
}

function sayHeading(kind: PageKind, title: string, wording: Wording): string {
  return kind === 'invalid' || kind === 'expired' || kind === 'busy'
    ? wording.say(`page.${kind}`)
    : wording.say(`page.${kind}`, { title });
}

/** The button sends what a mail program sends (RFC 8058), so that there is one way to unsubscribe. */
function viewButton(
  kind: PageKind,
  wording: Wording,
): { label: string; field: string; value: string; quiet: boolean } | null {
  const unsubscribe = { label: wording.say('page.leave'), field: 'List-Unsubscribe', value: 'One-Click' };
  if (kind === 'ask') return { ...unsubscribe, quiet: false };
  if (kind === 'returned') return { ...unsubscribe, quiet: true };
  return kind === 'left' ? { label: wording.say('page.return'), field: 'action', value: 'return', quiet: true } : null;
}
