import messages from '../../../../templates/locales/en.json' with { type: 'json' };
import type { Digest } from '../../../../functions/domain/digest.ts';
import type { RenderedDigest } from '../../../../functions/render/render.ts';
import { differencesOf } from './differences.ts';
import type { Answered, Counted } from '../lists.ts';
import { gapsOf, inPeriodOf } from '../delivery-gaps.ts';
import type { Known, KnownDelivery } from '../known.ts';
import { readCsv } from './read-csv.ts';

type Cells = ReadonlyMap<string, string>;

/** In what the attached files differ from what is known; their rows are in the digest's order. */
export function faultsOfCsv(known: Known, digest: Digest, files: RenderedDigest['files']): string[] {
  if (files.length === 0) return known.deliveries.length === 0 ? [] : ['csv: there is none'];
  const { start, end, timeZone } = known.account.calendar;
  const local = (instant: number | string): string => new Date(instant).toLocaleString('sv-SE', { timeZone });
  const period = { firstDay: local(start).slice(0, 10), lastDay: local(Date.parse(end) - 1).slice(0, 10) };
  const deliveries = digest.deliveries.flatMap(({ id }) => known.deliveries.find((each) => each.id === id) ?? []);
  const expected = { deliveries: Array.of<Expected>(), items: Array.of<Expected>() };
  for (const delivery of deliveries) {
    const { broadcast, kind, firstSign } = delivery;
    const { asks = null } = known.groups.find((group) => group.deliveries.includes(delivery)) ?? {};
    const group = messages[`group.${kind ?? 'unavailable'}`];
    const firstSeen = firstSign && local(firstSign);
    const subject = { ...period, broadcast: broadcast.name, group, firstSeen };
    const said = asks === null ? null : messages[asks ? 'csv.yes' : 'csv.no'];
    expected.deliveries.push({ ...subject, ...deliveryRow(delivery), asks: said });
    for (const [index, content] of (delivery.contents ?? []).entries())
      expected.items.push({ ...subject, item: index + 1, ...contentRow(content, delivery) });
  }
  return Object.entries(expected).flatMap(([file, expectedRows]) => {
    const rows = readCsv(files.find(({ name }) => name === `${digest.run}-${file}.csv`)?.content ?? '');
    if (rows.length !== expectedRows.length)
      return [`${file}: expected ${expectedRows.length} rows, found ${rows.length}`];
    return rows.flatMap((row, index) => {
      const { histogram = new Map(), ...cells } = expectedRows[index] ?? {};
      const found = Object.entries(cells).map(([column, cell]) => [column, cellOf(row, column, cell)]);
      const at = `${file}.${index}`;
      return differencesOf(cells, Object.fromEntries(found), at).concat(faultsOfRatings(histogram, row, at));
    });
  });
}

interface Expected extends Record<string, unknown> {
  histogram?: Map<string, number>;
}

/** A number, a text, or `null` for an empty cell. */
function cellOf(row: Cells, column: string, expected: unknown): unknown {
  const cell = row.get(String(headings[`csv.${column}`]));
  if (cell === undefined) return 'no such column';
  if (cell === '') return null;
  if (typeof expected === 'string') return column === 'unavailable' ? 'a reason' : cell;
  return Number.isNaN(Number(cell)) ? cell : Number(cell);
}

/** The headings by what the columns hold. */
const headings: Readonly<Record<string, unknown>> = messages;

function deliveryRow(known: KnownDelivery): Expected {
  const { status, broadcast, stillCounting, counted, audience, reach } = known;
  return {
    createdBy: broadcast.createdBy,
    status: isWordFor(status),
    audience,
    stillCounting: stillCounting ? messages['csv.yes'] : messages['csv.no'],
    ...figuresOf(counted, inPeriodOf(known, counted)),
    reach,
    unavailable: gapsOf(known).length === 0 ? null : 'a reason',
  };
}

type KnownContent = NonNullable<KnownDelivery['contents']>[number];

function contentRow(content: KnownContent, delivery: KnownDelivery): Expected {
  const { type, counted, gap, reach, ratings } = content;
  return {
    type: isWordFor(type),
    ...figuresOf(counted, inPeriodOf(delivery, counted)),
    reach,
    ratings: ratings?.count ?? null,
    mean: ratings?.mean ?? null,
    unreadableRatings: ratings?.unreadable ?? null,
    ...(ratings === null ? {} : { histogram: ratings.histogram }),
    unavailable: gap === null && !delivery.isUndatable ? null : 'a reason',
  };
}

const words = new Intl.Collator('en', { sensitivity: 'base', ignorePunctuation: true });

/** Whether a cell says a word of the service, however it is written. */
function isWordFor(word: string): (found: unknown) => boolean {
  return (found) => words.compare(String(found), word === '' ? messages['name.none'] : word) === 0;
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
