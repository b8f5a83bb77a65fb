import type { Calendar } from './calendars.ts';

/** An identifier of the service; a number is written into the JSON as its bare digits, however long. */
export interface Id {
  text: string;
  asNumber?: boolean;
}

/** What a list's address answers: a status, a body that is no list (or is not said to be one), or rows in pages. */
export type ListAnswer = { status: number } | { body: unknown; contentType?: string } | ListInPages;

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

/** How items answer the rating filter; `of ten`: people rate from 1 to 10; `one more`: one row too many; `off`: nobody asks. */
export type FilterAnswer = 'honest' | 'of ten' | 'one more' | 'ignored' | 'refused' | 'forbidden' | 'off';

/** A row of the list of deliveries, and what is behind it. Of properties that are `undefined` there are none in the JSON. */
export interface AccountDelivery {
  id: Id;
  wrapped: boolean;
  /** Fields of the row that nobody documented. */
  extras?: object;
  status: unknown;
  /** Which broadcast it is of, and what the row says of it in place of `{id, name}`. */
  of: number;
  broadcast: 'whole' | 'nameless' | 'name is no text' | 'without id' | 'empty id' | 'no object' | 'missing';
  /** The status of another row with the same id, at the end of the list. */
  again?: { status: unknown };
  recipients: ListAnswer;
  /** By the place of the item in its broadcast. */
  contents: ListAnswer[];
}

/** A broadcast; `items` are its content items where `body` makes no other use of them. */
export interface AccountBroadcast {
  id: Id;
  name: string;
  items: Array<{ id: Id; type: unknown }>;
  /** What its address answers, with a header and `"contents"` in it unless these are spoilt. */
  answer: 'whole' | { status: number } | { body: unknown } | { contents: unknown };
  /** Without its id, which `headerId` says where the header is an object. */
  header: unknown;
  headerId: 'right' | 'none' | 'another';
}

/** Broadcasts by this author, whose name contains this, and with an item of this type. */
export interface Filter {
  createdBy?: string;
  broadcastName?: string;
  contentType?: string;
}

/** Everything that an account answers, and how the report reads it. */
export interface Account {
  calendar: Calendar;
  /** At which of two addresses it is. */
  host: 0 | 1;
  statuses: readonly string[];
  /** Only these broadcasts, and all but these; `null`: all, and none. */
  only: Filter | null;
  except: Filter | null;
  /** Of smaller groups nothing is judged. */
  minimumGroup: number;
  /** How the lists of deliveries, and of content items, are read. */
  deliveryRecipients: 'auto' | 'audience' | 'engaged';
  contentRecipients: 'auto' | 'audience' | 'engaged';
  /** The types of content items that ask nothing. */
  informingTypes: readonly string[];
  ratingFilter: FilterAnswer;
  deliveries: AccountDelivery[];
  broadcasts: AccountBroadcast[];
  /** Rows of the list of deliveries that name no delivery, before the others. */
  strayRows: readonly unknown[];
  /** How the list of deliveries comes; its rows are those above. */
  list: Exclude<ListAnswer, ListInPages> | Omit<ListInPages, 'rows'>;
}

/** The rating that a recipient gave in a list whose rows do not show it; only who responded rated. */
export function hiddenRating(place: number, filter: FilterAnswer): string {
  return String(filter === 'of ten' ? 1 + ((place * 3) % 10) : 1 + ((place * 2) % 5));
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

/** The recipient that a row is, bare or wrapped; of what is no object, an empty one. */
export function recipientOf(row: unknown): Record<string, unknown> {
  const object = asObject(row) ?? {};
  return asObject(object['recipient']) ?? object;
}

function asObject(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
}

/** The row of a delivery in the list. */
export function deliveryRow(delivery: AccountDelivery, account: Account, status: unknown = delivery.status): unknown {
  const row = { ...delivery.extras, id: idInJson(delivery.id), broadcast: broadcastInRow(delivery, account), status };
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
export function broadcastBody({ id, answer, header: given, headerId, items }: AccountBroadcast): unknown {
  const isObject = typeof given === 'object' && given !== null;
  const said = headerId === 'right' ? idInJson(id) : `${id.text}0`;
  const header = isObject && headerId !== 'none' ? { id: said, ...given } : given;
  if (answer === 'whole')
    return { broadcast: header, contents: items.map((item) => ({ ...item, id: idInJson(item.id) })) };
  if ('contents' in answer) return { broadcast: header, contents: answer.contents };
  return 'body' in answer ? answer.body : null;
}
