import { broadcastKey, listedOf } from './groups.ts';
import type { Wanted } from './deliveries.ts';
import type { KnownDelivery } from './included.ts';

/** What needs somebody, of one broadcast. */
export interface KnownNeed {
  /** Of the broadcast. */
  key: string;
  reason: 'unseen' | 'too-few';
  deliveries: string[];
  listedDeliveries: number;
  seen: number;
  audience: number | null;
  untouched: number | null;
  usual: { share: number; hours: number; editions: number } | null;
  timesNamed: number;
}

/** One for each broadcast that needs somebody, with the count of the delivery that has most untouched. */
export function needsOf(deliveries: readonly KnownDelivery[], wanted: readonly Wanted[]): KnownNeed[] {
  const inNeed = deliveries.filter(({ needs }) => needs !== null);
  const groups = Map.groupBy(inNeed, ({ id, broadcast }) => broadcastKey(broadcast.id, id));
  return [...groups].flatMap(([key, all]) => {
    all.sort((one, other) => Number(other.untouched) - Number(one.untouched));
    const [worst] = all;
    if (worst === undefined || worst.needs === null) return [];
    const reason = worst.needs;
    const named = all.filter(({ needs }) => needs === reason);
    const { audience, untouched, counted, usual } = worst;
    const listedDeliveries = listedOf(
      worst,
      wanted.filter(({ isWantedNow }) => isWantedNow),
    );
    const isOnly = listedOf(worst, wanted) === 1;
    return [
      {
        key,
        reason,
        deliveries: named.map(({ id }) => id),
        listedDeliveries,
        seen: counted?.seen ?? 0,
        audience,
        // Of what nobody has seen its author is asked, and nobody is reminded.
        untouched: isOnly && reason === 'too-few' ? untouched : null,
        usual: usual && { share: usual.share, hours: usual.hours, editions: usual.editions.length },
        timesNamed: Math.max(...named.map(({ memory }) => memory.timesNamed)),
      },
    ];
  });
}
