import { placeInMail } from '../../domain/broadcasts/digest-broadcast.ts';
import type { DigestDelivery } from '../../domain/digest.ts';

/** Compares deliveries: new, silent, active, unread; each by views in the period, then responses, then id. */
export function inOrderOfTheMail(a: DigestDelivery, b: DigestDelivery): number {
  return (
    placeInMail(a.kind) - placeInMail(b.kind) ||
    inPeriod(b, 'seen') - inPeriod(a, 'seen') ||
    inPeriod(b, 'responded') - inPeriod(a, 'responded') ||
    (a.id < b.id ? -1 : 1)
  );
}

function inPeriod(delivery: DigestDelivery, what: 'seen' | 'responded'): number {
  return delivery.inPeriod?.[what] ?? 0;
}
