import type { WantedDelivery } from '../../ledger/runs/collections.ts';
import { historyKey } from '../../ledger/runs/delivery-history.ts';
import type { Collected } from '../collect/collected.ts';
import type { Missing } from '../../domain/digest.ts';
import type { Unavailable } from '../../domain/reasons.ts';
import { earlier, type DigestBounds } from '../inclusion.ts';
import type { ListReach } from './list-reach.ts';

/** A thing that was unavailable, and whether an earlier digest has already named it as gone for good. */
export interface Gap {
  key: string;
  missing: Missing;
  goneForGood: boolean;
  namedBefore: boolean;
}

/** Not found and gone are final answers: what they are said of will not be there next time. */
function isGoneForGood({ reason }: Unavailable): boolean {
  return reason === 'not-found' || reason === 'gone';
}

/** Everything that was unavailable of the `included` deliveries, in a stable order, each named once. */
export function findGaps(
  collected: Collected,
  included: readonly WantedDelivery[],
  bounds: DigestBounds,
  reach: ListReach,
): Gap[] {
  const gaps: Gap[] = [];
  const add = (key: string, missing: Missing): void => {
    const goneForGood = isGoneForGood(missing);
    gaps.push({
      key,
      missing,
      goneForGood,
      namedBefore: goneForGood && earlier(collected.shown.get(key)?.goneIn, bounds),
    });
  };

  const ofList = collected.list.unavailable ?? (reach.reaches === 'nothing' ? { reason: 'list-too-short' } : null);
  if (ofList !== null) add('list', { what: 'deliveries', ...ofList });
  for (const { delivery, unavailable } of collected.recipients) {
    const createdAt = collected.broadcasts.get(delivery.broadcast.id)?.broadcast?.createdAt ?? null;
    // Nobody engages with a broadcast that is not there yet: the period lacks nothing of one that came later.
    if (unavailable === undefined || (createdAt !== null && createdAt >= bounds.end)) continue;
    const named = nameOf(delivery.broadcast);
    add(historyKey('delivery', delivery.id), { what: 'delivery', delivery: delivery.id, ...named, ...unavailable });
  }
  const names = new Map(
    collected.recipients.map(({ delivery }) => [delivery.broadcast.id, nameOf(delivery.broadcast)]),
  );
  for (const id of new Set(included.map(({ broadcast }) => broadcast.id).filter((id) => id !== ''))) {
    const unavailable = unavailableBroadcast(collected, id);
    if (unavailable !== null) add(historyKey('broadcast', id), { what: 'broadcast', ...names.get(id), ...unavailable });
  }
  for (const { id, broadcast } of included) {
    // Without a broadcast's id there is nothing to ask by: each such delivery is named by itself.
    if (broadcast.id !== '') continue;
    add(historyKey('broadcast', '', id), {
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
      const key = historyKey('content', delivery, content);
      if (unavailable !== undefined) add(key, { what: 'content', ...of, content, ...unavailable });
      if (ratingsUnavailable !== undefined) add(key, { what: 'ratings', ...of, content, ...ratingsUnavailable });
    }
  }
  return gaps.toSorted((a, b) => a.missing.what.localeCompare(b.missing.what) || a.key.localeCompare(b.key));
}

/** Why a broadcast is not there; `null` where it is. A delivery without a broadcast id leaves nothing to ask by. */
export function unavailableBroadcast(collected: Pick<Collected, 'broadcasts'>, id: string): Unavailable | null {
  if (id === '') return { reason: 'unreadable' };
  return collected.broadcasts.get(id)?.unavailable ?? null;
}

function nameOf({ id, name }: { id: string; name: string | null }): { broadcast: string; name?: string } {
  return { broadcast: id, ...(name === null ? {} : { name }) };
}
