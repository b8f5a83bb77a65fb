import type { Digest, DigestContent, DigestDelivery } from '../domain/digest.ts';
import { audienceOf } from '../domain/broadcasts.ts';
import { clip, readOneLine } from './texts/foreign-text.ts';
import type { Language } from './texts/language.ts';
import { sayReason } from './texts/names.ts';

/** Excel reads a file as UTF-8 only where it begins with this mark. */
const BYTE_ORDER_MARK = '\ufeff';
/** A spreadsheet runs a cell that begins with one of these as a formula. Some read the full-width forms in the same way. */
const FORMULA = /^[=+\-@\uff1d\uff0b\uff0d\uff20|]/;

/** The most that an Excel cell holds, in UTF-16 units, the apostrophe before a formula included. */
const LONGEST_CELL = 32_767;

/** German and French spreadsheets take a semicolon for a separator, so a cell begins after one, too. */
const FORMULA_BEHIND_SEMICOLON = /(;[\s"']*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20|])/g;

/** A cell: a number is written with a decimal point, `null` is an empty cell. */
type Cell = string | number | null;
/** The cells of a row, by column. */
type Row = Readonly<Record<string, Cell>>;

const identity = [
  'row',
  'group',
  'deliveryId',
  'broadcastId',
  'broadcast',
  'createdAt',
  'createdBy',
  'status',
  'asks',
  'audience',
] as const;
const item = ['stillCounting', 'item', 'itemId', 'type'] as const;
const counts = ['listed', 'seen', 'responded', 'rate', 'seenInPeriod', 'respondedInPeriod', 'reach'] as const;
const rest = ['medianSeconds', 'undated', 'lackingFields', 'ratings', 'mean', 'unreadableRatings'] as const;
const columns = [...identity, ...item, ...counts, ...rest] as const;

/**
 * A line of headings, then a line for every delivery of a digest and for each of its content items: RFC 4180, UTF-8 with
 * a byte order mark. Rates are ratios, durations are in seconds, dates in the period's zone. A text that a spreadsheet
 * would run as a formula gets an apostrophe in front. A figure that is not available is an empty cell, and the last
 * column says why. Whether it asks for a response is said of the whole broadcast; the audience is that of a delivery, in its own
 * line, so that it adds up.
 */
export function writeCsv(digest: Digest, language: Language): string {
  const { wording } = language;
  const ratings = ratingsOf(digest);
  const headings = [
    ...columns.map((column) => wording.say(`csv.${column}`)),
    ...ratings.map((rating) => wording.say('csv.rating', { rating })),
    wording.say('csv.unavailable'),
  ];
  const names = [...columns, ...ratings.map(ratingColumn), 'unavailable'];
  const asking = new Map(digest.broadcasts.flatMap(({ asks, deliveries }) => deliveries.map((id) => [id, asks])));
  const lines = digest.deliveries.flatMap((delivery): Row[] => {
    const identityCells = identityOf(delivery, asking.get(delivery.id) ?? null, language);
    return [
      deliveryRow(delivery, identityCells, language),
      ...(delivery.contents ?? []).map((content, index) => contentRow(content, index, identityCells, language)),
    ];
  });
  const cells = [headings, ...lines.map((row) => names.map((name) => row[name] ?? null))];
  return BYTE_ORDER_MARK + cells.map((line) => `${line.map(writeCell).join(',')}\r\n`).join('');
}

function deliveryRow(delivery: DigestDelivery, identityCells: Row, language: Language): Row {
  return {
    ...identityCells,
    row: language.wording.say('csv.delivery'),
    audience: audienceOf(delivery),
    stillCounting: sayWhether(delivery.stillCounting, language),
    ...figuresOf(delivery),
  };
}

function sayWhether(value: boolean | null, { wording }: Language): string | null {
  return value === null ? null : wording.say(value ? 'csv.yes' : 'csv.no');
}

function contentRow(content: DigestContent, index: number, identityCells: Row, language: Language): Row {
  const { ratings } = content;
  const histogram = Object.entries(ratings?.histogram ?? {}).map(([rating, count]) => [ratingColumn(rating), count]);
  return {
    ...identityCells,
    row: language.wording.say('csv.content'),
    item: index + 1,
    itemId: content.id,
    type: content.type,
    ...figuresOf(content),
    ratings: ratings?.count ?? null,
    mean: ratings?.mean ?? null,
    unreadableRatings: ratings?.unreadable ?? (ratings === undefined ? null : 0),
    ...Object.fromEntries(histogram),
    // What its delivery lacks of the period it lacks, too.
    ...(content.seen !== null && content.inPeriod === null ? {} : { unavailable: reasonOf(content, language) }),
  };
}

function identityOf(delivery: DigestDelivery, asks: boolean | null, language: Language): Row {
  const { wording } = language;
  const { id, broadcast, kind, status } = delivery;
  return {
    group: wording.say(`group.${kind ?? 'unavailable'}`),
    deliveryId: id,
    broadcastId: broadcast.id,
    broadcast: broadcast.name,
    createdAt: broadcast.createdAt?.slice(0, 19).replace('T', ' ') ?? null,
    createdBy: broadcast.createdBy,
    status,
    asks: sayWhether(asks, language),
    unavailable: reasonOf(delivery, language),
  };
}

function figuresOf(of: DigestDelivery | DigestContent): Row {
  return {
    listed: of.listed,
    seen: of.seen,
    responded: of.responded,
    rate: of.responseRate,
    seenInPeriod: of.inPeriod?.seen ?? null,
    respondedInPeriod: of.inPeriod?.responded ?? null,
    reach: of.reach,
    medianSeconds: of.medianResponseSeconds,
    undated: of.undated,
    lackingFields: of.seen === null ? null : (of.lackingFields ?? 0),
  };
}

function reasonOf({ unavailable, seen }: DigestDelivery | DigestContent, language: Language): string | null {
  return unavailable !== undefined || seen === null ? sayReason(unavailable, language) : null;
}

/** All ratings that were given, lowest first. Each has a column. */
function ratingsOf({ deliveries }: Digest): string[] {
  const contents = deliveries.flatMap((delivery) => delivery.contents ?? []);
  const given = new Set(contents.flatMap(({ ratings }) => Object.keys(ratings?.histogram ?? {})));
  return [...given].toSorted((one, other) => Number(one) - Number(other));
}

function ratingColumn(rating: string): string {
  return `rating ${rating}`;
}

function writeCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const whole = (readOneLine(cell) ?? '').replaceAll(FORMULA_BEHIND_SEMICOLON, "$1'");
  const line = clip(whole, LONGEST_CELL - 1);
  const text = FORMULA.test(line) ? `'${line}` : line;
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
