import writeExcelFile, { type CellObject, type Feature, type Image, type Sheet } from 'write-excel-file/node';
import { figuresOf, type Figures } from '../digest/figures.ts';
import type { Digest, DigestBroadcast, DigestContent, DigestDelivery } from '../digest/schema.ts';
import type { TextKey } from '../domain/wording.ts';
import type { WorkbookInput } from './input.ts';
import { sayFilters } from './sections/earlier.ts';
import { readOneLine } from './texts/foreign-text.ts';
import { capitalize, lastInstant } from './texts/language.ts';
import { sayCause, showStatus, showType } from './texts/names.ts';

/** The media type of a workbook. */
export const workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** The most rows of all sheets: what a run has memory for, and what the page can answer with: Lambda takes 6 MB, in base64. */
const mostRows = 80_000;
/** The most characters of a cell (https://support.microsoft.com/office/excel-specifications-and-limits). */
const longestCell = 32_767;

/** What is counted in a row, with what it is of. */
interface Row {
  broadcast: DigestBroadcast;
  delivery?: DigestDelivery;
  content?: DigestContent;
  number?: number;
}

function partsOf({ broadcast, delivery, content }: Row): ReadonlyArray<DigestDelivery | DigestContent> {
  if (content !== undefined) return [content];
  return delivery === undefined ? broadcast.deliveries : [delivery];
}

type Cell = CellObject | null;
type WrittenSheet = Sheet<Image['content']>;
type Value = string | number | null | undefined;
type ColumnKey = Extract<TextKey, `sheet.column.${string}`> extends `sheet.column.${infer Key}` ? Key : never;
interface Column {
  key: ColumnKey;
  heading?: string;
  format: 'text' | 'count' | 'share' | 'mean' | 'date';
  valueOf: (row: Row, figures: Figures, input: WorkbookInput) => Value;
}

const text = (key: ColumnKey, valueOf: Column['valueOf']): Column => ({ key, format: 'text', valueOf });
const count = (key: ColumnKey, valueOf: Column['valueOf']): Column => ({ key, format: 'count', valueOf });

const named = [
  text('broadcastId', ({ broadcast }) => broadcast.id),
  text('broadcast', ({ broadcast }) => broadcast.name),
];
const counted = (['audience', 'seen', 'share', 'responded', 'answered', 'rate'] as const).map((key): Column => {
  const format = key === 'share' || key === 'rate' ? 'share' : 'count';
  return { key, format, valueOf: (_, figures) => figures[key] };
});
const inPeriod = [
  count('seenInPeriod', (_, figures) => figures.inPeriod.seen),
  count('respondedInPeriod', (_, figures) => figures.inPeriod.responded),
];
const unavailable = text('unavailable', (row, _, input) => {
  const parts = partsOf(row);
  const [why] = [...parts, row.delivery].flatMap((part) => part?.unavailable ?? []);
  return why === undefined && parts.every(({ seen }) => seen !== null) ? null : sayCause(why, input);
});
const sayWhether = (value: boolean | null, { wording }: WorkbookInput): string | null =>
  value === null ? null : wording.say(value ? 'sheet.yes' : 'sheet.no');

const columnsOf: Readonly<Record<'broadcasts' | 'deliveries' | 'items', readonly Column[]>> = {
  broadcasts: [
    ...named,
    text('group', ({ broadcast }, _, { wording }) => wording.say(`sheet.group.${broadcast.group}`)),
    { key: 'createdAt', format: 'date', valueOf: ({ broadcast }) => broadcast.createdAt },
    text('createdBy', ({ broadcast }, _, { report }) => (report.authors === 'named' ? broadcast.createdBy : null)),
    text('asks', ({ broadcast }, _, input) => sayWhether(broadcast.asks, input)),
    text('stillCounting', ({ broadcast }, _, input) => sayWhether(broadcast.stillCounting, input)),
    count('deliveries', ({ broadcast }) => broadcast.deliveries.length),
    ...counted,
    ...inPeriod,
  ],
  deliveries: [
    ...named,
    text('deliveryId', ({ delivery }) => delivery?.id),
    text('status', ({ delivery }, _, input) => showStatus(delivery?.status ?? '', input)),
    { key: 'firstSeen', format: 'date', valueOf: ({ delivery }) => delivery?.firstSign },
    text('isLater', ({ delivery }, _, input) => sayWhether(delivery?.isLater ?? null, input)),
    count('listed', ({ delivery }) => delivery?.listed),
    ...counted,
    ...inPeriod,
  ],
  items: [
    ...named,
    text('deliveryId', ({ delivery }) => delivery?.id),
    count('item', ({ number }) => number),
    text('itemId', ({ content }) => content?.id),
    text('type', ({ content }, _, input) => capitalize(showType(content?.type ?? '', input), input.locale)),
    count('listed', ({ content }) => content?.listed),
    ...counted,
    count('ratings', (_, { ratings }) => ratings?.count),
    { key: 'mean', format: 'mean', valueOf: (_, { ratings }) => ratings?.mean },
  ],
};

/** The rows of each sheet, in the order of the digest. */
export function sheetRowsOf({ broadcasts }: Digest): Record<keyof typeof columnsOf, Row[]> {
  const deliveries = broadcasts.flatMap((broadcast) =>
    broadcast.deliveries.map((delivery) => ({ broadcast, delivery })),
  );
  const items = deliveries.flatMap((row) =>
    (row.delivery.contents ?? []).map((content, place) => Object.assign({}, row, { content, number: place + 1 })),
  );
  return { broadcasts: broadcasts.map((broadcast) => ({ broadcast })), deliveries, items };
}

/** The name of a digest's workbook. */
export function workbookName({ run }: Pick<Digest, 'run'>): string {
  return `${run}.xlsx`;
}

/**
 * A digest as a workbook: a sheet of broadcasts, one of deliveries, one of content items, and one that explains each column. No row
 * sums others. Shares are ratios that are shown as percent, dates are in the period's zone, and a figure that is not known is an
 * empty cell.
 */
export async function writeWorkbook(input: WorkbookInput): Promise<{ name: string; content: Buffer }> {
  const sheets = sheetsOf(input);
  const written = [...sheets.map((sheet) => writeSheet(sheet, input)), explain(sheets, input)];
  const content = await writeExcelFile(written, { features: [filtered(sheets)] }).toBuffer();
  return { name: workbookName(input.digest), content };
}

type SheetOfRows = ReturnType<typeof sheetsOf>[number];

function sheetsOf({ digest, wording }: WorkbookInput) {
  const all = sheetRowsOf(digest);
  let room = mostRows;
  return (['broadcasts', 'deliveries', 'items'] as const).map((name) => {
    const ratings = name === 'items' ? ratingColumns(all.items, digest) : [];
    const columns = [...columnsOf[name], ...ratings, unavailable];
    const rows = all[name].slice(0, room);
    room -= rows.length;
    const headings = columns.map(({ key, heading }) => heading ?? wording.say(`sheet.column.${key}`));
    // There is no room for what is left.
    return { name: wording.say(`sheet.${name}`), columns, headings, rows, left: all[name].length - rows.length };
  });
}

function writeSheet({ name, columns, headings, rows }: SheetOfRows, input: WorkbookInput): WrittenSheet {
  const { minimumGroup } = input.digest;
  const head = headings.map((value): Cell => ({ type: String, value, fontWeight: 'bold', format: '@' }));
  const cells = rows.map((row) => {
    const asks = row.content === undefined ? row.broadcast.asks : null;
    const figures = figuresOf(partsOf(row), { minimumGroup, asks });
    return columns.map((column) => cellOf(column, column.valueOf(row, figures, input)));
  });
  const widths = columns.map(({ format, key }) => ({ width: key === 'broadcast' ? 40 : format === 'text' ? 18 : 14 }));
  return { data: [head, ...cells], sheet: name, columns: widths, stickyRowsCount: 1 };
}

function cellOf({ format }: Column, value: Value): Cell {
  if (value === null || value === undefined || value === '') return null;
  if (format === 'date') {
    // The day and the hour that the text says, which has the offset of the period's zone.
    return { type: Date, value: new Date(`${String(value).slice(0, 19)}Z`), format: 'yyyy-mm-dd hh:mm' };
  }
  if (typeof value === 'number') {
    const formats = { count: '0', share: '0%', mean: '0.0', text: '0' };
    return { type: Number, value, format: formats[format] };
  }
  return textCell(value);
}

function textCell(text: string): Cell {
  const value = readOneLine(text)?.slice(0, longestCell);
  return value === undefined ? null : { type: String, value, format: '@' };
}

/** A column for each rating of which it is shown how often it was given, the lowest first. */
function ratingColumns(rows: readonly Row[], { minimumGroup }: Digest): Column[] {
  const histogramOf = ({ content }: Row): Record<string, number> =>
    content?.ratings && figuresOf([content], { minimumGroup, asks: null }).ratings?.hasHistogram
      ? content.ratings.histogram
      : {};
  const ratings = [...new Set(rows.flatMap((row) => Object.keys(histogramOf(row))))];
  return ratings
    .toSorted((one, other) => Number(one) - Number(other))
    .map((rating) => ({
      key: 'rated',
      heading: rating,
      format: 'count',
      valueOf: (row) => {
        const histogram = histogramOf(row);
        return Object.hasOwn(histogram, rating) ? histogram[rating] : null;
      },
    }));
}

/** What the digest is, and what is in each column. */
function explain(sheets: readonly SheetOfRows[], input: WorkbookInput): WrittenSheet {
  const { digest, wording, figures } = input;
  const left = sheets.reduce((sum, sheet) => sum + sheet.left, 0);
  const lines = [
    figures.period(digest.period, 'long'),
    wording.say('notes.end', { day: figures.weekday(lastInstant(digest.period.end)) }),
    wording.say('notes.counted'),
    ...sayFilters(input),
    ...(left > 0 ? [wording.count('sheet.left', left)] : []),
  ];
  const explained = sheets.flatMap(({ name, columns, headings }) =>
    columns.map(({ key }, place) => [name, headings[place] ?? '', wording.say(`sheet.about.${key}`)]),
  );
  return {
    data: [...lines.map((line) => [line]), [], ...explained].map((texts) => texts.map(textCell)),
    sheet: wording.say('sheet.explained'),
    columns: [{ width: 20 }, { width: 28 }, { width: 80 }],
  };
}

/** The first row of each sheet of rows as a filter: in the sheet for Excel, and as a name of the workbook for LibreOffice. */
function filtered(sheets: readonly SheetOfRows[]): Feature<Image['content']> {
  const ranges = sheets.map(({ columns, rows }) => ({ column: columnName(columns.length), row: rows.length + 1 }));
  const names = ranges.map(
    ({ column, row }, place) =>
      `<definedName name="_xlnm._FilterDatabase" localSheetId="${place}" hidden="1">'${sheets[place]?.name}'!$A$1:$${column}$${row}</definedName>`,
  );
  return {
    files: {
      transform: {
        'xl/worksheets/sheet{id}.xml': {
          transform: (xml, _options, { sheetIndex }) => {
            const range = ranges[sheetIndex];
            if (range === undefined) return xml;
            return xml.replace('</sheetData>', `</sheetData><autoFilter ref="A1:${range.column}${range.row}"/>`);
          },
        },
        'xl/workbook.xml': {
          transform: (xml) => xml.replace('<definedNames/>', () => `<definedNames>${names.join('')}</definedNames>`),
        },
      },
    },
  };
}

/** The letters of a column, from 1: "A", "AB". */
function columnName(place: number): string {
  if (place === 0) return '';
  const rest = (place - 1) % 26;
  return columnName((place - 1 - rest) / 26) + String.fromCharCode(65 + rest);
}
