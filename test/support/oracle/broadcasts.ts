import {
  broadcastBody,
  isAskable,
  type Account,
  type AccountBroadcast,
  type AccountDelivery,
  type Id,
} from '../accounts/account.ts';
import type { Sources } from './deliveries.ts';
import { anyGap, gapOfStatus, missingKey, unreadable, type Gap } from './lists.ts';
import { readInstant } from './rows.ts';

/** What can be known of a delivery's broadcast. */
export interface KnownBroadcast {
  /** Empty where the list did not say it. */
  id: string;
  name: string | null;
  createdAt: number | null;
  createdBy: string | null;
  /** `null` beside `gap`. */
  items: Array<{ id: Id; type: string }> | null;
  gap: Gap | null;
}

/** The broadcast of a delivery, by what the list and its own address say. */
export function readBroadcast(delivery: AccountDelivery, { account, bounds, unanswered }: Sources): KnownBroadcast {
  const broadcast = account.broadcasts[delivery.of];
  const hasId = ['whole', 'nameless', 'name is no text'].includes(delivery.broadcast);
  const listedName = listedNameOf(delivery, account);
  const unknown = { name: listedName, createdAt: null, createdBy: null, items: null };
  if (broadcast === undefined || !hasId) return { id: '', ...unknown, gap: unreadable };
  const gap = unanswered.get(missingKey('broadcast', broadcast.id.text)) ?? gapOf(broadcast);
  if (gap !== null) return { id: broadcast.id.text, ...unknown, gap };
  const { name, created } = fieldsOf(broadcast.header);
  const { at, by } = fieldsOf(created);
  const { firstName, lastName } = fieldsOf(by);
  return {
    id: broadcast.id.text,
    name: textOf(name) ?? listedName,
    createdAt: readInstant(at, bounds),
    createdBy:
      [firstName, lastName]
        .map(textOf)
        .filter((part) => part !== null)
        .join(' ') || null,
    items: broadcast.items.map(({ id, type }) => ({ id, type: textOf(type) ?? '' })),
    gap: null,
  };
}

/** The name in a delivery's row of the list. */
export function listedNameOf({ of, broadcast }: AccountDelivery, { broadcasts }: Account): string | null {
  return ['whole', 'without id', 'empty id'].includes(broadcast) ? (broadcasts[of]?.name ?? null) : null;
}

/** A text by what it says: quotes, dashes, accents, forms of one character, case and white space make no difference. */
function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}|\p{Default_Ignorable_Code_Point}/gu, '')
    .replaceAll(/[\u2018-\u201b\u2032]/g, "'")
    .replaceAll(/[\u201c-\u201f\u2033\u00ab\u00bb]/g, '"')
    .replaceAll(/\p{Pd}|\u2212/gu, '-')
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** A type as mails show it. */
function readable(type: string): string {
  return type.replaceAll(/([a-z])([A-Z])/g, '$1 $2').replaceAll(/[-_]+/g, ' ');
}

type Filter = NonNullable<Account['only']>;
type Field = keyof Filter;

/** What is said in a field of a filter; `null` for each text that is not said. */
export function saidIn(field: Field, name: string | null, { createdBy, items }: KnownBroadcast): Array<string | null> {
  if (field === 'contentType') return items === null ? [null] : items.map(({ type }) => type || null);
  return [field === 'createdBy' ? createdBy : name];
}

/** Whether a filter is met, as far as is said; of several fields that nobody can answer, the first. */
function meets(filter: Filter, name: string | null, broadcast: KnownBroadcast): boolean | Field {
  const open: Field[] = [];
  for (const field of ['createdBy', 'broadcastName', 'contentType'] as const) {
    const wanted = filter[field];
    if (wanted === undefined) continue;
    const form = (text: string): string => folded(field === 'contentType' ? readable(text) : text);
    const texts = saidIn(field, name, broadcast);
    const isMet = texts.some((text) => {
      const said = form(text ?? '');
      return field === 'broadcastName' ? said.includes(form(wanted)) : said === form(wanted);
    });
    if (isMet) continue;
    if (!texts.includes(null)) return false;
    open.push(field);
  }
  return open[0] ?? true;
}

/** Whether a report is about a broadcast, or the field in which nobody says so; only what surely is excepted is left out. */
export function isOfReport(name: string | null, broadcast: KnownBroadcast, account: Account): boolean | Field {
  if (isExcepted(name, broadcast, account)) return false;
  return account.only === null ? true : meets(account.only, name, broadcast);
}

export function isExcepted(name: string | null, broadcast: KnownBroadcast, { except }: Account): boolean {
  return except !== null && meets(except, name, broadcast) === true;
}

function gapOf(broadcast: AccountBroadcast): Gap | null {
  const { id, answer } = broadcast;
  if (!isAskable(id)) return anyGap;
  if (answer !== 'whole' && 'status' in answer) return gapOfStatus(answer.status);
  const { contents, broadcast: header } = fieldsOf(broadcastBody(broadcast));
  if (broadcast.headerId === 'another' && 'id' in fieldsOf(header)) return unreadable;
  const areItems = Array.isArray(contents) && contents.every((item) => isId(fieldsOf(item)['id']));
  return areItems ? null : unreadable;
}

function isId(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && value !== '');
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
