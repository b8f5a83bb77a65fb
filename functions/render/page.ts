import handlebars from 'handlebars/runtime.js';
import { writeCsv } from './csv.ts';
import { viewPage, type PageInput } from './page-view.ts';
import type { AttachedFile, Templates } from './render.ts';
import { createLanguages } from './texts/languages.ts';
import type { DigestView } from './view.ts';

/** What a page and its file are made with. Both functions throw a `TypeError` where there are no messages for the locale. */
export interface PageRenderer {
  /** The whole digest as an html document that loads nothing and runs nothing. */
  renderPage: (input: PageInput) => string;
  /** The file with a row for every delivery and content item, as it comes with the mail. */
  renderCsv: (input: Pick<PageInput, 'digest' | 'report'>) => AttachedFile;
}

/** What pages are made of: the mail's own template, with what only a page has. */
export interface PageTemplates extends Pick<Templates, 'locales' | 'logo'> {
  page: TemplateSpecification;
}

/** A renderer of the pages behind the mails: the mail's own template and view, with room for everything. */
export function createPageRenderer({ page, locales, logo }: PageTemplates): PageRenderer {
  const renderHtml = handlebars.template<DigestView>(page);
  const languageOf = createLanguages(locales);
  const shownLogo = logo && { src: `data:image/png;base64,${logo.png}`, width: logo.width, height: logo.height };
  return {
    renderPage: (input) =>
      renderHtml(viewPage(input, shownLogo, languageOf(input.report.locale, input.digest.period.timeZone))),
    renderCsv: ({ digest, report }) => ({
      name: `${digest.run}.csv`,
      content: writeCsv(digest, languageOf(report.locale, digest.period.timeZone)),
    }),
  };
}
