import handlebars from 'handlebars/runtime.js';
import type { Digest } from '../digest/schema.ts';
import { pageLimits, type MailToRender, type ReportToRender, type SectionInput } from './input.ts';
import { viewDigest, type DigestView, type Templates } from './render.ts';
import { viewDetails } from './sections/details.ts';
import { sayPageNotes } from './sections/notes.ts';
import { viewTrend } from './sections/trend.ts';
import { showForeignText } from './texts/foreign-text.ts';
import { createLanguages, type Language } from './texts/language.ts';
import { sheetRowsOf, workbookName, writeWorkbook } from './workbook.ts';

export interface PageInput {
  digest: Digest;
  report: ReportToRender;
  mail: MailToRender;
  /** What the names of the files follow in their links, which are relative to the page or not; `null` where there are none. */
  files: string | null;
  /** Pages of earlier digests of the report, the latest first. Their periods are instants with an offset. */
  earlier: readonly { start: string; end: string; url: string }[];
}

/** What pages are made of: the mail's own template, which has parts that only a page shows. */
export type PageTemplates = Pick<Templates, 'html' | 'locales' | 'logo'>;

/**
 * A renderer of the pages behind the mails: the mail's own template and view, with room for everything. What it gives throws a
 * `TypeError` where there are no messages for the locale.
 */
export function createPageRenderer({ html, locales, logo }: PageTemplates) {
  const renderHtml = handlebars.template<ReturnType<typeof viewPage>>(html);
  const languageOf = createLanguages(locales);
  const shownLogo = logo && { src: `data:image/png;base64,${logo.png}`, width: logo.width, height: logo.height };
  return {
    /** The whole digest as an html document that loads nothing and runs nothing. */
    renderPage: (input: PageInput) =>
      renderHtml(viewPage(input, shownLogo, languageOf(input.report.locale, input.digest.period.timeZone))),
    /** The digest as a file. */
    writeWorkbook: ({ digest, report }: Pick<PageInput, 'digest' | 'report'>) =>
      writeWorkbook({ digest, report, ...languageOf(report.locale, digest.period.timeZone) }),
  };
}

/** A whole digest as the template shows it: the head of the mail, then every broadcast once, with all that is known of it. */
function viewPage({ files, earlier, ...settings }: PageInput, logo: DigestView['logo'], language: Language) {
  const { digest, report } = settings;
  const { wording, figures } = language;
  const input = { ...settings, ...language, limits: pageLimits, page: '', files: 'none' } as const;
  const view = viewDigest(input, { logo });
  return {
    ...view,
    subject: wording.say('page.digest', {
      title: showForeignText(report.title) ?? '',
      period: figures.period(digest.period, 'long'),
    }),
    preheader: '',
    fresh: null,
    earlier: null,
    trend: null,
    notes: [...view.notes, ...sayPageNotes(input)],
    page: { ...viewDetails(input), earlier: viewEarlierPages(earlier, input), file: viewFile(files, input) },
  };
}

/** The link to the workbook; `null` where there is none. */
function viewFile(files: string | null, { digest, mail, wording }: SectionInput) {
  if (files === null || mail.workbook === 'none') return null;
  const name = workbookName(digest);
  const rows = Object.values(sheetRowsOf(digest)).reduce((sum, sheet) => sum + sheet.length, 0);
  return { heading: wording.say('files.heading'), name, link: files + name, rows: wording.count('files.rows', rows) };
}

/** Earlier digests with the bars of the trend; `null` where there is none. */
function viewEarlierPages(earlier: PageInput['earlier'], input: SectionInput) {
  if (earlier.length === 0) return null;
  const { wording, figures, digest } = input;
  const trend = viewTrend(input, new Map(earlier.map(({ start, url }) => [start, url])));
  const others = earlier.filter(({ start }) => !trend?.periods.some((period) => period.start === start));
  return {
    heading: wording.say('digests.heading'),
    trend,
    others: others.map(({ url, ...period }) => ({
      label: figures.period({ kind: digest.period.kind, ...period }, 'long'),
      link: url,
    })),
  };
}
