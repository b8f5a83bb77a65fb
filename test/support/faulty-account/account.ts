import {
  broadcastById,
  contentOf,
  deliveriesAsOf,
  recipientsOf,
  type BroadcastDetail,
  type Delivery,
} from '../../../infra/local/sample-account/account.ts';
import { calendarBefore } from '../accounts/calendars.ts';
import { knownOf, type Known } from '../oracle/known.ts';
import type { Account, AccountBroadcast, AccountDelivery, Id, ListInPages } from '../accounts/account.ts';
import { documented, type Deviation } from './deviation.ts';
import { contentRows, recipientRows, nameOf, oddId, timeZone, typeOf, type PlainRow, type Victims } from './meaning.ts';
import { writeBroadcast, writeRecipient } from './wire.ts';

const informingTypes = ['text', 'image', 'video', 'audio', 'file', 'document'];

/**
 * The sample account as it is at `asOf`, and as a deviation writes it, for the oracle: whole, whatever the deviation makes of the
 * way there. The period is one of weeks in the zone of the sample reports.
 *
 * @param deviation none by default
 */
export function accountOf(options: {
  asOf: string;
  period: { start: string; end: string };
  deviation?: Deviation;
  victims?: Pick<Victims, 'delivery'>;
}): Account {
  const { asOf, period, deviation: departs = documented, victims } = options;
  // What nobody documented says nothing, and what a filter separates is known as if the rows showed it.
  const ratings = departs.ratings === 'filter' ? 'rows' : departs.ratings;
  const deviation: Deviation = { ...departs, extras: 'none', ratings };
  const deliveries = deliveriesAsOf(asOf);
  const ids = [...new Set(deliveries.map(({ broadcast }) => broadcast.id))];
  return {
    calendar: { timeZone, kind: 'week', at: asOf, ...period },
    statuses: ['delivered'],
    broadcastName: null,
    deliveryRecipients: 'auto',
    contentRecipients: 'auto',
    informingTypes,
    ratingFilter: true,
    strayRows: [],
    list: wholeList,
    deliveries: deliveries.map((delivery) => {
      const isVictim = delivery.id === victims?.delivery;
      return deliveryOf(delivery, ids.indexOf(delivery.broadcast.id), { asOf, deviation, isVictim });
    }),
    broadcasts: ids.map((id) => broadcastOf(detailOf(id, asOf), deviation)),
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

const wholeList: Omit<ListInPages, 'rows'> = {
  wrapper: null,
  pageSize: Infinity,
  way: 'next',
  emptyPages: 0,
  ending: 'plain',
};

function deliveryOf(
  { id, broadcast, status }: Delivery,
  of: number,
  { asOf, deviation, isVictim }: { asOf: string; deviation: Deviation; isVictim: boolean },
): AccountDelivery {
  const { missing } = deviation;
  const own = recipientsOf(id, asOf) ?? [];
  return {
    id: idOf(id, deviation),
    wrapped: false,
    of,
    status: missing === 'status' ? undefined : status,
    broadcast: missing === 'names' ? 'nameless' : missing === 'broadcast id' ? 'without id' : 'whole',
    recipients: listOf(recipientRows(own, isVictim, deviation), deviation),
    contents: detailOf(broadcast.id, asOf).contents.map((content) => ({
      list: listOf(contentRows(contentOf(id, content.id, asOf)?.rows ?? [], own.length, deviation), deviation),
      filter: 'refused',
    })),
  };
}

function broadcastOf(detail: BroadcastDetail, deviation: Deviation): AccountBroadcast {
  return {
    id: idOf(detail.broadcast.id, deviation),
    name: nameOf(detail.broadcast, deviation) ?? '',
    items: detail.contents.map((content) => ({ id: idOf(content.id, deviation), type: typeOf(content, deviation) })),
    answer: 'whole',
    header: writeBroadcast(detail, deviation).broadcast,
    headerId: 'none',
  };
}

function idOf(id: string, { ids }: Deviation): Id {
  return { text: oddId(id, ids) };
}

function listOf(rows: readonly PlainRow[], deviation: Deviation): ListInPages {
  // Rows that come thousands of times are written once.
  const written = new Map([...new Set(rows)].map((row, index) => [row, writeRecipient(row, index, '', deviation)]));
  return { ...wholeList, rows: rows.map((row) => written.get(row)) };
}

/** A broadcast that the account must have, because a delivery names it. */
function detailOf(id: string, asOf: string): BroadcastDetail {
  const detail = broadcastById(id, asOf);
  if (detail === undefined) throw new Error('The sample account has a delivery without a broadcast.');
  return detail;
}
