import type { Need } from '../../../functions/domain/digest.ts';
import { editionOf, type Growths } from './editions.ts';
import { listedOf } from './groups.ts';
import type { Wanted } from './deliveries.ts';
import type { KnownDelivery } from './included.ts';

/**
 * One for each broadcast that needs somebody, with the count of the delivery that has most untouched; of the broadcasts of an edition
 * that is judged as a whole, one.
 */
export function needsOf(deliveries: readonly KnownDelivery[], wanted: readonly Wanted[], growths: Growths): Need[] {
  const inNeed = deliveries.filter(({ needs }) => needs !== null);
  const named = new Set<string>();
  const worstFirst = inNeed.toSorted((one, other) => (other.untouched ?? -1) - (one.untouched ?? -1));
  return worstFirst.flatMap((worst) => {
    const { id, broadcast, needs: reason, audience, untouched, counted, usual } = worst;
    const edition =
      usual === null ? [] : (editionOf(id, growths) ?? []).map((growth) => `delivery of edition ${growth.id}`);
    const keys = [`broadcast ${broadcast.id}`, ...edition];
    if (reason === null || keys.some((key) => named.has(key))) return [];
    for (const key of keys) named.add(key);
    const same = inNeed.filter((other) => other.needs === reason && other.broadcast.id === broadcast.id);
    const listedDeliveries = listedOf(worst, wanted);
    return [
      {
        reason,
        deliveries: same.map((delivery) => delivery.id),
        listedDeliveries,
        seen: counted?.seen ?? 0,
        audience,
        // Of what nobody has seen its author is asked, and nobody is reminded.
        untouched: listedDeliveries === 1 && reason === 'too-few' ? untouched : null,
        usual: usual && { share: usual.share, hours: usual.hours, editions: usual.editions.length },
        timesNamed: reason === 'unseen' ? Math.max(...same.map(({ memory }) => memory.timesNamed)) : 0,
      },
    ];
  });
}
