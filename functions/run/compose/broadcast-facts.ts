import type { BroadcastFacts } from '../../domain/broadcasts/group.ts';
import { addCount, createCounts } from '../../domain/counts.ts';
import type { Collected } from '../collect/collected.ts';

/** What the collection and the history say of the broadcasts of a digest. */
export function broadcastFacts(collected: Collected, informingTypes: readonly string[]): BroadcastFacts {
  const listed = createCounts();
  for (const { broadcast } of collected.wanted) addCount(listed, broadcast.id);
  return {
    informingTypes,
    listedDeliveries: (id) => listed[id] ?? 0,
    unseenSince: (id) => collected.history?.deliveries.get(id)?.namedIn?.[0] ?? null,
  };
}
