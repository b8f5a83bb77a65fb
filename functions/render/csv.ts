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
/** What a line is of: a delivery, or one of its content items. */
interface Line extends Language {
  delivery: DigestDelivery;
  /** `null` in the line of the delivery itself. */
  content: DigestContent | null;
  /** The place of the content item among those of its delivery, from 1. */
  place: number | null;
  /** The one of both whose figures they are. */
  of: DigestDelivery | DigestContent;
  asks: boolean | null;
}

/** The columns before those of the ratings, in their order, by the message of their heading. */
const columns = [
  ['row', ({ content, wording }) => wording.say(content === null ? 'csv.delivery' : 'csv.content')],
  ['group', ({ delivery, wording }) => wording.say(`group.${delivery.kind ?? 'unavailable'}`)],
  ['deliveryId', ({ delivery }) => delivery.id],
  ['broadcastId', ({ delivery }) => delivery.broadcast.id],
  ['broadcast', ({ delivery }) => delivery.broadcast.name],
  ['createdAt', ({ delivery }) => delivery.broadcast.createdAt?.slice(0, 19).replace('T', ' ') ?? null],
  ['createdBy', ({ delivery }) => delivery.broadcast.createdBy],
  ['status', ({ delivery }) => delivery.status],
  ['asks', ({ asks, wording }) => sayWhether(asks, wording)],
  ['audience', ({ delivery, content }) => (content === null ? audienceOf(delivery) : null)],
  [
    'stillCounting',
    ({ delivery, content, wording }) => (content === null ? sayWhether(delivery.stillCounting, wording) : null),
  ],
  ['item', ({ place }) => place],
  ['itemId', ({ content }) => content?.id ?? null],
  ['type', ({ content }) => content?.type ?? null],
  ['listed', ({ of }) => of.listed],
  ['seen', ({ of }) => of.seen],
  ['responded', ({ of }) => of.responded],
  ['rate', ({ of }) => of.responseRate],
  ['seenInPeriod', ({ of }) => of.inPeriod?.seen ?? null],
  ['respondedInPeriod', ({ of }) => of.inPeriod?.responded ?? null],
  ['reach', ({ of }) => of.reach],
  ['medianSeconds', ({ of }) => of.medianResponseSeconds],
  ['undated', ({ of }) => of.undated],
  ['lackingFields', ({ of }) => (of.seen === null ? null : (of.lackingFields ?? 0))],
  ['ratings', ({ content }) => content?.ratings?.count ?? null],
  ['mean', ({ content }) => content?.ratings?.mean ?? null],
  ['unreadableRatings', ({ content }) => (content?.ratings === undefined ? null : (content.ratings.unreadable ?? 0))],
] as const satisfies ReadonlyArray<readonly [string, (line: Line) => Cell]>;

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
  const first = [
    ...columns.map(([column]) => wording.say(`csv.${column}`)),
    ...ratings.map((rating) => wording.say('csv.rating', { rating })),
    wording.say('csv.unavailable'),
  ];
  const asking = new Map(digest.broadcasts.flatMap(({ asks, deliveries }) => deliveries.map((id) => [id, asks])));
  const lines: Line[] = [];
  for (const delivery of digest.deliveries) {
    const line = { ...language, delivery, asks: asking.get(delivery.id) ?? null };
    lines.push({ ...line, content: null, place: null, of: delivery });
    for (const [index, content] of (delivery.contents ?? []).entries()) {
      lines.push({ ...line, content, place: index + 1, of: content });
    }
  }
  const rows = lines.map((line) =>
    columns
      .map(([, cellOf]): Cell => cellOf(line))
      .concat(
        ratings.map((rating) => countOf(rating, line)),
        sayUnavailable(line),
      ),
  );
  return BYTE_ORDER_MARK + [first, ...rows].map((row) => `${row.map(writeCell).join(',')}\r\n`).join('');
}

/** How often a rating was given, whatever the service calls it. */
function countOf(rating: string, { content }: Line): number | null {
  const histogram = content?.ratings?.histogram ?? {};
  return Object.hasOwn(histogram, rating) ? (histogram[rating] ?? null) : null;
}

function sayWhether(value: boolean | null, wording: Language['wording']): string | null {
  return value === null ? null : wording.say(value ? 'csv.yes' : 'csv.no');
}

/** Why figures are missing. What its delivery lacks of the period a content item lacks, too. */
function sayUnavailable({ delivery, content, of, ...language }: Line): string | null {
  const { unavailable, seen } = content !== null && content.seen !== null && content.inPeriod === null ? delivery : of;
  return unavailable !== undefined || seen === null ? sayReason(unavailable, language) : null;
}

/** All ratings that were given, lowest first. Each has a column. */
function ratingsOf({ deliveries }: Digest): string[] {
  const contents = deliveries.flatMap((delivery) => delivery.contents ?? []);
  const given = new Set(contents.flatMap(({ ratings }) => Object.keys(ratings?.histogram ?? {})));
  return [...given].toSorted((one, other) => Number(one) - Number(other));
}

function writeCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const whole = (readOneLine(cell) ?? '').replaceAll(FORMULA_BEHIND_SEMICOLON, "$1'");
  const line = clip(whole, LONGEST_CELL - 1);
  const text = FORMULA.test(line) ? `'${line}` : line;
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
