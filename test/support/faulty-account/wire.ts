import { Temporal } from 'temporal-polyfill';
import type { BroadcastDetail, Delivery } from '../../../infra/local/sample-account/account.ts';
import { hashOf, type Deviation } from './deviation.ts';
import { nameOf, oddId, oddText, timeZone, typeOf, type Happened, type PlainRow } from './meaning.ts';

/** Marks an identifier that goes as a number: no JavaScript number holds it. */
const numberMark = '@number:';

/** A body as text: JSON, with the long identifiers as bare numbers. */
export function writeBody(body: unknown): string {
  return JSON.stringify(body).replaceAll(new RegExp(`"${numberMark}(\\d+)"`, 'g'), '$1');
}

function writeId(id: string, { ids }: Deviation): string {
  const odd = oddId(id, ids);
  return ids === 'long number' ? `${numberMark}${odd}` : odd;
}

function writeDate(happened: Happened, { dates }: Deviation): unknown {
  if (happened === null) return null;
  return happened === 'unreadable' ? 'a while ago' : dateWriters[dates](happened);
}

const withOffset = (ms: number): string =>
  Temporal.Instant.fromEpochMilliseconds(ms).toString({ timeZone, smallestUnit: 'second' });
const local = (ms: number): Temporal.PlainDateTime =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone).toPlainDateTime();
const withoutOffset = (ms: number): string => local(ms).toString({ smallestUnit: 'second' });

const dateWriters: Record<Deviation['dates'], (ms: number) => unknown> = {
  offset: withOffset,
  'partly unreadable': withOffset,
  Z: (ms) => Temporal.Instant.fromEpochMilliseconds(ms).toString(),
  'no offset': withoutOffset,
  'date only': (ms) => local(ms).toPlainDate().toString(),
  'epoch seconds': (ms) => ms / 1000,
  'epoch milliseconds': (ms) => ms,
  object: (ms) => ({ date: withoutOffset(ms).replace('T', ' '), timezone_type: 3, timezone: timeZone }),
};

function extrasOf(key: string, { extras }: Deviation): Record<string, unknown> {
  if (extras === 'none') return {};
  const big = extras === 'megabytes' && hashOf(key) % 400 === 0;
  const note = big ? 'lorem "ipsum" \\ [dolor, {sit}] '.repeat(40_000) : 'a "note" with ]}[{, and \\ in it';
  return {
    isBeta: true,
    _links: { self: '/x', related: [1, [2, { three: [] }]] },
    note,
    list: [[], {}],
    nothing: null,
  };
}

/** A delivery as a row of the list. */
export function writeDelivery(delivery: Delivery, deviation: Deviation): unknown {
  const { missing, rowWrapper } = deviation;
  const name = nameOf(delivery.broadcast, deviation);
  const row = {
    ...extrasOf(delivery.id, deviation),
    id: writeId(delivery.id, deviation),
    broadcast: {
      ...(missing === 'broadcast id' ? {} : { id: writeId(delivery.broadcast.id, deviation) }),
      ...(name === null ? {} : { name }),
    },
    ...(missing === 'status' ? {} : { status: delivery.status }),
  };
  return rowWrapper === 'bare' ? row : { delivery: row };
}

/** A recipient as a row of a list. */
export function writeRecipient(row: PlainRow, index: number, key: string, deviation: Deviation): unknown {
  const written: Record<string, unknown> = {
    id: String(index),
    ...extrasOf(`${key} ${index}`, deviation),
    seenAt: writeDate(row.seen, deviation),
    respondedAt: writeDate(row.responded, deviation),
  };
  if (deviation.ratings === 'rows' && row.rating !== null) written['rating'] = row.rating;
  if (deviation.missing === 'nulls') {
    for (const name of ['seenAt', 'respondedAt']) if (written[name] === null) delete written[name];
  }
  return deviation.rowWrapper === 'wrapped' ? { recipient: written } : written;
}

/** The answer of the broadcast endpoint. */
export function writeBroadcast(
  { broadcast, contents }: BroadcastDetail,
  deviation: Deviation,
): { broadcast: unknown; contents: unknown[] } {
  const { missing, texts, dates } = deviation;
  const { by, at } = broadcast.created;
  const name = nameOf(broadcast, deviation);
  // A creation date is always a whole instant, also where the dates of the rows are not.
  const createdAt = writeDate(Date.parse(at), { ...deviation, dates: dates === 'date only' ? 'offset' : dates });
  return {
    ...extrasOf(broadcast.id, deviation),
    broadcast: {
      id: writeId(broadcast.id, deviation),
      ...(name === null ? {} : { name }),
      ...(missing === 'created'
        ? {}
        : { created: { by: { ...by, firstName: oddText(by.firstName, by.id, texts) }, at: createdAt } }),
    },
    contents: contents.map((content) => ({
      ...extrasOf(content.id, deviation),
      id: writeId(content.id, deviation),
      type: typeOf(content, deviation),
    })),
  };
}

/** Pages without a row that a list has at its end, where it has any. */
const emptyPages = 3;

/** One page of a list, and the header that leads to the next. */
export function writePage(
  rows: readonly unknown[],
  options: {
    page: number;
    pages: number;
    address: string;
    otherOrigin: string;
    deviation: Deviation;
    isVictim: boolean;
  },
): { body: unknown; headers: Record<string, string> } {
  const { page, pages, deviation, isVictim } = options;
  const { paging, wrapper } = deviation;
  const last = page >= (paging === 'empty pages' ? pages + emptyPages : pages);
  const on = `${options.address}${options.address.includes('?') ? '&' : '?'}page=${page + 1}`;
  const next = nextOf(paging, { last, on, ...options });
  if (paging === 'link')
    return { body: wrap(rows, {}, wrapper, false), headers: next === null ? {} : { link: `<${on}>; rel="next"` } };
  const said: Record<string, unknown> = {};
  const [outer, inner] = paging.split('.');
  if (inner !== undefined && outer !== undefined) said[outer] = { next, self: options.address };
  else if (next !== null) said['next'] = next;
  if (paging === 'total' && isVictim) said['total'] = rows.length + 1;
  if (paging === 'more' && isVictim) said['meta'] = { hasMore: true };
  return { body: wrap(rows, said, wrapper, Object.keys(said).length > 0), headers: {} };
}

interface PageEnd {
  last: boolean;
  on: string;
  address: string;
  otherOrigin: string;
  isVictim: boolean;
}

/** The address of the next page, where a page gives one. */
function nextOf(paging: Deviation['paging'], { last, on, address, otherOrigin, isVictim }: PageEnd): string | null {
  if (paging === 'none' || paging === 'total' || paging === 'more') return null;
  const ofVictim = {
    endless: on,
    repeating: address,
    'other origin': `${otherOrigin}${on}`,
    cursor: 'eyJvZmZzZXQiOjEwMH0',
  };
  if (paging === 'endless' || paging === 'repeating' || paging === 'other origin' || paging === 'cursor')
    return isVictim ? ofVictim[paging] : null;
  return last ? null : on;
}

function wrap(
  rows: readonly unknown[],
  said: Record<string, unknown>,
  wrapper: Deviation['wrapper'],
  mustBeObject: boolean,
): unknown {
  if (wrapper === 'array' && !mustBeObject) return rows;
  if (wrapper === 'object with totals')
    return { count: rows.length, meta: { version: [1, 2] }, items: rows, ok: true, ...said };
  return { ...said, data: rows };
}
