import type { Account, AccountDelivery, Filter } from '../accounts/account.ts';
import type { Sources } from './deliveries.ts';
import { gapOfStatus, missingKey, unreadable, type Gap } from './lists.ts';
import { readInstant } from './rows.ts';

/** What can be known of a delivery's broadcast. */
export interface KnownBroadcast {
  /** Empty where the list did not say it. */
  id: string;
  name: string | null;
  createdAt: number | null;
  createdBy: string | null;
  /** `null` beside `gap`. */
  items: ReadonlyArray<{ id: string; type: string }> | null;
  gap: Gap | null;
}

/** The broadcast of a delivery, by what the list and its own address say. */
export function readBroadcast(delivery: AccountDelivery, { account, bounds, unanswered }: Sources): KnownBroadcast {
  const listedName = listedNameOf(delivery, account);
  const unknown = { name: listedName, createdAt: null, createdBy: null, items: null };
  const broadcast = account.broadcasts[delivery.of];
  if (broadcast === undefined || delivery.broadcast === 'without id') return { id: '', ...unknown, gap: unreadable };
  const { id, status, header, items } = broadcast;
  const gap = unanswered.get(missingKey('broadcast', id)) ?? (status === undefined ? null : gapOfStatus(status));
  if (gap !== null) return { id, ...unknown, gap };
  const { at, by: { firstName, lastName } = {} } = header.created ?? {};
  return {
    id,
    name: header.name ?? listedName,
    createdAt: readInstant(at, bounds),
    createdBy: [firstName, lastName].filter((name) => name !== undefined).join(' ') || null,
    items,
    gap: null,
  };
}

/** The name in a delivery's row of the list. */
export function listedNameOf({ of, broadcast }: AccountDelivery, { broadcasts }: Account): string | null {
  return broadcast === 'nameless' ? null : (broadcasts[of]?.name ?? null);
}

type Field = keyof Filter;

/** What a broadcast says in a field of a filter; `null` for each text that is not said. */
export function textsIn(field: Field, name: string | null, { createdBy, items }: KnownBroadcast): Array<string | null> {
  if (field === 'contentType') return items === null ? [null] : items.map(({ type }) => type || null);
  return [field === 'createdBy' ? createdBy : name];
}

/** Whether a filter is met, as far as is said; of several fields that nobody can answer, the first. */
function meets(filter: Filter, name: string | null, broadcast: KnownBroadcast): boolean | Field {
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
export function isOfReport(name: string | null, broadcast: KnownBroadcast, account: Account): boolean | Field {
  return !isExcepted(name, broadcast, account) && meets(account.only ?? {}, name, broadcast);
}

export function isExcepted(name: string | null, broadcast: KnownBroadcast, { except }: Account): boolean {
  return except !== null && meets(except, name, broadcast) === true;
}
