import type { DigestDelivery } from '../../domain/digest.ts';

const kindOrder = { new: 0, silent: 1, active: 2 } as const;

/** Compares deliveries: new, silent, active, unread; each by views in the period, then responses, then id. */
export function inOrderOfTheMail(a: DigestDelivery, b: DigestDelivery): number {
  return (
    placeOf(a) - placeOf(b) ||
    inPeriod(b, 'seen') - inPeriod(a, 'seen') ||
    inPeriod(b, 'responded') - inPeriod(a, 'responded') ||
    (a.id < b.id ? -1 : 1)
  );
}

function placeOf({ kind }: DigestDelivery): number {
  return kind === null ? 3 : kindOrder[kind];
}

function inPeriod(delivery: DigestDelivery, what: 'seen' | 'responded'): number {
  return delivery.inPeriod?.[what] ?? 0;
}
