import { onePage, type Account, type ListAnswer, type RecipientRow } from './account.ts';
import { calendarOf, calendarsFrom, type Calendar } from './calendars.ts';

/** A row of a recipient list. */
export function row(seenAt: unknown, respondedAt: unknown = null): RecipientRow {
  return { seenAt, respondedAt };
}

/** The same row so many times. */
export function times<Row extends object>(count: number, repeated: Row): Row[] {
  return Array.from({ length: count }, () => repeated);
}

/** What differs from a delivered delivery of a broadcast of its own, with one item that the same people saw; or its rows alone. */
type Simple = RecipientRow[] | Partial<SimpleDelivery>;

interface SimpleDelivery {
  rows: RecipientRow[];
  /** Instead of the rows. */
  fault: ListAnswer;
  /** The rows of its item. */
  item: RecipientRow[];
  type: string;
  created: string;
  name: string;
  status: string;
  /** The place of its broadcast, where it is not its own. */
  broadcast: number;
}

const aWeek = calendarOf('week', 'Europe/London', '2026-11-09');

/** An account in a period: deliveries by their ids. */
export function simpleAccount(deliveries: Readonly<Record<string, Simple>>, calendar: Calendar = aWeek): Account {
  const created = '2026-11-01T09:00:00Z';
  const simple = Object.entries(deliveries).map(([id, special]) => {
    const rows: RecipientRow[] = [];
    const usual = { id, rows, type: 'poll', created, name: `News ${id}`, status: 'delivered' };
    const differing: Partial<SimpleDelivery> = Array.isArray(special) ? { rows: special } : special;
    return Object.assign({}, usual, differing);
  });
  return {
    calendar,
    statuses: ['delivered'],
    host: 0,
    only: null,
    except: null,
    minimumGroup: 10,
    informingTypes: ['text'],
    ratingFilter: 'off',
    list: onePage,
    broadcasts: simple.map(({ id, type, created: at, name }) => ({
      id: `b-${id}`,
      name,
      items: [{ id: `c-${id}`, type }],
      header: { name, created: { by: { firstName: 'Ada' }, at } },
    })),
    deliveries: simple.map(({ id, rows, fault, status, item = rows, broadcast }, place) => ({
      id,
      status,
      broadcast: broadcast ?? place,
      recipients: fault ?? { ...onePage, rows },
      contents: [{ ...onePage, rows: item }],
    })),
  };
}

/** The same in successive weeks in London, from 2 November 2026 on. */
export function inWeeks(...weeks: Array<Readonly<Record<string, Simple>>>): Account[] {
  const calendars = calendarsFrom('week', 'Europe/London', '2026-11-02', weeks.length);
  return weeks.map((deliveries, week) => simpleAccount(deliveries, calendars[week]));
}
