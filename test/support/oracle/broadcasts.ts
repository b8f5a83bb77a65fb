import type { Account, AccountBroadcast, AccountDelivery, Filter } from '../accounts/account.ts';
import type { Sources } from './deliveries.ts';
import { gapOfStatus, missingKey, type Gap } from './lists.ts';
import { readInstant } from './rows.ts';

/** What can be known of a delivery's broadcast. */
export interface KnownBroadcast {
  id: string;
  name: string;
  createdAt: number | null;
  createdBy: string | null;
  /** `null` beside `gap`. */
  items: ReadonlyArray<{ id: string; type: string }> | null;
  gap: Gap | null;
}

/** The broadcast of a delivery, by what the list and its own address say. */
export function readBroadcast(delivery: AccountDelivery, { account, bounds, unanswered }: Sources): KnownBroadcast {
  const { id, name, status, header, items } = listedBroadcast(delivery, account);
  const gap = unanswered.get(missingKey('broadcast', id)) ?? (status === undefined ? null : gapOfStatus(status));
  if (gap !== null) return { id, name, createdAt: null, createdBy: null, items: null, gap };
  const { at, by: { firstName, lastName } = {} } = header.created ?? {};
  return {
    id,
    name: header.name ?? name,
    createdAt: readInstant(at, bounds),
    createdBy: [firstName, lastName].filter((name) => name !== undefined).join(' ') || null,
    items,
    gap: null,
  };
}

/** The broadcast in a delivery's row of the list. */
export function listedBroadcast(delivery: AccountDelivery, { broadcasts }: Account): AccountBroadcast {
  const broadcast = broadcasts[delivery.broadcast];
  if (broadcast === undefined) throw new TypeError('Each delivery has a broadcast.');
  return broadcast;
}

type Field = keyof Filter;

/** What a broadcast says in a field of a filter; `null` for each text that is not said. */
export function textsIn(field: Field, name: string, { createdBy, items }: KnownBroadcast): Array<string | null> {
  if (field === 'contentType') return items === null ? [null] : items.map(({ type }) => type || null);
  return [field === 'createdBy' ? createdBy : name];
}

/** Whether a filter is met, as far as is said; of several fields that nobody can answer, the first. */
function meets(filter: Filter, name: string, broadcast: KnownBroadcast): boolean | Field {
  const open: Field[] = [];
  for (const field of ['createdBy', 'broadcastName', 'contentType'] as const) {
    const wanted = filter[field]?.toLowerCase();
    if (wanted === undefined) continue;
    const texts = textsIn(field, name, broadcast);
    const isMet = texts.some((text) => {
      const folded = text?.toLowerCase();
      return field === 'broadcastName' ? folded?.includes(wanted) : folded === wanted;
    });
    if (isMet) continue;
    if (!texts.includes(null)) return false;
    open.push(field);
  }
  return open[0] ?? true;
}

/** Whether a report is about a broadcast, or the field in which nobody says so; only what surely is excepted is left out. */
export function isOfReport(name: string, broadcast: KnownBroadcast, account: Account): boolean | Field {
  return !isExcepted(name, broadcast, account) && meets(account.only ?? {}, name, broadcast);
}

export function isExcepted(name: string, broadcast: KnownBroadcast, { except }: Account): boolean {
  return except !== null && meets(except, name, broadcast) === true;
}
