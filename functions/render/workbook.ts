import writeExcelFile, { type CellObject, type Feature, type Image, type Sheet } from 'write-excel-file/node';
import { figuresOf } from '../digest/figures.ts';
import type { Digest, DigestBroadcast, DigestContent, DigestDelivery } from '../digest/schema.ts';
import type { Unavailable } from '../domain/reasons.ts';
import type { TextKey } from '../domain/wording.ts';
import type { ReportToRender } from './input.ts';
import { sayFilters } from './sections/earlier.ts';
import { readOneLine } from './texts/foreign-text.ts';
import { capitalize, lastInstant, type Language } from './texts/language.ts';
import { sayCause, showStatus, showType } from './texts/names.ts';

/** The media type of a workbook. */
export const workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** The most rows of all sheets: what a run has memory for, and what the page can answer with: Lambda takes 6 MB, in base64. */
const mostRows = 80_000;
/** The most characters of a cell (https://support.microsoft.com/office/excel-specifications-and-limits). */
const longestCell = 32_767;

interface Input extends Language {
  digest: Digest;
  report: Pick<ReportToRender, 'authors'>;
}

/** What is counted in a row, with what it is of. */
interface Row {
  broadcast: DigestBroadcast;
  delivery?: DigestDelivery;
  content?: DigestContent;
  number?: number;
  parts: ReadonlyArray<DigestDelivery | DigestContent>;
  unavailable: Unavailable | undefined;
}

type Cell = CellObject | null;
type WrittenSheet = Sheet<Image['content']>;
type Figures = ReturnType<typeof figuresOf>;
type Value = string | number | null | undefined;
type ColumnKey = Extract<TextKey, `sheet.column.${string}`> extends `sheet.column.${infer Key}` ? Key : never;
interface Column {
  key: ColumnKey;
  heading?: string;
  format: 'text' | 'count' | 'share' | 'mean' | 'date';
  valueOf: (row: Row, figures: Figures, input: Input) => Value;
}

const text = (key: ColumnKey, valueOf: Column['valueOf']): Column => ({ key, format: 'text', valueOf });
const count = (key: ColumnKey, valueOf: Column['valueOf']): Column => ({ key, format: 'count', valueOf });

const named = [
  text('broadcastId', ({ broadcast }) => broadcast.id),
  text('broadcast', ({ broadcast }) => broadcast.name),
];
const counted: Column[] = [
  count('audience', (_, { audience }) => audience),
  count('seen', (_, { seen }) => seen),
  { key: 'share', format: 'share', valueOf: (_, { share }) => share },
  count('responded', (_, { responded }) => responded),
  count('answered', (_, { answered }) => answered),
  { key: 'rate', format: 'share', valueOf: (_, { rate }) => rate },
];
const inPeriod = [
  count('seenInPeriod', (_, figures) => figures.inPeriod.seen),
  count('respondedInPeriod', (_, figures) => figures.inPeriod.responded),
];
const unavailable = text('unavailable', ({ unavailable: why, parts }, _, input) =>
  why === undefined && parts.every(({ seen }) => seen !== null) ? null : sayCause(why, input),
);
const sayWhether = (value: boolean | null, { wording }: Input): string | null =>
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
    unavailable,
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
    unavailable,
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
    unavailable,
  ],
};

/** The rows of each sheet, in the order of the digest. */
export function sheetRowsOf({ broadcasts }: Digest): Record<keyof typeof columnsOf, Row[]> {
  const deliveries = broadcasts.flatMap((broadcast) =>
    broadcast.deliveries.map((delivery): Row => {
      return { broadcast, delivery, parts: [delivery], unavailable: delivery.unavailable };
    }),
  );
  return {
    broadcasts: broadcasts.map((broadcast): Row => {
      const lacking = broadcast.deliveries.find((delivery) => delivery.unavailable !== undefined);
      return { broadcast, parts: broadcast.deliveries, unavailable: lacking?.unavailable };
    }),
    deliveries,
    items: deliveries.flatMap((row) =>
      (row.delivery?.contents ?? []).map((content, place): Row => {
        const unavailable = content.unavailable ?? row.unavailable;
        return Object.assign({}, row, { content, number: place + 1, parts: [content], unavailable });
      }),
    ),
  };
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
export async function writeWorkbook(input: Input): Promise<{ name: string; content: Buffer }> {
  const { digest, wording } = input;
  const all = sheetRowsOf(digest);
  const ratings = ratingColumns(all.items, digest);
  let room = mostRows;
  const sheets = (['broadcasts', 'deliveries', 'items'] as const).map((name) => {
    const columns = name === 'items' ? [...columnsOf.items.slice(0, -1), ...ratings, unavailable] : columnsOf[name];
    const rows = all[name].slice(0, room);
    room -= rows.length;
    return { name: wording.say(`sheet.${name}`), columns, rows, left: all[name].length - rows.length };
  });
  const left = sheets.reduce((sum, sheet) => sum + sheet.left, 0);
  const written = sheets.map(({ name, columns, rows }): WrittenSheet => {
    const headings = columns.map((column): Cell => headingOf(headingOfColumn(column, input)));
    const cells = rows.map((row) => {
      const asks = row.content === undefined ? row.broadcast.asks : null;
      const figures = figuresOf(row.parts, { minimumGroup: digest.minimumGroup, asks });
      return columns.map((column) => cellOf(column, column.valueOf(row, figures, input)));
    });
    const widths = columns.map(({ format, key }) => ({
      width: key === 'broadcast' ? 40 : format === 'text' ? 18 : 14,
    }));
    return { data: [headings, ...cells], sheet: name, columns: widths, stickyRowsCount: 1 };
  });
  const about = explain(
    sheets.map(({ name, columns }) => ({ name, columns })),
    left,
    input,
  );
  const content = await writeExcelFile([...written, about], { features: [filtered(sheets)] }).toBuffer();
  return { name: workbookName(digest), content };
}

function headingOfColumn({ key, heading }: Column, { wording }: Input): string {
  return heading ?? wording.say(`sheet.column.${key}`);
}

const headingOf = (value: string): Cell => ({ type: String, value, fontWeight: 'bold', format: '@' });

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
function explain(
  sheets: ReadonlyArray<{ name: string; columns: readonly Column[] }>,
  left: number,
  input: Input,
): WrittenSheet {
  const { digest, wording, figures } = input;
  const lines = [
    figures.period(digest.period, 'long'),
    wording.say('notes.end', { day: figures.weekday(lastInstant(digest.period.end)) }),
    wording.say('notes.counted'),
    ...sayFilters(input),
    ...(left > 0 ? [wording.count('sheet.left', left)] : []),
  ];
  const explained = sheets.flatMap(({ name, columns }) =>
    columns.map((column) => [
      textCell(name),
      textCell(headingOfColumn(column, input)),
      textCell(wording.say(`sheet.about.${column.key}`)),
    ]),
  );
  return {
    data: [...lines.map((line) => [textCell(line)]), [], ...explained],
    sheet: wording.say('sheet.explained'),
    columns: [{ width: 20 }, { width: 28 }, { width: 80 }],
  };
}

/** The first row of each sheet of rows as a filter: in the sheet for Excel, and as a name of the workbook for LibreOffice. */
function filtered(
  sheets: ReadonlyArray<{ name: string; columns: readonly Column[]; rows: readonly Row[] }>,
): Feature<Image['content']> {
  const ranges = sheets.map(({ name, columns, rows }) => {
    return { name, column: columnName(columns.length), row: rows.length + 1 };
  });
  const names = ranges.map(
    ({ name, column, row }, place) =>
      `<definedName name="_xlnm._FilterDatabase" localSheetId="${place}" hidden="1">'${name}'!$A$1:$${column}$${row}</definedName>`,
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
