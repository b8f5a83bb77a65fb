import type { Account, ListAnswer } from './account.ts';
import { calendarOf, calendarsFrom, type Calendar } from './calendars.ts';

/** A row of a recipient list. */
export function row(seenAt: unknown, respondedAt: unknown = null): object {
  return { seenAt, respondedAt };
}

/** The same row so many times. */
export function times(count: number, of: object): object[] {
  return Array.from({ length: count }, () => of);
}

/** What differs from a delivered delivery of a broadcast of its own, with one item that the same people saw; or its rows alone. */
type Simple = object[] | Partial<SimpleDelivery>;

interface SimpleDelivery {
  rows: object[];
  /** Instead of the rows. */
  fault: ListAnswer;
  /** The rows of its item. */
  item: object[];
  type: string;
  created: string;
  name: string;
  status: string;
  /** The place of its broadcast, where it is not its own. */
  of: number;
}

const list = { wrapper: null, way: 'Link header', ending: 'plain', pageSize: 10_000, emptyPages: 0 };
const aWeek = calendarOf('week', 'Europe/London', '2026-11-09');

/** An account in a period: deliveries by their ids. */
export function simpleAccount(deliveries: Readonly<Record<string, Simple>>, calendar: Calendar = aWeek): Account {
  const created = '2026-11-01T09:00:00Z';
  const all = Object.entries(deliveries).map(([id, given]) => {
    const rows: object[] = [];
    const usual = { id, rows, type: 'poll', created, name: `News ${id}`, status: 'delivered' };
    const simple: Partial<SimpleDelivery> = Array.isArray(given) ? { rows: given } : given;
    return Object.assign({}, usual, simple);
  });
  return {
    calendar,
    statuses: ['delivered'],
    host: 0,
    only: null,
    except: null,
    minimumGroup: 10,
    deliveryRecipients: 'auto',
    contentRecipients: 'auto',
    informingTypes: ['text'],
    ratingFilter: 'off',
    strayRows: [],
    list,
    broadcasts: all.map(({ id, type, created, name }) => ({
      id: { text: `b-${id}` },
      name,
      items: [{ id: { text: `c-${id}` }, type }],
      answer: 'whole',
      header: { name, created: { by: { firstName: 'Ada' }, at: created } },
      headerId: 'right',
    })),
    deliveries: all.map(({ id, rows, fault, status, item = rows, ...given }, place) => ({
      id: { text: id },
      wrapped: true,
      status,
      of: given.of ?? place,
      broadcast: 'whole',
      recipients: fault ?? { ...list, rows },
      contents: [{ ...list, rows: item }],
    })),
  };
}

/** The same in successive weeks in London, from 2 November 2026 on. */
export function inWeeks(...weeks: Array<Readonly<Record<string, Simple>>>): Account[] {
  const calendars = calendarsFrom('week', 'Europe/London', '2026-11-02', weeks.length);
  return weeks.map((deliveries, week) => simpleAccount(deliveries, calendars[week]));
}
