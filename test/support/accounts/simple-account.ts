import type { Account, AccountDelivery, ListAnswer } from './account.ts';
import { calendarOf, type Calendar } from './calendars.ts';

/** A row of a recipient list. */
export function row(seenAt: unknown, respondedAt: unknown = null): object {
  return { seenAt, respondedAt };
}

/** The same row so many times. */
export function times(count: number, of: object): object[] {
  return Array.from({ length: count }, () => of);
}

/** What differs from a delivered delivery of a broadcast of its own, with one item that the same people saw. */
interface Simple {
  rows?: object[];
  /** Instead of the rows. */
  fault?: ListAnswer;
  /** The rows of its item. */
  item?: object[];
  filter?: AccountDelivery['contents'][number]['filter'];
  status?: string;
  type?: string;
  created?: string;
  name?: string;
  row?: AccountDelivery['broadcast'];
  answer?: Account['broadcasts'][number]['answer'];
}

const list = { wrapper: null, way: 'Link header', ending: 'plain', pageSize: 10_000, emptyPages: 0 };

/** An account in a week in London, or another period: deliveries by their ids. */
export function simpleAccount(
  period: string | Calendar,
  deliveries: Readonly<Record<string, Simple>>,
  report: Partial<Account> = {},
): Account {
  const all = Object.entries(deliveries);
  return {
    calendar: typeof period === 'string' ? calendarOf('week', 'Europe/London', period) : period,
    statuses: ['delivered'],
    broadcastName: null,
    deliveryRecipients: 'auto',
    contentRecipients: 'auto',
    informingTypes: ['text'],
    ratingFilter: true,
    strayRows: [],
    list,
    broadcasts: all.map(
      ([id, { type = 'poll', created = '2026-11-01T09:00:00Z', name = `News ${id}`, answer = 'whole' }]) => ({
        id: { text: `b-${id}` },
        name,
        items: [{ id: { text: `c-${id}` }, type }],
        answer,
        header: { name, created: { by: { firstName: 'Ada' }, at: created } },
        headerId: 'right',
      }),
    ),
    deliveries: all.map(
      ([id, { rows = [], fault, item = rows, filter = 'refused', status = 'delivered', ...one }], of) => ({
        id: { text: id },
        wrapped: true,
        status,
        of,
        broadcast: one.row ?? 'whole',
        recipients: fault ?? { ...list, rows },
        contents: [{ list: { ...list, rows: item }, filter }],
      }),
    ),
    ...report,
  };
}
