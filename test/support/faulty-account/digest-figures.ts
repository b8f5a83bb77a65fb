import type { Digest } from '../../../functions/domain/digest.ts';
import type { Figures } from './oracle.ts';

/** The figures of a digest, in the oracle's shape. */
export function figuresOf({ totals, deliveries, broadcasts, otherStatuses, missing }: Digest): Figures {
  const { seen, responded, asked, responseRate, undated } = totals;
  const counts = { deliveries: totals.deliveries, broadcasts: totals.broadcasts };
  return {
    totals: { ...counts, seen, responded, asked, responseRate, undated },
    deliveries: deliveries
      .map((delivery) => ({
        ...countedBy(delivery),
        id: delivery.id,
        kind: delivery.kind,
        name: delivery.broadcast.name,
        contents:
          delivery.contents?.map((content) => ({
            ...countedBy(content),
            id: content.id,
            type: content.type,
            reach: content.reach,
            ratings: content.ratings ?? null,
            reason: content.unavailable?.reason ?? null,
          })) ?? null,
        reason: delivery.unavailable?.reason ?? null,
      }))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    broadcasts: broadcasts
      .map(({ kind, asks, audience, seen: views, responded: responses, inPeriod, deliveries: ids }) => {
        const sums = { seen: views, responded: responses, inPeriod };
        return { kind, asks, audience, ...sums, deliveries: ids.toSorted() };
      })
      .toSorted((a, b) => ((a.deliveries[0] ?? '') < (b.deliveries[0] ?? '') ? -1 : 1)),
    otherStatuses,
    missing: missing.map(lineOf).toSorted(),
  };
}

function countedBy({
  listed,
  seen,
  responded,
  inPeriod,
  undated,
}: Omit<Digest['deliveries'][number], 'contents'> | Content) {
  return { listed, seen, responded, inPeriod, undated };
}

type Content = NonNullable<Digest['deliveries'][number]['contents']>[number];

function lineOf({ what, delivery, broadcast, content, reason }: Digest['missing'][number]): string {
  if (what === 'deliveries') return `deliveries ${reason}`;
  if (what === 'delivery') return `delivery ${delivery} ${reason}`;
  if (what === 'broadcast') return `broadcast ${delivery ?? broadcast} ${reason}`;
  return `${what} ${delivery} ${content} ${reason}`;
}
