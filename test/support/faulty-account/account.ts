import { broadcastById, contentOf, deliveriesAsOf, recipientsOf } from '../../../infra/local/sample-account/account.ts';
import {
  onePage,
  type Account,
  type AccountBroadcast,
  type AccountDelivery,
  type InPages,
  type RecipientRow,
} from '../accounts/account.ts';
import { simpleAccount } from '../accounts/simple-account.ts';
import { calendarBefore } from '../accounts/calendars.ts';
import { knownOf, type Known } from '../oracle/known.ts';
import { documented, hashOf, type Deviation } from './deviation.ts';

type Delivery = ReturnType<typeof deliveriesAsOf>[number];
type BroadcastDetail = NonNullable<ReturnType<typeof broadcastById>>;

/** The zone of the sample reports. */
const timeZone = 'Europe/London';
const informingTypes = ['text', 'image', 'video', 'audio', 'file', 'document'];

const inPages: InPages = { wrapper: 'data', pageSize: 40 };

interface SampleOptions {
  asOf: string;
  period: { start: string; end: string };
  deviation?: Deviation;
  /** So many of its deliveries, the newest; by default all. */
  newest?: number | undefined;
  /** With its lists in pages, and its ratings behind a filter. */
  isPaged?: boolean | undefined;
}

/** The sample account as it is at `asOf`: what the faulty service answers, and what the oracle reads. */
export function accountOf({ asOf, period, deviation = documented, newest, isPaged = false }: SampleOptions): Account {
  const nowMs = Date.parse(asOf);
  const deliveries = deliveriesAsOf(nowMs).slice(0, newest);
  const ids = [...new Set(deliveries.map(({ broadcast }) => broadcast.id))];
  const victim = victimsOf(nowMs).delivery;
  const form = isPaged ? inPages : onePage;
  return {
    ...simpleAccount({}, { timeZone, kind: 'week', at: asOf, ...period }),
    informingTypes,
    ratingFilter: isPaged ? 'honest' : 'refused',
    list: form,
    deliveries: deliveries.map((delivery) => {
      const times = delivery.id === victim ? deviation.times : 1;
      return deliveryOf(delivery, ids.indexOf(delivery.broadcast.id), { nowMs, deviation, times, form });
    }),
    broadcasts: ids.map((id) => broadcastOf(detailOf(id, nowMs), deviation)),
  };
}

/** What was known for the seven weeks before one: a new state folder of the sample account begins with their figures. */
export function knownBefore(start: string): Known[] {
  const earlier: Known[] = [];
  const weeks = [calendarBefore({ kind: 'week', timeZone, start })];
  while (weeks.length < 7) weeks.unshift(calendarBefore(weeks[0] ?? { kind: 'week', timeZone, start }));
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
  const [first, other] = [sent[3], others[4]];
  const third = others.find((delivery) => delivery.broadcast.id !== other?.broadcast.id);
  const content = third === undefined ? undefined : broadcastById(third.broadcast.id, nowMs)?.contents[0];
  if (first === undefined || other === undefined || third === undefined || content === undefined) {
    throw new Error('The sample account has too few deliveries for the matrix.');
  }
  return {
    delivery: first.id,
    broadcast: other.broadcast.id,
    content: { delivery: third.id, content: content.id },
  };
}

function deliveryOf(
  { id, broadcast, status }: Delivery,
  broadcastPlace: number,
  { nowMs, deviation, times, form }: { nowMs: number; deviation: Deviation; times: number; form: InPages },
): AccountDelivery {
  const rowsOf = (rows: readonly RecipientRow[], key: string): RecipientRow[] =>
    rows.map(({ rating, ...row }, index) => ({
      ...extrasOf(`${key} ${index}`, deviation),
      ...row,
      ...(form === onePage && typeof rating === 'number' ? { rating } : {}),
    }));
  const rows = rowsOf(recipientsOf(id, nowMs) ?? [], id);
  return {
    id,
    extras: extrasOf(id, deviation),
    broadcast: broadcastPlace,
    status,
    recipients: { ...form, pageSize: form.pageSize * times, rows: Array.from({ length: times }, () => rows).flat() },
    contents: detailOf(broadcast.id, nowMs).contents.map(({ id: item }) =>
      Object.assign({ rows: rowsOf(contentOf(id, item, nowMs)?.rows ?? [], `${id} ${item}`) }, form),
    ),
  };
}

function broadcastOf({ broadcast, contents }: BroadcastDetail, deviation: Deviation): AccountBroadcast {
  const { id, name, created } = broadcast;
  return {
    id,
    name,
    items: contents.map((item) => ({ ...extrasOf(item.id, deviation), ...item })),
    header: { ...extrasOf(id, deviation), name, created },
  };
}

function extrasOf(key: string, { extras }: Deviation): Record<string, unknown> {
  if (extras === 'none') return {};
  const big = hashOf(key) % 400 === 0;
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
