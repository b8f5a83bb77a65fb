import type { Found } from '../../ledger/runs/collections.ts';
import type { Collected } from '../collect/collected.ts';

/** A delivery's earliest readable engagement, else its broadcast's creation, in epoch milliseconds; `null` where neither is known. */
export function firstSignOf(
  { delivery, engagement }: Found<'recipients'>,
  { broadcasts }: Pick<Collected, 'broadcasts'>,
): number | null {
  return engagement?.firstSign ?? broadcasts.get(delivery.broadcast.id)?.broadcast?.createdAt ?? null;
}
