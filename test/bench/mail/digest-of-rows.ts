import type { Digest, DigestContent, DigestDelivery } from '../../../functions/domain/digest.ts';
import { groupBroadcasts } from '../../../functions/domain/broadcasts/group.ts';

const contentsOfDelivery = 4;
const types = ['text', 'rating', 'poll', 'video'];

/** A week's digest with so many rows: deliveries, each with four content items. A row is either. */
export function digestOfRows(rows: number): Digest {
  const deliveries = Array.from({ length: rows / (contentsOfDelivery + 1) }, (_, index) => deliveryOf(index));
  const seen = deliveries.reduce((sum, delivery) => sum + (delivery.seen ?? 0), 0);
  const responded = Math.round(seen / 2);
  const counts = { deliveries: deliveries.length, broadcasts: deliveries.length, seen, responded };
  const totals = { ...counts, asked: { seen, responded, answered: responded }, responseRate: 0.5 };
  return {
    schemaVersion: 3,
    run: 'weekly_2026-W46',
    report: 'weekly',
    period: {
      kind: 'week',
      start: '2026-11-09T00:00:00+00:00',
      end: '2026-11-16T00:00:00+00:00',
      timeZone: 'Europe/London',
    },
    collectedAt: '2026-11-16T08:00:04+00:00',
    totals: { ...totals, undated: 0, previous: totals, comparison: { basis: 'kept' } },
    late: { seen: 0, responded: 0 },
    trend: [],
    deliveries,
    broadcasts: groupBroadcasts(deliveries, { informingTypes: [], listedDeliveries: () => 1, unseenSince: () => null }),
    unseenNotNamed: 0,
    unknownDate: 0,
    otherStatuses: { scheduled: 2 },
    missing: [],
  };
}

function deliveryOf(index: number): DigestDelivery {
  return {
    id: String(index),
    broadcast: {
      id: String(100_000 + index),
      name: `Pool & gym: what changes at site ${index}`,
      createdAt: '2026-11-09T09:30:00+00:00',
      createdBy: 'Zoë Müller-Lang',
    },
    status: 'delivered',
    kind: (['new', 'active'] as const)[index % 2] ?? 'new',
    firstSign: '2026-11-10T08:00:00+00:00',
    stillCounting: index % 5 === 0,
    judged: index % 5 !== 0,
    ...figuresOf(index),
    contents: Array.from({ length: contentsOfDelivery }, (_, place) => contentOf(index, place)),
  };
}

function contentOf(index: number, place: number): DigestContent {
  const type = types[place] ?? 'text';
  const histogram = { '1': 2, '2': 3, '3': index + 8, '4': 19, '5': 32 };
  return {
    id: String(index * contentsOfDelivery + place),
    type,
    ...figuresOf(index + place),
    ...(type === 'rating' ? { ratings: { count: 64 + index, mean: 4.19, histogram } } : {}),
  };
}

function figuresOf(index: number) {
  const seen = 200 + index;
  const responded = 50 + index;
  return {
    listed: 400 + index,
    seen,
    responded,
    answered: responded,
    responseRate: responded / seen,
    reach: 0.5,
    inPeriod: { seen: seen - 10, responded: responded - 5, answered: responded - 5 },
    medianResponseSeconds: 60 * index + 300,
    undated: 0,
  };
}
