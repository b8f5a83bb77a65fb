import {
  broadcastBody,
  isAskable,
  type Account,
  type AccountBroadcast,
  type AccountDelivery,
  type Id,
} from '../accounts/account.ts';
import { instantOf } from '../accounts/dates.ts';
import { gapOfStatus, missingKey, type Gap } from './lists.ts';
import type { Sources } from './known.ts';

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

const unreadable: Gap = { reason: 'unreadable' };

/** The broadcast of a delivery, by what the list and its own address say. */
export function readBroadcast(
  delivery: AccountDelivery,
  { account, bounds, unanswered }: Omit<Sources, 'earlier'>,
): KnownBroadcast {
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
    createdAt: instantOf(at, bounds.timeZone),
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

const plain = (text: string | null = ''): string => (text ?? '').normalize('NFC').toLowerCase().split(/\s+/).join(' ');

type Filter = keyof NonNullable<Account['only']>;

/** What is said in the field of a filter; `null` for each text that is not said. */
export function saidIn(field: Filter, name: string | null, { createdBy, items }: KnownBroadcast): Array<string | null> {
  if (field === 'contentType') return items === null ? [null] : items.map(({ type }) => type || null);
  return [field === 'createdBy' ? createdBy : name];
}

/** Whether a report is about a broadcast, as far as is said; of several filters that nobody can answer, the first. */
export function isOfReport(name: string | null, broadcast: KnownBroadcast, { only }: Account): boolean | Filter {
  const open: Filter[] = [];
  for (const field of ['createdBy', 'broadcastName', 'contentType'] as const) {
    const said = saidIn(field, name, broadcast);
    const part = plain(only?.[field]);
    const met = said.map((text) => (field === 'broadcastName' ? plain(text).includes(part) : plain(text) === part));
    if (only?.[field] === undefined || met.includes(true)) continue;
    if (!said.includes(null)) return false;
    open.push(field);
  }
  return open[0] ?? true;
}

function gapOf(broadcast: AccountBroadcast): Gap | null {
  const { id, answer } = broadcast;
  if (!isAskable(id)) return { reason: 'any' };
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
