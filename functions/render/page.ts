import handlebars from 'handlebars/runtime.js';
import type { DigestBroadcast, DigestDelivery } from '../digest/schema.ts';
import type { DigestToRender, SectionInput } from './input.ts';
import { pageLimits } from './limits.ts';
import { viewDigest, type DigestView, type Templates } from './render.ts';
import { sayPageNotes } from './sections/notes.ts';
import { viewTrend } from './sections/trend.ts';
import { showForeignText } from './texts/foreign-text.ts';
import { createLanguages, type Language, capitalize } from './texts/language.ts';
import { sheetRowsOf, workbookName, writeWorkbook } from './workbook.ts';
import { addCount, createCounts } from '../domain/counts-by-word.ts';
import { figuresOf, type Figures } from '../digest/figures.ts';
import { itemFiguresOf, rowsOf, type Row } from './row-figures.ts';
import { anchorOf, linkToBroadcast, sayCause, showStatus, showType } from './texts/names.ts';
import { percentOf, scaleOf, viewLegend, width } from './sections/bars.ts';
import { saySums } from './sections/counts.ts';
import { sayMean, viewRow } from './sections/new.ts';

export interface PageInput extends DigestToRender {
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
  const period = figures.period(digest.period, 'long');
  return {
    ...view,
    subject: wording.say('page.digest', { title: showForeignText(report.title) ?? '', period }),
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
  const { kind } = digest.period;
  const others = earlier
    .filter(({ start }) => !trend?.periods.some((period) => period.start === start))
    .map(({ url, start, end }) => ({ label: figures.period({ kind, start, end }, 'long'), link: url }));
  return { heading: wording.say('digests.heading'), trend, others };
}

/** The most rows of tables, of content items and deliveries in all, and of the deliveries of one broadcast. */
const mostRows = 4000;
const mostDeliveries = 400;

/** More different ratings than this, such as those from 0 to 100, have no bars. */
const mostBars = 11;

/** Every broadcast of the digest once, by its group, which is their order, with as many rows in all as there is room for: the first ones have theirs. */
function viewDetails(input: SectionInput) {
  const { digest, limits, wording, countIfAny } = input;
  const rows = rowsOf(digest).slice(0, limits.broadcasts);
  const scale = scaleOf(rows);
  let room = mostRows;
  const groups = [...Map.groupBy(rows, ({ broadcast }) => broadcast.group)].map(([group, ofGroup]) => ({
    heading: wording.count(`group.${group}`, ofGroup.length),
    broadcasts: ofGroup.map((row) => {
      const { length, ...details } = viewTables(row, room, input);
      room -= length;
      return {
        row: viewRow(row, scale, input),
        link: linkToBroadcast(input.mail.broadcastLink, row.broadcast),
        anchor: anchorOf(digest.broadcasts.indexOf(row.broadcast) + 1),
        about: sayAbout(row.broadcast, input),
        ...details,
      };
    }),
  }));
  return {
    legend: viewLegend(rows, scale, input),
    groups,
    more: countIfAny('details.more', digest.broadcasts.length - rows.length),
    open: wording.say('details.open'),
    top: wording.say('details.top'),
  };
}

/** When it was created and first seen, and by whom it is. */
function sayAbout(broadcast: DigestBroadcast, { digest, report, wording, figures, join }: SectionInput): string {
  const { createdAt, createdBy, deliveries } = broadcast;
  const author = report.authors === 'named' ? showForeignText(createdBy) : null;
  const [firstSign] = deliveries.flatMap((delivery) => delivery.firstSign ?? []).toSorted();
  const dateOf = (instant: string): string => figures.day(instant, digest.period.start);
  return join([
    createdAt === null ? null : wording.say('details.created', { date: dateOf(createdAt) }),
    author === null ? null : wording.say('details.by', { name: author }),
    firstSign === undefined ? null : wording.say('details.firstSeen', { date: dateOf(firstSign) }),
    broadcast.asks === false ? wording.say('details.asksNothing') : null,
  ]);
}

/** The tables of a broadcast: its content items, and its deliveries where there are several. */
function viewTables({ broadcast }: Row, room: number, input: SectionInput) {
  const { digest, limits, wording, countIfAny } = input;
  const items = itemFiguresOf(broadcast, digest, () => true);
  const several = broadcast.deliveries.length > 1 ? broadcast.deliveries : [];
  const shownItems = items.slice(0, Math.min(limits.items, room));
  const shownRows = several.slice(0, Math.min(mostDeliveries, room - shownItems.length));
  const isUnread = broadcast.deliveries.every(({ contents }) => contents === null);
  const gap = digest.unavailable.find((one) => one.what === 'broadcast' && one.broadcast?.id === broadcast.id);
  const ofItems = shownItems.map((item, place) => viewItem(item, place + 1, input));
  const ofRows = shownRows.map((delivery, place) => viewDelivery(delivery, place + 1, broadcast, input));
  return {
    tables: [...viewTable('item', ofItems, input), ...viewTable('delivery', ofRows, input)],
    length: shownItems.length + shownRows.length,
    notes: [
      isUnread ? wording.say('items.none', { reason: sayCause(gap, input) }) : null,
      countIfAny('items.more', items.length - shownItems.length),
      countIfAny('deliveries.more', several.length - shownRows.length),
    ].filter((note) => note !== null),
  };
}

/** A content item of a broadcast, over all of its deliveries. */
function viewItem(item: ReturnType<typeof itemFiguresOf>[number], number: number, input: SectionInput) {
  const { wording, figures, locale } = input;
  const { ratings, unavailable } = item;
  const type = capitalize(showType(item.type, input), locale);
  const details = [
    ratings === null || ratings.count === 0 ? null : wording.count('ratings.count', ratings.count),
    sayMean(item, input),
    unavailable === undefined && item.seen !== null ? null : sayCause(unavailable, input),
  ];
  return {
    name: wording.say('item.name', { number: figures.count(number), type }),
    ...viewFigures(item, details, input),
    ratings: ratings?.hasHistogram ? viewRatings(item.histograms, input) : null,
  };
}

function viewDelivery(delivery: DigestDelivery, number: number, broadcast: DigestBroadcast, input: SectionInput) {
  const { digest, wording, figures } = input;
  const { firstSign, status, isLater, unavailable, seen } = delivery;
  const { asks, deliveries } = broadcast;
  const details = [
    firstSign && wording.say('details.firstSeen', { date: figures.day(firstSign, digest.period.start) }),
    isLater ? wording.say('delivery.later') : null,
    wording.say('details.status', { status: showStatus(status, input) ?? wording.say('name.none') }),
    seen === null || unavailable !== undefined ? sayCause(unavailable, input) : null,
  ];
  return {
    name: wording.count('delivery.name', deliveries.length, { number: figures.count(number) }),
    ...viewFigures(figuresOf([delivery], { minimumGroup: digest.minimumGroup, asks }), details, input),
    ratings: null,
  };
}

/** The figures of a row of a table, and beside them what came in the period, where that is not what there is by its end. */
function viewFigures(row: Figures, details: ReadonlyArray<string | null>, input: SectionInput) {
  const { wording, figures, join } = input;
  const { seen, responded, audience, share, inPeriod } = row;
  const isAll = inPeriod.seen === null || (seen === inPeriod.seen && responded === inPeriod.responded);
  const counts = isAll ? null : saySums(inPeriod, input);
  return {
    detail: join([...details, counts && wording.say('inPeriod', { counts })]),
    seen: figures.count(seen),
    audience: figures.count(audience),
    share: figures.rate(share),
    responded: figures.count(responded),
    hasAudience: audience !== null,
  };
}

/** A table of a page; none without rows. Those whom it is for have columns where they are known of one. */
function viewTable(name: 'item' | 'delivery', rows: ReadonlyArray<ReturnType<typeof viewItem>>, input: SectionInput) {
  const { wording } = input;
  const columns = {
    name: wording.say(`column.${name}`),
    seen: wording.say('column.seen'),
    audience: rows.some(({ hasAudience }) => hasAudience) ? wording.say('column.audience') : null,
    share: wording.say('column.share'),
    responded: wording.say('column.responded'),
  };
  return rows.length === 0 ? [] : [{ columns, rows }];
}

/** How often each rating was given to an item, the highest first; `null` where nobody gave one. */
function viewRatings(histograms: ReadonlyArray<Record<string, number>>, { wording, figures }: SectionInput) {
  const sum = createCounts();
  const given = histograms.flatMap((histogram) => Object.entries(histogram));
  for (const [rating, count] of given) addCount(sum, rating, count);
  const ratings = Object.entries(sum).toSorted(([one], [other]) => Number(other) - Number(one));
  if (ratings.length === 0) return null;
  const most = Math.max(1, ...ratings.map(([, count]) => count));
  const hasBars = ratings.length <= mostBars;
  return {
    label: wording.say('ratings.heading'),
    rows: ratings.map(([rating, count]) => ({
      rating: wording.say('ratings.of', { rating: showForeignText(rating, 20) ?? wording.say('name.none') }),
      count: figures.count(count),
      /** Against the rating that was given most often; `null` for none. */
      bar: hasBars ? width(percentOf(count, most)) : null,
    })),
    hasBars,
  };
}
