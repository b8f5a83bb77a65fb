import handlebars from 'handlebars/runtime.js';
import type { Digest } from '../domain/digest.ts';
import { csvFiles, rowsOf, writeCsv, type AttachedFile, type CsvFile } from './csv.ts';
import { pageLimits, type MailToRender, type ReportToRender, type SectionInput } from './input.ts';
import { viewDigest, type DigestView, type Templates } from './render.ts';
import { viewBroadcasts } from './sections/broadcasts.ts';
import { viewDetails } from './sections/details.ts';
import { showForeignText } from './texts/foreign-text.ts';
import { createLanguages, type Language } from './texts/language.ts';

/** A digest with the settings that its page depends on. */
export interface PageInput {
  digest: Digest;
  report: ReportToRender;
  mail: MailToRender;
  /** What the names of the files follow in their links, which are relative to the page or not; `null` where there are none. */
  files: string | null;
  /** Pages of earlier digests of the report, the latest first. Their periods are instants with an offset. */
  earlier: readonly { start: string; end: string; url: string }[];
}

/** What a page and its files are made with. Both functions throw a `TypeError` where there are no messages for the locale. */
export interface PageRenderer {
  /** The whole digest as an html document that loads nothing and runs nothing. */
  renderPage: (input: PageInput) => string;
  /** A file as it comes with the mail. */
  renderCsv: (input: Pick<PageInput, 'digest' | 'report'> & { file: CsvFile }) => AttachedFile;
}

/** What pages are made of: the mail's own template, which has parts that only a page shows. */
export type PageTemplates = Pick<Templates, 'html' | 'locales' | 'logo'>;

/** A renderer of the pages behind the mails: the mail's own template and view, with room for everything. */
export function createPageRenderer({ html, locales, logo }: PageTemplates): PageRenderer {
  const renderHtml = handlebars.template<ReturnType<typeof viewPage>>(html);
  const createLanguage = createLanguages(locales);
  const languageOf = ({ digest, report }: Pick<PageInput, 'digest' | 'report'>): Language =>
    createLanguage(report.locale, digest.period.timeZone);
  const shownLogo = logo && { src: `data:image/png;base64,${logo.png}`, width: logo.width, height: logo.height };
  return {
    renderPage: (input) => renderHtml(viewPage(input, shownLogo, languageOf(input))),
    renderCsv: (input) => writeCsv(input.digest, input.file, languageOf(input)),
  };
}

/** A whole digest as the template shows it: the mail's view with room for everything, and each broadcast with its details. */
function viewPage({ files, earlier, ...settings }: PageInput, logo: DigestView['logo'], language: Language) {
  const { digest, report } = settings;
  const { wording, figures } = language;
  const frame = { ...settings, ...language, limits: pageLimits, hasPage: false, hasFile: files !== null };
  const input = { ...frame, details: viewDetails(frame) };
  const { start, end } = digest.period;
  const period = figures.days(start, end, 'long');
  const links = earlier.map(({ start, end, url }) => ({ label: figures.days(start, end, 'long'), link: url }));
  const [latest] = links;
  return {
    ...viewDigest(input, { logo, files: 'none', canUnsubscribe: false, test: false, page: null }),
    subject: wording.say('everything.title', { title: showForeignText(report.title) ?? '', period }),
    preheader: '',
    stillRead: null,
    page: {
      files: (files === null ? [] : csvFiles).map((file) => ({
        name: wording.say(`everything.${file}`),
        link: `${files}${digest.run}-${file}.csv`,
        rows: wording.count('everything.rows', rowsOf(digest, file).length),
      })),
      previous: latest && { ...latest, label: wording.say('everything.previous', { period: latest.label }) },
      earlier: latest && { heading: wording.say('everything.earlier'), links },
      sections: viewOthers(input),
    },
  };
}

/** The broadcasts that are not new, in the digest's order. Of all broadcasts only the first ones are shown. */
function viewOthers(input: SectionInput): Array<ReturnType<typeof viewBroadcasts>> {
  const { digest, limits, wording } = input;
  const kinds = [
    { kind: 'silent', key: 'everything.silent', note: null },
    { kind: 'active', key: 'everything.older', note: wording.say('everything.olderNote') },
    { kind: null, key: 'everything.unread', note: null },
  ] as const;
  return kinds.flatMap(({ kind, key, note }) => {
    const all = digest.broadcasts.filter((broadcast) => broadcast.kind === kind);
    const [first] = all;
    if (first === undefined) return [];
    const shown = Math.max(0, limits.broadcasts - digest.broadcasts.indexOf(first));
    return viewBroadcasts(all, { heading: wording.count(key, all.length), note, shown }, input);
  });
}
