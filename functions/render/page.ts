import handlebars from 'handlebars/runtime.js';
import type { Digest } from '../domain/digest.ts';
import { figuresOf, type EngagedInPeriod } from '../domain/figures.ts';
import { csvFiles, rowsOf, writeCsv, type CsvFile } from './csv.ts';
import { pageLimits, shownDigest, type MailToRender, type ReportToRender, type SectionInput } from './input.ts';
import { viewDigest, type DigestView, type Templates } from './render.ts';
import { sortForPage, viewDetails, viewIndex } from './sections/details.ts';
import { scaleOf, viewLegend } from './sections/figures.ts';
import { sayPageNotes } from './sections/notes.ts';
import { viewTrend } from './sections/trend.ts';
import { showForeignText } from './texts/foreign-text.ts';
import { createLanguages, type Language } from './texts/language.ts';

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
  const createLanguage = createLanguages(locales);
  const languageOf = ({ digest, report }: Pick<PageInput, 'digest' | 'report'>): Language =>
    createLanguage(report.locale, digest.period.timeZone);
  const shownLogo = logo && { src: `data:image/png;base64,${logo.png}`, width: logo.width, height: logo.height };
  return {
    /** The whole digest as an html document that loads nothing and runs nothing. */
    renderPage: (input: PageInput) => {
      const language = languageOf(input);
      const digest = shownDigest(input.digest, input.mail, language.wording);
      return renderHtml(viewPage({ ...input, digest }, shownLogo, language));
    },
    renderCsv: ({ file, mail, ...input }: Pick<PageInput, 'digest' | 'report' | 'mail'> & { file: CsvFile }) => {
      const language = languageOf(input);
      return writeCsv(shownDigest(input.digest, mail, language.wording), file, language);
    },
  };
}

/** A whole digest as the template shows it: the head of the mail, then every broadcast, to be found in an index. */
function viewPage({ files, earlier, ...settings }: PageInput, logo: DigestView['logo'], language: Language) {
  const { digest, report } = settings;
  const { wording, figures } = language;
  const input = { ...settings, ...language, limits: pageLimits, page: '', files: 'none' } as const;
  const view = viewDigest(input, { logo, canUnsubscribe: false, test: false });
  const shown = digest.broadcasts.slice(0, pageLimits.broadcasts);
  const broadcasts = sortForPage(shown);
  const scale = scaleOf(broadcasts, digest);
  const more = digest.broadcasts.length - shown.length;
  return {
    ...view,
    subject: wording.say('page.digest', {
      title: showForeignText(report.title) ?? '',
      period: figures.period(digest.period, 'long'),
    }),
    preheader: '',
    nothing: null,
    fresh: null,
    trend: null,
    notes: [...view.notes, ...sayPageNotes(input)],
    page: {
      rate: sayRate(input),
      legend: viewLegend(broadcasts, scale, input),
      index: broadcasts.length === 0 ? null : viewIndex(broadcasts, scale, input),
      more: more > 0 ? wording.count('index.more', more) : null,
      details: {
        heading: wording.say('details.heading'),
        top: wording.say('details.top'),
        open: wording.say('details.open'),
      },
      broadcasts: viewDetails(broadcasts, scale, input),
      earlier: viewEarlier(earlier, input),
      files:
        files === null
          ? null
          : {
              heading: wording.say('files.heading'),
              files: csvFiles.map((file) => ({
                name: `${digest.run}-${file}.csv`,
                link: `${files}${digest.run}-${file}.csv`,
                rows: wording.count(`files.${file}`, rowsOf(digest, file).length),
              })),
            },
    },
  };
}

/** Earlier digests with the bars of the trend; `null` where there is none. */
function viewEarlier(earlier: PageInput['earlier'], input: SectionInput) {
  if (earlier.length === 0) return null;
  const { kind } = input.digest.period;
  const links = new Map(earlier.map(({ start, url }) => [start, url]));
  const { periods, ...trend } = viewTrend(input);
  const starts = new Set(periods.map(({ start }) => start));
  return {
    ...trend,
    heading: input.wording.say('earlier.heading'),
    periods: periods.map((period) => Object.assign(period, { link: links.get(period.start) ?? null })),
    others: earlier
      .filter(({ start }) => !starts.has(start))
      .map(({ url, ...period }) => ({ label: input.figures.period({ kind, ...period }, 'long'), link: url })),
  };
}

/** A change of a rate is said from so many on, on both sides. */
const leastForRate = 30;

/** Of those who saw something that asks, how many responded: "107 of 151 (71%)"; `null` where that is not known, or of few. */
function sayRate({ digest, wording, figures }: SectionInput): string | null {
  const { totals, period } = digest;
  const sayAnswered = (asked: EngagedInPeriod | null, least = 0): string | null => {
    if (asked === null || asked.seen < least) return null;
    const { rate } = figuresOf(asked, digest);
    const values = { seen: figures.count(asked.answered), audience: figures.count(asked.seen) };
    return rate === null ? null : wording.say('seenOf.rate', { ...values, rate: figures.rate(rate) });
  };
  const now = sayAnswered(totals.asked);
  if (now === null) return null;
  const kept = totals.comparison.basis === 'none' ? null : (totals.previous?.asked ?? null);
  const before = (totals.asked?.seen ?? 0) < leastForRate ? null : sayAnswered(kept, leastForRate);
  if (before === null) return wording.say('page.rate', { now });
  return wording.say('page.rateBefore', { now, before, period: wording.say(`before.${period.kind}`) });
}
