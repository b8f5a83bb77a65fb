import type { Missing } from '../../domain/digest.ts';
import { isGoneForGood, type Unavailable } from '../../domain/reasons.ts';
import type { ListedDelivery } from '../../ledger/runs/collections.ts';
import { areDatesUnreadable, createdAtOf, keyOf, type Collected } from '../collected.ts';
import type { IncludedDelivery, Reading } from '../reading.ts';

/** A thing that was unavailable, and whether an earlier digest has already named it as gone for good. */
export type Gap = ReturnType<typeof findGaps>[number];

/** Everything that was unavailable of the included deliveries, in a stable order, each named once. */
export function findGaps({ collected, included, bounds }: Reading) {
  const gaps = new Map<string, Missing>();
  const noList = unavailableList(collected);
  if (noList !== null) gaps.set('list', { what: 'deliveries', ...noList });
  for (const field of collected.unsaid) gaps.set(field, { what: field, reason: 'incomplete' });
  for (const { delivery, unavailable } of collected.recipients) {
    const createdAt = createdAtOf(delivery, collected);
    // Nobody engages with a broadcast that is not there yet: the period lacks nothing of one that came later.
    if (unavailable === undefined || (createdAt !== null && createdAt >= bounds.end)) continue;
    gaps.set(keyOf('delivery', delivery.id), { what: 'delivery', ...namesOf(delivery), ...unavailable });
  }
  // Each delivery has too few for itself, and all of them together have too many.
  const isOneUnreadable = included.some(({ gap }) => gap === 'dates-unreadable');
  if (!isOneUnreadable && areDatesUnreadable(collected))
    gaps.set('dates', { what: 'deliveries', reason: 'dates-unreadable' });
  for (const inclusion of included) for (const [key, missing] of gapsOf(inclusion, collected)) gaps.set(key, missing);
  const gone = collected.history?.gone ?? new Set();
  return [...gaps]
    .map(([key, missing]) => ({ key, missing, namedBefore: isGoneForGood(missing) && gone.has(key) }))
    .toSorted((a, b) => a.missing.what.localeCompare(b.missing.what) || a.key.localeCompare(b.key));
}

/** What of a delivery that was read is unavailable: its dates, its broadcast, its content items. */
function* gapsOf(
  { delivery, gap }: IncludedDelivery,
  collected: Collected,
): Generator<[key: string, missing: Missing]> {
  const names = namesOf(delivery);
  const { delivery: id, ...broadcast } = names;
  if (gap !== null) yield [keyOf('delivery', id), { what: 'delivery', ...names, reason: gap }];
  const noBroadcast = unavailableBroadcast(collected, broadcast.broadcast);
  const field = collected.undecided.get(id);
  // Without a broadcast's id there is nothing to ask by: each such delivery is named by itself.
  if (noBroadcast !== null && broadcast.broadcast === '') {
    yield [keyOf('broadcast', '', id), { what: 'broadcast', ...names, ...noBroadcast }];
  } else if (noBroadcast !== null) {
    yield [keyOf('broadcast', broadcast.broadcast), { what: 'broadcast', ...broadcast, ...noBroadcast }];
  } else if (field !== undefined) {
    yield [keyOf(field, broadcast.broadcast), { what: field, ...broadcast, reason: 'incomplete' }];
  }
  for (const [content, { unavailable, ratingsUnavailable }] of collected.contents.get(id) ?? []) {
    const key = keyOf('content', id, content);
    if (unavailable !== undefined) yield [key, { what: 'content', ...names, content, ...unavailable }];
    if (ratingsUnavailable !== undefined) yield [key, { what: 'ratings', ...names, content, ...ratingsUnavailable }];
  }
}

/**
 * Why the list is not there as a whole. One that is empty at once may be a fault: it is believed from the next run on, and at
 * once where earlier lists lost all of theirs between runs.
 */
export function unavailableList({ list, history }: Collected): Unavailable | null {
  if (list.unavailable !== undefined) return list.unavailable;
  const { rows = 0, lostAll = false } = history?.list ?? {};
  return list.rows === 0 && rows > 0 && !lostAll ? { reason: 'list-empty' } : null;
}

/** Why a broadcast is not there; `null` where it is. A delivery without a broadcast id leaves nothing to ask by. */
export function unavailableBroadcast(collected: Pick<Collected, 'broadcasts'>, id: string): Unavailable | null {
  if (id === '') return { reason: 'unreadable' };
  return collected.broadcasts.get(id)?.unavailable ?? null;
}

function namesOf({ id, broadcast }: ListedDelivery): { delivery: string; broadcast: string; name?: string } {
  return { delivery: id, broadcast: broadcast.id, ...(broadcast.name === null ? {} : { name: broadcast.name }) };
}
