import type { Digest, DigestContent, DigestDelivery } from '../domain/digest.ts';
import { figuresOf, type Figures } from '../domain/figures.ts';
import type { TextKey } from '../domain/wording.ts';
import { sayFilter } from './sections/notes.ts';
import { readOneLine } from './texts/foreign-text.ts';
import type { Language } from './texts/language.ts';
import { sayReason, showStatus, showType } from './texts/names.ts';

/** Excel reads a file as UTF-8 only where it begins with this mark. */
const byteOrderMark = '\ufeff';
/** A spreadsheet runs a cell that begins with one of these as a formula. Some read the full-width forms in the same way. */
const formula = /^[=+\-@\uff1d\uff0b\uff0d\uff20|]/;
/** A spreadsheet of another language takes the other separator, so a cell begins after that, too. */
const formulaBehindSeparator = /[;,][\s"']*(?=[=+\-@\uff1d\uff0b\uff0d\uff20|])/g;

/** The files of a digest, by what their rows are: deliveries, or content items of a delivery. */
export const csvFiles = ['deliveries', 'items'] as const;
export type CsvFile = (typeof csvFiles)[number];

const linesAtOnce = 500;

type Cell = string | number | null | undefined;
/** A row of a delivery, or of one of its content items. */
interface Row {
  digest: Digest;
  delivery: DigestDelivery;
  /** Whether its broadcast asks for a response. */
  asks: boolean | null;
  /** `null` in the row of a delivery. */
  content: DigestContent | null;
  /** The content item, else the delivery: what is counted, with its figures. */
  counted: DigestDelivery | DigestContent;
  figures: Figures;
}
type Column<Heading = TextKey> = readonly [heading: Heading, cellOf: (row: Row, language: Language) => Cell];

const identifying: readonly Column[] = [
  ['csv.firstDay', ({ digest }) => digest.period.start.slice(0, 10)],
  // The end is the first instant after the period, and its date the day after.
  ['csv.lastDay', ({ digest }) => new Date(Date.parse(digest.period.end.slice(0, 10)) - 1).toISOString().slice(0, 10)],
  ['csv.broadcastId', ({ delivery }) => delivery.broadcast.id],
  ['csv.broadcast', ({ delivery }) => delivery.broadcast.name],
  ['csv.deliveryId', ({ delivery }) => delivery.id],
  ['csv.group', ({ delivery }, { wording }) => wording.say(`group.${delivery.kind ?? 'unavailable'}`)],
  ['csv.firstSeen', ({ delivery }) => delivery.firstSign?.slice(0, 19).replace('T', ' ')],
];
const counts: readonly Column[] = [
  ['csv.listed', ({ counted }) => counted.listed],
  ['csv.seen', ({ figures }) => figures.seen],
  ['csv.responded', ({ figures }) => figures.responded],
  ['csv.rate', ({ figures }) => figures.rate],
  ['csv.seenInPeriod', ({ figures }) => figures.inPeriod?.seen],
  ['csv.respondedInPeriod', ({ figures }) => figures.inPeriod?.responded],
  ['csv.reach', ({ figures }) => figures.share],
  ['csv.undated', ({ counted }) => counted.undated],
  ['csv.lackingFields', ({ counted }) => (counted.listed === null ? null : (counted.lackingFields ?? 0))],
];

const columnsOf: Readonly<Record<CsvFile, readonly Column[]>> = {
  deliveries: [
    ...identifying,
    ['csv.createdAt', ({ delivery }) => delivery.broadcast.createdAt?.slice(0, 19).replace('T', ' ')],
    ['csv.createdBy', ({ delivery }) => delivery.broadcast.createdBy],
    ['csv.status', ({ delivery }, language) => showStatus(delivery.status, language)],
    ['csv.asks', ({ asks }, language) => sayWhether(asks, language)],
    ['csv.stillCounting', ({ delivery }, language) => sayWhether(delivery.stillCounting, language)],
    ['csv.audience', ({ figures }) => figures.audience],
    ...counts,
  ],
  items: [
    ...identifying,
    ['csv.item', ({ delivery, content }) => content && (delivery.contents ?? []).indexOf(content) + 1],
    ['csv.itemId', ({ content }) => content?.id],
    ['csv.type', ({ content }, language) => content && showType(content.type, language)],
    ...counts,
    ['csv.ratings', ({ figures }) => figures.ratings],
    ['csv.mean', ({ figures }) => figures.mean],
    ['csv.unreadableRatings', ({ content }) => content?.ratings && (content.ratings.unreadable ?? 0)],
  ],
};

/** What the rows of a file are of, in the order of the mail. */
export function rowsOf(digest: Digest, file: CsvFile): Row[] {
  const asking = new Map(digest.broadcasts.flatMap(({ deliveries, asks }) => deliveries.map((id) => [id, asks])));
  return digest.deliveries.flatMap((delivery) => {
    const asks = asking.get(delivery.id) ?? null;
    const rowOf = (content: DigestContent | null): Row => {
      const counted = content ?? delivery;
      return { digest, delivery, asks, content, counted, figures: figuresOf({ ...counted, asks }, digest) };
    };
    return file === 'deliveries' ? [rowOf(null)] : (delivery.contents ?? []).map(rowOf);
  });
}

/**
 * One of the files of a digest, as Excel reads it in a language: UTF-8 with a byte order mark, otherwise RFC 4180 with the
 * language's separator and decimal sign. No row sums others, so every column of counts can be added up. Rates are ratios, dates
 * in the period's zone. A figure that is not available is an empty cell, and the last column says why. The text is
 * written piece by piece: of a large digest it is never there as a whole.
 */
export function writeCsv(digest: Digest, file: CsvFile, language: Language) {
  return { name: `${digest.run}-${file}.csv`, pieces: piecesOf(digest, file, language) };
}

function* piecesOf(digest: Digest, file: CsvFile, language: Language): Generator<string> {
  const { wording } = language;
  const rows = rowsOf(digest, file);
  const ratings = ratingsOf(rows);
  const filter = sayFilter({ digest, ...language });
  const columns: Array<Column<string>> = [
    ...columnsOf[file].map(([heading, cellOf]) => [wording.say(heading), cellOf] as const),
    ...(filter === null ? [] : [[wording.say('csv.filter'), () => filter] as const]),
    ...ratings.map((rating) => [wording.say('csv.rating', { rating }), (row: Row) => countOf(rating, row)] as const),
    [wording.say('csv.unavailable'), sayUnavailable],
  ];
  const writeLine = createLineWriter(language);
  yield byteOrderMark + writeLine(columns.map(([heading]) => heading));
  for (let start = 0; start < rows.length; start += linesAtOnce) {
    const lines = rows
      .slice(start, start + linesAtOnce)
      .map((row) => columns.map(([, cellOf]) => cellOf(row, language)));
    yield lines.map(writeLine).join('');
  }
}

function countOf(rating: string, { content, figures }: Row): number | undefined {
  const histogram = (figures.hasHistogram && content?.ratings?.histogram) || {};
  return Object.hasOwn(histogram, rating) ? histogram[rating] : undefined;
}

function sayWhether(value: boolean | null, { wording }: Language): string | null {
  return value === null ? null : wording.say(value ? 'csv.yes' : 'csv.no');
}

/** Why figures are missing. What its delivery lacks of the period a content item lacks, too. */
function sayUnavailable({ delivery, content, counted }: Row, language: Language): string | null {
  const lacksPeriodAlone = content !== null && content.seen !== null && content.inPeriod === null;
  const { unavailable, seen } = lacksPeriodAlone ? delivery : counted;
  return unavailable !== undefined || seen === null ? sayReason(unavailable, language) : null;
}

/** All ratings of which it is shown how often they were given, lowest first. Each has a column. */
function ratingsOf(rows: readonly Row[]): string[] {
  const shown = rows.filter(({ figures }) => figures.hasHistogram);
  const ratings = new Set(shown.flatMap(({ content }) => Object.keys(content?.ratings?.histogram ?? {})));
  return [...ratings].toSorted((one, other) => Number(one) - Number(other));
}

function createLineWriter({ locale }: Language): (cells: readonly Cell[]) => string {
  const decimalSign = new Intl.NumberFormat(locale).formatToParts(0.5)[1]?.value ?? '.';
  // Excel's list separator: where a comma is in the numbers, it cannot be between the cells.
  const separator = decimalSign === ',' ? ';' : ',';
  const write = (cell: Cell): string => {
    const text = typeof cell === 'number' ? String(cell).replace('.', decimalSign) : writeText(cell ?? '', separator);
    return text.includes(separator) || text.includes('"') ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return (cells) => `${cells.map(write).join(separator)}\r\n`;
}

function writeText(text: string, separator: string): string {
  const guard = (beginning: string): string => (beginning.startsWith(separator) ? beginning : `${beginning}'`);
  const line = (readOneLine(text) ?? '').replaceAll(formulaBehindSeparator, guard);
  return formula.test(line) ? `'${line}` : line;
}
