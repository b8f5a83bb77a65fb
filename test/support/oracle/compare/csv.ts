import messages from '../../../../templates/locales/en.json' with { type: 'json' };
import type { Digest } from '../../../../functions/domain/digest.ts';
import { differencesOf } from './differences.ts';
import type { Answered, Counted } from '../lists.ts';
import { gapsOf, inPeriodOf } from '../delivery-gaps.ts';
import type { Known, KnownDelivery } from '../known.ts';
import { readCsv } from './read-csv.ts';

type Cells = ReadonlyMap<string, string>;

/** In what the attached file differs from what is known; its rows are in the digest's order. */
export function faultsOfCsv(known: Known, digest: Digest, csv: string | null): string[] {
  if (csv === null) return known.deliveries.length === 0 ? [] : ['csv: there is none'];
  const deliveries = digest.deliveries.flatMap(({ id }) => known.deliveries.find((each) => each.id === id) ?? []);
  const expected = deliveries.flatMap((delivery) => {
    const contents = delivery.contents ?? [];
    const { asks = null } = known.groups.find((group) => group.deliveries.includes(delivery)) ?? {};
    const said = asks === null ? null : messages[asks ? 'csv.yes' : 'csv.no'];
    const rows = contents.map((content, index) => Object.assign(contentRow(content, index, delivery), { asks: said }));
    return [Object.assign(deliveryRow(delivery), { asks: said })].concat(rows);
  });
  const rows = readCsv(csv);
  if (rows.length !== expected.length) return [`csv: expected ${expected.length} rows, found ${rows.length}`];
  return rows.flatMap((row, index) => {
    const { ratings = new Map(), ...cells } = expected[index] ?? {};
    const found = Object.fromEntries(Object.keys(cells).map((column) => [column, cellOf(row, column)]));
    return differencesOf(cells, found, `csv.${index}`).concat(faultsOfRatings(ratings, row, `csv.${index}`));
  });
}

interface Expected extends Record<string, unknown> {
  ratings?: Map<string, number>;
}

/** A number, a text, or `null` for an empty cell. */
function cellOf(row: Cells, column: string): unknown {
  const cell = row.get(headingOf(column));
  if (cell === undefined) return 'no such column';
  if (cell === '') return null;
  return numeric.has(column) ? Number(cell) : column === 'unavailable' ? 'a reason' : cell;
}

const numeric = new Set([
  'item',
  'audience',
  'listed',
  'seen',
  'responded',
  'rate',
  'seenInPeriod',
  'respondedInPeriod',
  'reach',
  'medianSeconds',
  'undated',
  'lackingFields',
  'unreadableRatings',
  'ratings.count',
  'mean',
]);

/** The headings by what the columns hold. */
const headings = new Map(
  Object.entries(messages).flatMap(([key, heading]) =>
    key.startsWith('csv.') && typeof heading === 'string' ? [[key.slice('csv.'.length), heading]] : [],
  ),
);

function headingOf(column: string): string {
  return headings.get(column === 'ratings.count' ? 'ratings' : column) ?? '';
}

function deliveryRow(known: KnownDelivery): Expected {
  const { status, kind, broadcast, stillCounting, counted, audience, reach } = known;
  return {
    row: messages['csv.delivery'],
    group: messages[`group.${kind ?? 'unavailable'}`],
    broadcast: broadcast.name,
    createdBy: broadcast.createdBy,
    status,
    audience,
    stillCounting: stillCounting ? messages['csv.yes'] : messages['csv.no'],
    item: null,
    ...figuresOf(counted, inPeriodOf(known, counted)),
    reach,
    'ratings.count': null,
    mean: null,
    unreadableRatings: null,
    unavailable: gapsOf(known).length === 0 ? null : 'a reason',
  };
}

type KnownContent = NonNullable<KnownDelivery['contents']>[number];

function contentRow(content: KnownContent, index: number, delivery: KnownDelivery): Expected {
  const { counted, gap, reach, ratings } = content;
  return {
    row: messages['csv.content'],
    audience: null,
    item: index + 1,
    ...figuresOf(counted, inPeriodOf(delivery, counted)),
    reach,
    'ratings.count': ratings?.count ?? null,
    mean: ratings?.mean ?? null,
    unreadableRatings: ratings?.unreadable ?? null,
    ...(ratings === null ? {} : { ratings: ratings.histogram }),
    unavailable: gap === null && !delivery.isUndatable ? null : 'a reason',
  };
}

function figuresOf(counted: Counted | null, inPeriod: Answered | null): Record<string, unknown> {
  return {
    listed: counted?.listed ?? null,
    seen: counted?.seen ?? null,
    responded: counted?.responded ?? null,
    rate: counted?.responseRate ?? null,
    seenInPeriod: inPeriod?.seen ?? null,
    respondedInPeriod: inPeriod?.responded ?? null,
    medianSeconds: counted?.medianResponseSeconds ?? null,
    lackingFields: counted?.lackingFields ?? null,
    // What is not known has no rows that could lack a date.
    undated: (found: unknown) => (counted === null ? found === null || found === 0 : found === counted.undated),
  };
}

const ratingHeading = new RegExp(`^${messages['csv.rating'].replace('{rating}', '(.*)')}$`);

/** A column for each rating, empty where nobody gave it. */
function faultsOfRatings(expected: ReadonlyMap<string, number>, row: Cells, at: string): string[] {
  const found = new Map<string, number>();
  for (const [heading, cell] of row) {
    const rating = ratingHeading.exec(heading)?.[1];
    if (rating !== undefined && cell !== '') found.set(rating, Number(cell));
  }
  return differencesOf(expected, found, `${at}.ratings`);
}
