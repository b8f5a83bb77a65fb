import { broadcastById, contentOf, deliveriesAsOf, recipientsOf } from '../../../infra/local/sample-account/account.ts';
import type { Account, AccountBroadcast, AccountDelivery, ListInPages } from '../accounts/account.ts';
import { calendarBefore } from '../accounts/calendars.ts';
import { knownOf, type Known } from '../oracle/known.ts';
import { documented, hashOf, type Deviation } from './deviation.ts';

type Delivery = ReturnType<typeof deliveriesAsOf>[number];
type BroadcastDetail = NonNullable<ReturnType<typeof broadcastById>>;

/** The zone of the sample reports. */
const timeZone = 'Europe/London';
const informingTypes = ['text', 'image', 'video', 'audio', 'file', 'document'];

/** How the lists of an account come. */
type Coming = Pick<ListInPages, 'wrapper' | 'pageSize' | 'way' | 'emptyPages' | 'ending'>;

/** As the sample account's own lists come. */
const whole: Coming = { wrapper: null, pageSize: Infinity, way: 'Link header', emptyPages: 0, ending: 'plain' };
const inPages: Coming = { wrapper: 'data', pageSize: 40, way: 'meta.next', emptyPages: 0, ending: 'plain' };

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
  const coming = isPaged ? inPages : whole;
  return {
    calendar: { timeZone, kind: 'week', at: asOf, ...period },
    statuses: ['delivered'],
    host: 0,
    only: null,
    except: null,
    minimumGroup: 10,
    deliveryRecipients: 'auto',
    contentRecipients: 'auto',
    informingTypes,
    ratingFilter: isPaged ? 'honest' : 'refused',
    strayRows: [],
    list: coming,
    deliveries: deliveries.map((delivery) => {
      const times = delivery.id === victim ? deviation.times : 1;
      return deliveryOf(delivery, ids.indexOf(delivery.broadcast.id), { nowMs, deviation, times, coming });
    }),
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

function deliveryOf(
  { id, broadcast, status }: Delivery,
  of: number,
  { nowMs, deviation, times, coming }: { nowMs: number; deviation: Deviation; times: number; coming: Coming },
): AccountDelivery {
  const rowsOf = (rows: ReadonlyArray<{ rating?: number | null }>, key: string): unknown[] =>
    rows.map(({ rating, ...row }, index) => ({
      ...extrasOf(`${key} ${index}`, deviation),
      ...row,
      ...(coming === whole && typeof rating === 'number' ? { rating } : {}),
    }));
  const own = rowsOf(recipientsOf(id, nowMs) ?? [], id);
  return {
    id: { text: id },
    wrapped: true,
    extras: extrasOf(id, deviation),
    of,
    status,
    broadcast: 'whole',
    recipients: { ...coming, pageSize: coming.pageSize * times, rows: Array.from({ length: times }, () => own).flat() },
    contents: detailOf(broadcast.id, nowMs).contents.map(({ id: item }) =>
      Object.assign({ rows: rowsOf(contentOf(id, item, nowMs) ?? [], `${id} ${item}`) }, coming),
    ),
  };
}

function broadcastOf({ broadcast, contents }: BroadcastDetail, deviation: Deviation): AccountBroadcast {
  const { id, name, created } = broadcast;
  return {
    id: { text: id },
    name,
    items: contents.map((item) => ({ ...extrasOf(item.id, deviation), type: item.type, id: { text: item.id } })),
    answer: 'whole',
    header: { ...extrasOf(id, deviation), name, created },
    headerId: 'right',
  };
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
