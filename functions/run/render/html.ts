import handlebars from 'handlebars/runtime.js';
import type { ColoursView } from './rows/colours.ts';
import type { ContentView } from './rows/content-rows.ts';
import type { DeliveryView } from './rows/delivery-rows.ts';
import { fitRows } from './fit.ts';
import type { Language } from './texts/language.ts';
import type { DigestView } from './view.ts';

/** Gmail clips a mail after 102,400 bytes. The difference is for what is put in later, such as a subscriber's link. */
const HTML_BYTES = 99_500;

/** The place of the content items in a delivery's html. No text of a view contains a control character. */
const contentsPlaceholder = '\u0000';

/** The compiled templates of the html: the page, a delivery in it, and a content item in that. */
export interface HtmlTemplates {
  html: TemplateSpecification;
  delivery: TemplateSpecification;
  content: TemplateSpecification;
}

/** What the templates are given: a delivery's content items, and a page's deliveries, are html already. */
type DeliveryFrame = Omit<DeliveryView, 'contents'> & { colours: ColoursView; contents: string };
type ContentFrame = ContentView & { colours: ColoursView };
type PageFrame = Omit<DigestView, 'groups'> & {
  groups: (Omit<DigestView['groups'][number], 'deliveries'> & { deliveries: string[] })[];
};

/**
 * A renderer of views. It returns the html, under 100,000 bytes of UTF-8, and the view of what that html shows: last rows
 * that do not fit are left out. Each row is rendered and measured once, and only those that fit are put together.
 */
export function createHtmlRenderer(
  templates: HtmlTemplates,
): (whole: DigestView, language: Language) => { html: string; view: DigestView } {
  const renderPage = handlebars.template<PageFrame>(templates.html);
  const renderDelivery = handlebars.template<DeliveryFrame>(templates.delivery);
  const renderContent = handlebars.template<ContentFrame>(templates.content);
  return (whole, language) => {
    const { colours } = whole;
    const deliveries = new Map<DeliveryView, string>();
    const contents = new Map<ContentView, string>();
    const frame = (delivery: DeliveryView) => renderDelivery({ ...delivery, colours, contents: contentsPlaceholder });
    const sizes = {
      delivery: (delivery: DeliveryView) => {
        const html = frame(delivery);
        deliveries.set(delivery, html);
        return Buffer.byteLength(html);
      },
      content: (content: ContentView) => {
        const html = renderContent({ ...content, colours }).trim();
        contents.set(content, html);
        return Buffer.byteLength(html);
      },
    };
    const empty = whole.groups.map((group) => ({ ...group, deliveries: [] }));
    const room = HTML_BYTES - Buffer.byteLength(renderPage({ ...whole, groups: empty }));
    const view = fitRows(whole, language, sizes, room);
    const groups = view.groups.map((group) => ({
      ...group,
      deliveries: group.deliveries.map((delivery) => {
        const rows = delivery.contents.map((content) => contents.get(content) ?? '').join('');
        // A delivery that is shown in part says so: it was not rendered like that yet.
        return (deliveries.get(delivery) ?? frame(delivery)).replace(contentsPlaceholder, () => rows);
      }),
    }));
    return { html: renderPage({ ...view, groups }), view };
  };
}
