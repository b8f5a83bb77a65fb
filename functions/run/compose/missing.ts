import type { Collected } from '../collection/collected.ts';
import type { Missing } from '../../domain/digest.ts';
import type { Unavailable } from '../../domain/reasons.ts';
import {
  areTooManyUndated,
  createdAtOf,
  isGoneForGood,
  keyOf,
  undatedSince,
  type DigestBounds,
  type IncludedDelivery,
} from '../inclusion.ts';

/** A thing that was unavailable, and whether an earlier digest has already named it as gone for good. */
export interface Gap {
  key: string;
  missing: Missing;
  goneForGood: boolean;
  namedBefore: boolean;
}

/** Everything that was unavailable of the `included` deliveries, in a stable order, each named once. */
export function findGaps(collected: Collected, included: readonly IncludedDelivery[], bounds: DigestBounds): Gap[] {
  const gaps: Gap[] = [];
  const add = (key: string, missing: Missing): void => {
    const goneForGood = isGoneForGood(missing);
    gaps.push({ key, missing, goneForGood, namedBefore: goneForGood && collected.history?.gone.has(key) === true });
  };

  const ofList = unavailableList(collected);
  if (ofList !== null) add('list', { what: 'deliveries', ...ofList });
  for (const { delivery, unavailable } of collected.recipients) {
    const createdAt = createdAtOf(delivery, collected);
    // Nobody engages with a broadcast that is not there yet: the period lacks nothing of one that came later.
    if (unavailable === undefined || (createdAt !== null && createdAt >= bounds.end)) continue;
    const named = nameOf(delivery.broadcast);
    add(keyOf('delivery', delivery.id), { what: 'delivery', delivery: delivery.id, ...named, ...unavailable });
  }
  for (const { found, datesUnreadable } of included) {
    const { id, broadcast } = found.delivery;
    if (!datesUnreadable) continue;
    const reason = 'dates-unreadable';
    add(keyOf('delivery', id), { what: 'delivery', delivery: id, ...nameOf(broadcast), reason });
  }
  // Each delivery has too few for itself, and all of them together have too many.
  if (areDatesUnreadable(collected) && !included.some(({ datesUnreadable }) => datesUnreadable)) {
    add('dates', { what: 'deliveries', reason: 'dates-unreadable' });
  }
  const names = new Map(
    collected.recipients.map(({ delivery }) => [delivery.broadcast.id, nameOf(delivery.broadcast)]),
  );
  const namelessIds = new Set(
    included.flatMap(({ found: { delivery } }) => (collected.nameless.has(delivery.id) ? [delivery.broadcast.id] : [])),
  );
  const ids = included.map(({ found }) => found.delivery.broadcast.id);
  for (const id of new Set(ids.filter((each) => each !== ''))) {
    const nameless: Unavailable | null = namelessIds.has(id) ? { reason: 'unreadable' } : null;
    const unavailable = unavailableBroadcast(collected, id) ?? nameless;
    if (unavailable !== null) add(keyOf('broadcast', id), { what: 'broadcast', ...names.get(id), ...unavailable });
  }
  for (const { found } of included) {
    const { id, broadcast } = found.delivery;
    // Without a broadcast's id there is nothing to ask by: each such delivery is named by itself.
    if (broadcast.id !== '') continue;
    add(keyOf('broadcast', '', id), {
      what: 'broadcast',
      delivery: id,
      ...nameOf(broadcast),
      reason: 'unreadable',
    });
  }
  const broadcastOf = new Map(collected.recipients.map(({ delivery }) => [delivery.id, delivery.broadcast]));
  for (const [delivery, contents] of collected.contents) {
    const broadcast = broadcastOf.get(delivery);
    const of = { delivery, ...(broadcast === undefined ? {} : nameOf(broadcast)) };
    for (const [content, { unavailable, ratingsUnavailable }] of contents) {
      const key = keyOf('content', delivery, content);
      if (unavailable !== undefined) add(key, { what: 'content', ...of, content, ...unavailable });
      if (ratingsUnavailable !== undefined) add(key, { what: 'ratings', ...of, content, ...ratingsUnavailable });
    }
  }
  return gaps.toSorted((a, b) => a.missing.what.localeCompare(b.missing.what) || a.key.localeCompare(b.key));
}

/** Whether too many of the rows that came since the last digest, over all deliveries, have dates that cannot be read. */
export function areDatesUnreadable({ recipients, history }: Collected): boolean {
  const since = recipients.flatMap(({ delivery, engagement }) =>
    engagement === undefined ? [] : [undatedSince(engagement, history?.deliveries.get(delivery.id))],
  );
  return areTooManyUndated({
    engaged: since.reduce((sum, { engaged }) => sum + engaged, 0),
    undated: since.reduce((sum, { undated }) => sum + undated, 0),
  });
}

/** Why the list is not there as a whole. One that is empty at once may be a fault: it is believed from the next run on. */
function unavailableList({ list, history }: Collected): Unavailable | null {
  if (list.unavailable !== undefined) return list.unavailable;
  return list.rows === 0 && (history?.listed ?? 0) > 0 ? { reason: 'list-empty' } : null;
}

/** Why a broadcast is not there; `null` where it is. A delivery without a broadcast id leaves nothing to ask by. */
export function unavailableBroadcast(collected: Pick<Collected, 'broadcasts'>, id: string): Unavailable | null {
  if (id === '') return { reason: 'unreadable' };
  return collected.broadcasts.get(id)?.unavailable ?? null;
}

function nameOf({ id, name }: { id: string; name: string | null }): { broadcast: string; name?: string } {
  return { broadcast: id, ...(name === null ? {} : { name }) };
}
