import { groupBroadcasts } from '../../../../functions/domain/broadcasts.ts';
import type { DigestBroadcast, DigestContent, DigestDelivery } from '../../../../functions/domain/digest.ts';

/** Nobody did anything. */
export const nothing = { seen: 0, responded: 0, answered: 0 };

/** A content item that nobody has seen; `over` says what is different. */
export function content(over: Partial<DigestContent> = {}): DigestContent {
  return {
    id: '1',
    type: 'poll',
    listed: 0,
    seen: 0,
    responded: 0,
    answered: 0,
    responseRate: null,
    inPeriod: nothing,
    medianResponseSeconds: null,
    undated: 0,
    reach: null,
    ...over,
  };
}

/** A new delivery of the broadcast "b" with one poll, seen by four; `over` says what is different. */
export function delivery(id: string, over: Partial<DigestDelivery> = {}): DigestDelivery {
  return {
    id,
    broadcast: { id: 'b', name: 'Friday Five', createdAt: '2026-11-09T09:00:00+00:00', createdBy: 'Priya Shah' },
    status: 'delivered',
    kind: 'new',
    firstSign: '2026-11-10T08:00:00+00:00',
    stillCounting: false,
    judged: true,
    listed: 4,
    seen: 4,
    responded: 1,
    answered: 1,
    responseRate: 0.25,
    inPeriod: { seen: 3, responded: 1, answered: 1 },
    reach: null,
    medianResponseSeconds: null,
    undated: 0,
    contents: [content()],
    ...over,
  };
}

/** A delivery whose recipients and broadcast could not be read. */
export function unread(id: string, over: Partial<DigestDelivery> = {}): DigestDelivery {
  return delivery(id, {
    kind: null,
    firstSign: null,
    listed: null,
    seen: null,
    responded: null,
    answered: null,
    responseRate: null,
    inPeriod: null,
    contents: null,
    unavailable: { reason: 'failed', status: 500 },
    ...over,
  });
}

/** The broadcasts of deliveries; of each broadcast the list has three. */
export function grouped(deliveries: readonly DigestDelivery[], since: Record<string, string> = {}): DigestBroadcast[] {
  return groupBroadcasts(deliveries, {
    informingTypes: ['text', 'image'],
    listedDeliveries: () => 3,
    unseenSince: (id) => since[id] ?? null,
  });
}
