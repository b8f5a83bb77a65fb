import handlebars from 'handlebars/runtime.js';
import type { Digest } from '../domain/digest.ts';
import { writeCsv } from './csv.ts';
import { pageLimits } from './limits.ts';
import type { AttachedFile, Templates } from './render.ts';
import type { MailToRender, ReportToRender } from './settings.ts';
import { createLanguages } from './texts/languages.ts';
import { showForeignText } from './texts/foreign-text.ts';
import { viewDigest, type DigestView } from './view.ts';

/** A digest with the settings that its page depends on. */
export interface PageInput {
  digest: Digest;
  report: ReportToRender;
  mail: MailToRender;
  /** Where the file with all rows is, absolute or relative to the page; `null` where there is none. */
  csv: string | null;
  /** Pages of earlier digests of the report, the latest first. Their periods are instants with an offset. */
  earlier: readonly { start: string; end: string; url: string }[];
}

/** What a page and its file are made with. Both functions throw a `TypeError` where there are no messages for the locale. */
export interface PageRenderer {
  /** The whole digest as an html document that loads nothing and runs nothing. */
  renderPage(input: PageInput): string;
  /** The file with a row for every delivery and content item, as it comes with the mail. */
  renderCsv(input: Pick<PageInput, 'digest' | 'report'>): AttachedFile;
}

/** A renderer of the pages behind the mails: the mail's own template and view, with room for everything. */
export function createPageRenderer(templates: Templates): PageRenderer {
  const renderHtml = handlebars.template<DigestView>(templates.html);
  const languageOf = createLanguages(templates.locales);
  const { logo } = templates;
  return {
    renderPage: ({ digest, report, mail, csv }) => {
      const language = languageOf(report.locale, digest.period.timeZone);
      const file = csv === null ? 'none' : { name: `${digest.run}.csv` };
      const shown = { digest, report, mail, logo, file, limits: pageLimits, page: null } as const;
      const view = viewDigest({ ...shown, canUnsubscribe: false, test: false }, language);
      const { start, end } = digest.period;
      return renderHtml({
        ...view,
        subject: `${showForeignText(report.title) ?? ''}, ${language.figures.days(start, end, 'long')}`,
        preheader: '',
        logo: logo && { src: `data:image/png;base64,${logo.png}`, width: logo.width, height: logo.height },
      });
    },
    renderCsv: ({ digest, report }) => ({
      name: `${digest.run}.csv`,
      content: writeCsv(digest, languageOf(report.locale, digest.period.timeZone)),
    }),
  };
}
