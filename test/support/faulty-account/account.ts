import { Temporal } from 'temporal-polyfill';
import {
  broadcastById,
  contentOf,
  deliveriesAsOf,
  recipientsOf,
  type BroadcastDetail,
  type Delivery,
  type Recipient,
} from '../../../infra/local/sample-account/account.ts';
import type { Account, AccountBroadcast, AccountDelivery, FilterAnswer, Id, ListInPages } from '../accounts/account.ts';
import { calendarBefore } from '../accounts/calendars.ts';
import { knownOf, type Known } from '../oracle/known.ts';
import { documented, hashOf, type Deviation } from './deviation.ts';

/** The zone of the sample reports. */
const timeZone = 'Europe/London';
const informingTypes = ['text', 'image', 'video', 'audio', 'file', 'document'];

/**
 * The sample account as it is at `asOf`, and as a deviation writes it: what the faulty service answers, and what the oracle reads.
 *
 * @param options.deviation none by default
 * @param options.newest so many of its deliveries, the newest; by default all
 */
export function accountOf(options: {
  asOf: string;
  period: { start: string; end: string };
  deviation?: Deviation;
  newest?: number | undefined;
}): Account {
  const { asOf, period, deviation = documented, newest } = options;
  const nowMs = Date.parse(asOf);
  const deliveries = deliveriesAsOf(nowMs).slice(0, newest);
  const ids = [...new Set(deliveries.map(({ broadcast }) => broadcast.id))];
  const victim = victimsOf(nowMs).delivery;
  return {
    calendar: { timeZone, kind: 'week', at: asOf, ...period },
    statuses: ['delivered'],
    broadcastName: null,
    deliveryRecipients: 'auto',
    contentRecipients: 'auto',
    informingTypes,
    ratingFilter: true,
    strayRows: [],
    list: pagingOf(deviation, false),
    deliveries: deliveries.map((delivery) =>
      deliveryOf(delivery, ids.indexOf(delivery.broadcast.id), { nowMs, deviation, isVictim: delivery.id === victim }),
    ),
    broadcasts: ids.map((id) => broadcastOf(detailOf(id, nowMs), deviation)),
  };
}

/** What was known for the eight weeks before one: a new state folder of the sample account begins with their figures. */
export function knownBefore(start: string): Known[] {
  const earlier: Known[] = [];
  const weeks = [calendarBefore({ kind: 'week', timeZone, start })];
  while (weeks.length < 8) weeks.unshift(calendarBefore(weeks[0] ?? { kind: 'week', timeZone, start }));
  for (const { at, ...period } of weeks)
    earlier.push(knownOf(accountOf({ asOf: at, period }), { earlier: [...earlier] }));
  return earlier;
}

/** The account's things that a switch singles out: one new delivery, and another one's broadcast and content item. */
export interface Victims {
  delivery: string;
  broadcast: string;
  content: { delivery: string; content: string };
}

/** The victims are the newest deliveries that were sent, of different broadcasts. */
export function victimsOf(nowMs: number): Victims {
  const sent = deliveriesAsOf(nowMs).filter(({ status }) => status === 'delivered');
  const others = sent.filter((delivery) => delivery.broadcast.id !== sent[3]?.broadcast.id);
  const [one, other] = [sent[3], others[4]];
  const third = others.find((delivery) => delivery.broadcast.id !== other?.broadcast.id);
  const content = third === undefined ? undefined : broadcastById(third.broadcast.id, nowMs)?.contents[0];
  if (one === undefined || other === undefined || third === undefined || content === undefined) {
    throw new Error('The sample account has too few deliveries for the matrix.');
  }
  return {
    delivery: one.id,
    broadcast: other.broadcast.id,
    content: { delivery: third.id, content: content.id },
  };
}

/** An identifier as the service gives it in its odd mood. */
export function oddId(id: string, ids: Deviation['ids']): string {
  if (ids === 'awkward') return `a/b?c=d&e#f%2F..;g h+ü/../${id}`;
  if (ids === 'plain') return id;
  const digits = /^\d+$/.test(id) ? id : String(BigInt(`0x${id.replaceAll('-', '')}`)).padStart(39, '0');
  return `90071992547409930${digits}`;
}

/** How a list goes on, in the words of `paging.ts`; the last six hold for the victim's list alone. */
const pagings: Readonly<Record<Deviation['paging'], Partial<Omit<ListInPages, 'rows'>> & { ofVictim?: true }>> = {
  none: {},
  link: { way: 'Link header' },
  next: { way: 'next' },
  'links.next': { way: 'links.next' },
  'meta.next': { way: 'meta.next' },
  'pagination.next': { way: 'pagination.next' },
  'empty pages': { way: 'next', emptyPages: 3 },
  endless: { way: 'next', emptyPages: 100, ofVictim: true },
  repeating: { ending: 'next again', ofVictim: true },
  'other origin': { ending: 'next elsewhere', ofVictim: true },
  cursor: { ending: 'a bare cursor', ofVictim: true },
  total: { ending: 'total above', ofVictim: true },
  more: { ending: 'meta.hasNext', ofVictim: true },
};

const wrappers = { array: null, object: 'data', 'object with totals': 'items' };

function pagingOf({ paging, wrapper }: Deviation, isVictim: boolean): Omit<ListInPages, 'rows'> {
  const ending = wrapper === 'object with totals' ? 'no word of more' : 'plain';
  const whole = { wrapper: wrappers[wrapper], pageSize: Infinity, way: 'Link header', emptyPages: 0, ending };
  const { ofVictim = false, ...departs } = pagings[paging];
  if (paging === 'none' || (ofVictim && !isVictim)) return whole;
  const isInBody = paging !== 'link';
  const pageSize = ofVictim ? Infinity : 40;
  return { ...whole, pageSize, ...departs, ...(isInBody ? { wrapper: whole.wrapper ?? 'data' } : {}) };
}

const filters: Readonly<Record<Deviation['ratings'], FilterAnswer>> = {
  rows: 'refused',
  filter: 'honest',
  'ignored filter': 'ignored',
  'refused filter': 'refused',
};

function deliveryOf(
  { id, broadcast, status }: Delivery,
  of: number,
  { nowMs, deviation, isVictim }: { nowMs: number; deviation: Deviation; isVictim: boolean },
): AccountDelivery {
  const { missing, rowWrapper, times, ratings } = deviation;
  const own = (recipientsOf(id, nowMs) ?? []).map((row, index) =>
    writeRecipient(row, index, `${id} ${index}`, deviation),
  );
  return {
    id: idOf(id, deviation),
    wrapped: rowWrapper !== 'bare',
    extras: extrasOf(id, deviation),
    of,
    status: missing === 'status' ? undefined : status,
    broadcast: missing === 'names' ? 'nameless' : missing === 'broadcast id' ? 'without id' : 'whole',
    recipients: {
      ...pagingOf(deviation, isVictim),
      rows: isVictim && times > 1 ? Array.from({ length: times }, () => own).flat() : own,
    },
    contents: detailOf(broadcast.id, nowMs).contents.map((content) => ({
      list: {
        ...pagingOf(deviation, false),
        rows: contentRows(contentOf(id, content.id, nowMs)?.rows ?? [], own.length, deviation).map((row, index) =>
          writeRecipient(row, index, `${id} ${content.id} ${index}`, deviation),
        ),
      },
      filter: filters[ratings],
    })),
  };
}

const nobody: Recipient = { id: '', seenAt: null, respondedAt: null };

/** A content item's recipients; `ofDelivery` is the length of its delivery's own list. */
function contentRows(
  rows: readonly Recipient[],
  ofDelivery: number,
  { contentLists }: Deviation,
): readonly Recipient[] {
  const engaged = rows.filter(({ seenAt, respondedAt }) => seenAt !== null || respondedAt !== null);
  if (contentLists === 'engaged') return engaged;
  if (contentLists === 'padded') return [...rows, nobody, nobody];
  if (contentLists === 'mixed') return rows;
  const missing = Math.max(0, ofDelivery + 5 - engaged.length);
  return [...engaged, ...Array.from({ length: missing }, () => nobody)];
}

/** A recipient as a row of a list. */
function writeRecipient(row: Recipient, index: number, key: string, deviation: Deviation): unknown {
  const { dates, missing, ratings, rowWrapper } = deviation;
  const dateOf = (text: string | null): unknown => {
    if (text === null) return missing === 'nulls' ? undefined : null;
    return dates === 'partly unreadable' && index % 5 === 4 ? 'a while ago' : dateWriters[dates](Date.parse(text));
  };
  const written = {
    id: String(index),
    ...extrasOf(key, deviation),
    seenAt: dateOf(row.seenAt),
    respondedAt: dateOf(row.respondedAt),
    ...(ratings === 'rows' && typeof row.rating === 'number' ? { rating: row.rating } : {}),
  };
  return rowWrapper === 'wrapped' ? { recipient: written } : written;
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

function broadcastOf({ broadcast, contents }: BroadcastDetail, deviation: Deviation): AccountBroadcast {
  const { missing, texts, dates } = deviation;
  const { by, at } = broadcast.created;
  const name = missing === 'names' ? undefined : oddText(broadcast.name, broadcast.id, texts);
  // A creation date is always a whole instant, also where the dates of the rows are not.
  const createdAt = dateWriters[dates === 'date only' ? 'offset' : dates](Date.parse(at));
  const created = { by: { ...by, firstName: oddText(by.firstName, by.id, texts) }, at: createdAt };
  return {
    id: idOf(broadcast.id, deviation),
    name: name ?? '',
    items: contents.map(({ id, type }) => ({
      ...extrasOf(id, deviation),
      id: idOf(id, deviation),
      // A rating stays one: by its type it is known.
      type: type === 'rating' ? type : oddText(type, id, texts),
    })),
    answer: 'whole',
    header: { ...extrasOf(broadcast.id, deviation), name, created: missing === 'created' ? undefined : created },
    headerId: 'right',
  };
}

function idOf(id: string, { ids }: Deviation): Id {
  return { text: oddId(id, ids), asNumber: ids === 'long number' };
}

const hostileTexts = [
  '<script>alert(1)</script><img src=x onerror=alert(1)>',
  '{{subject}} {{{brand}}} {count} ${name} $& $1',
  'Bell\u0007 null\u0000 escape\u001b[31m line\r\nBcc: eve@example.com\ttab\u2028sep',
  'invoice\u202egpj.exe \u2066isolate\u2069',
  '=HYPERLINK("https://evil.example","x")',
  '"><a href="https://evil.example/">click</a><!--',
  '&amp; &lt;b&gt; 100 % "quoted" \'single\'',
];

/** A text of the service in its odd mood; `key` makes the choice the same each time. */
function oddText(text: string, key: string, texts: Deviation['texts']): string {
  if (texts === 'hostile') return `${hostileTexts[hashOf(key) % hostileTexts.length]} ${text}`;
  if (texts === 'long') return `${text} `.repeat(Math.ceil(10_000 / (text.length + 1))).slice(0, 10_000);
  return texts === 'empty' ? '' : text;
}

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

/** A broadcast that the account must have, because a delivery names it. */
function detailOf(id: string, nowMs: number): BroadcastDetail {
  const detail = broadcastById(id, nowMs);
  if (detail === undefined) throw new Error('The sample account has a delivery without a broadcast.');
  return detail;
}
