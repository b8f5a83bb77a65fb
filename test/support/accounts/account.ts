import type { PeriodKind } from '../../../functions/domain/period.ts';

/** An identifier of the service; a number is written into the JSON as its bare digits, however long. */
export interface Id {
  text: string;
  asNumber?: boolean;
}

/** What a list's address answers: a status, a body that is no list, or rows in pages. */
export type ListAnswer = { status: number } | { body: unknown } | ListInPages;

/** Rows in pages; `way`, `ending` and `wrapper` are words of `paging.ts`. */
export interface ListInPages {
  rows: unknown[];
  /** The property that holds the rows; `null` where the body itself is the list. */
  wrapper: string | null;
  pageSize: number;
  /** How a page names the next one. */
  way: string;
  /** Empty pages after the first one. */
  emptyPages: number;
  /** What the last page says. */
  ending: string;
}

/** How a content item answers the rating filter. */
export type FilterAnswer = 'honest' | 'ignored' | 'refused' | 'forbidden';

/** A row of the list of deliveries, and what is behind it. Of properties that are `undefined` there are none in the JSON. */
export interface AccountDelivery {
  id: Id;
  wrapped: boolean;
  status: unknown;
  /** Which broadcast it is of, and what the row says of it in place of `{id, name}`. */
  of: number;
  broadcast: 'whole' | 'nameless' | 'name is no text' | 'without id' | 'empty id' | 'no object' | 'missing';
  /** The status of another row with the same id, at the end of the list. */
  again?: { status: unknown };
  recipients: ListAnswer;
  /** By the place of the item in its broadcast. */
  contents: Array<{ list: ListAnswer; filter: FilterAnswer }>;
}

/** A broadcast; `items` are its content items where `body` makes no other use of them. */
export interface AccountBroadcast {
  id: Id;
  name: string;
  items: Array<{ id: Id; type: unknown }>;
  /** What its address answers, with a header and `"contents"` in it unless these are spoilt. */
  answer: 'whole' | { status: number } | { body: unknown } | { contents: unknown };
  header: unknown;
}

/** Everything that an account answers, and how the report reads it. */
export interface Account {
  calendar: Calendar;
  statuses: readonly string[];
  /** Only broadcasts whose name contains it. */
  broadcastName: string | null;
  contentRecipients: 'auto' | 'audience' | 'engaged';
  /** The types of content items that ask nothing. */
  informingTypes: readonly string[];
  ratingFilter: boolean;
  deliveries: AccountDelivery[];
  broadcasts: AccountBroadcast[];
  /** Rows of the list of deliveries that name no delivery, before the others. */
  strayRows: readonly unknown[];
  /** How the list of deliveries comes; its rows are those above. */
  list: { status: number } | { body: unknown } | Omit<ListInPages, 'rows'>;
}

/** A period of a report, with the one before it. */
export interface Calendar {
  timeZone: string;
  kind: PeriodKind;
  /** The instant at which the report is due. */
  at: string;
  precedingStart: string;
  start: string;
  end: string;
}

/** Whole hours and three quarters, both days of the clock change, and every kind of period. */
export const calendars: readonly Calendar[] = [
  {
    timeZone: 'Europe/London',
    kind: 'week',
    at: '2026-11-16T08:00:00Z',
    precedingStart: '2026-11-02T00:00:00Z',
    start: '2026-11-09T00:00:00Z',
    end: '2026-11-16T00:00:00Z',
  },
  {
    timeZone: 'America/New_York',
    kind: 'week',
    at: '2026-11-09T13:00:00Z',
    precedingStart: '2026-10-26T04:00:00Z',
    start: '2026-11-02T05:00:00Z',
    end: '2026-11-09T05:00:00Z',
  },
  {
    timeZone: 'Asia/Kathmandu',
    kind: 'day',
    at: '2026-11-16T02:00:00Z',
    precedingStart: '2026-11-13T18:15:00Z',
    start: '2026-11-14T18:15:00Z',
    end: '2026-11-15T18:15:00Z',
  },
  {
    timeZone: 'Pacific/Auckland',
    kind: 'month',
    at: '2026-11-01T08:00:00+13:00',
    precedingStart: '2026-08-31T12:00:00Z',
    start: '2026-09-30T11:00:00Z',
    end: '2026-10-31T11:00:00Z',
  },
  {
    timeZone: 'Europe/Berlin',
    kind: 'quarter',
    at: '2027-01-04T08:00:00+01:00',
    precedingStart: '2026-06-30T22:00:00Z',
    start: '2026-09-30T22:00:00Z',
    end: '2026-12-31T23:00:00Z',
  },
];

/** The rating that a recipient gave in a list whose rows do not show it; only who responded rated. */
export function hiddenRating(place: number): string {
  return String(1 + ((place * 2) % 5));
}

/** Whether an address can hold an identifier as one segment: not half a surrogate pair, not a step in a path. */
export function isAskable({ text }: Id): boolean {
  return text.isWellFormed() && text !== '.' && text !== '..';
}

const numberMark = '\u0001number ';

/** An identifier as it goes into the JSON, before `writeJson`. */
export function idInJson({ text, asNumber = false }: Id): string {
  return asNumber ? numberMark + text : text;
}

/** JSON with numbers of any length. */
export function writeJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(/"\\u0001number (\d+)"/g, '$1');
}

/** The row of a delivery in the list. */
export function deliveryRow(delivery: AccountDelivery, account: Account, status: unknown = delivery.status): unknown {
  const row = { id: idInJson(delivery.id), broadcast: broadcastInRow(delivery, account), status };
  return delivery.wrapped ? { delivery: row } : row;
}

/** All rows of the list of deliveries. */
export function rowsOfList(account: Account): unknown[] {
  const { deliveries, strayRows } = account;
  const again = deliveries.filter((delivery) => delivery.again !== undefined);
  return [
    ...strayRows,
    ...deliveries.map((delivery) => deliveryRow(delivery, account)),
    ...again.map((delivery) => deliveryRow(delivery, account, delivery.again?.status)),
  ];
}

function broadcastInRow({ of, broadcast: form }: AccountDelivery, { broadcasts }: Account): unknown {
  const broadcast = broadcasts[of];
  if (broadcast === undefined) return undefined;
  const { name } = broadcast;
  const id = idInJson(broadcast.id);
  const forms: Record<AccountDelivery['broadcast'], unknown> = {
    whole: { id, name },
    nameless: { id },
    'name is no text': { id, name: { en: name } },
    'without id': { name },
    'empty id': { id: '', name },
    'no object': id,
    missing: undefined,
  };
  return forms[form];
}

/** The body of a broadcast's detail. */
export function broadcastBody({ answer, header, items }: AccountBroadcast): unknown {
  if (answer === 'whole') {
    return { broadcast: header, contents: items.map(({ id, type }) => ({ id: idInJson(id), type })) };
  }
  if ('contents' in answer) return { broadcast: header, contents: answer.contents };
  return 'body' in answer ? answer.body : null;
}
