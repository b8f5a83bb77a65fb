import { memoize } from '../../../functions/domain/wording.ts';
import { dayMs, weekAt, withOffset } from './calendar.ts';
import { questions, recipientsOfDelivery, type ItemEngagement } from './engagement.ts';
import { deliveriesOfWeek, type PlannedDelivery } from './schedule.ts';

// What the account shows at an instant, `nowMs`: its present, in milliseconds since 1970. What comes later has not
// happened yet. Every function here is pure.

/** A row of a recipient list: ISO 8601 with an offset, or `null`. A rating's rows have `rating`, 1 to 5 or `null`. */
export type Recipient = {
  id: string;
  seenAt: string | null;
  respondedAt: string | null;
  rating?: number | null;
};

/** How far the list of recent deliveries reaches back. */
const recentWeeks = 10;

/** The recent deliveries as the service describes them, without wrappers, newest first: those of the last ten weeks, and those scheduled for the days to come. */
export function deliveriesAsOf(nowMs: number) {
  return listedDeliveries(nowMs)
    .toSorted((a, b) => b.deliverMs - a.deliverMs)
    .map((delivery) => ({
      id: delivery.id,
      broadcast: { id: delivery.broadcast.id, name: delivery.broadcast.name },
      status: statusOf(delivery, nowMs),
    }));
}

/** The answer of the broadcast endpoint: a broadcast and its content items; `undefined` where there is none of this id yet. */
export function broadcastById(id: string, nowMs: number) {
  const broadcast = listedDeliveries(nowMs).find((delivery) => delivery.broadcast.id === id)?.broadcast;
  if (broadcast === undefined) return undefined;
  return {
    broadcast: {
      id: broadcast.id,
      name: broadcast.name,
      created: { by: broadcast.createdBy, at: withOffset(broadcast.createdMs) },
    },
    contents: broadcast.contents.map(({ id, type }) => ({ id, type })),
  };
}

/** Those who have seen or responded to anything of a delivery, however old; `undefined` where there is none of this id. */
export function recipientsOf(deliveryId: string, nowMs: number): Recipient[] | undefined {
  const delivery = listedDelivery(deliveryId, nowMs);
  if (!delivery) return undefined;
  return recipientsOfDelivery(delivery)
    .map(({ id, items }) => recipientOf(id, items, nowMs))
    .filter(isEngaged);
}

/**
 * A content item of a delivery: its type, and its recipients, who are everybody it was delivered to for a poll, rating, quiz
 * or form, those who engaged with the item for the other types. `undefined` where there is no such delivery or item.
 */
export function contentOf(deliveryId: string, contentId: string, nowMs: number) {
  const delivery = listedDelivery(deliveryId, nowMs);
  const index = delivery?.broadcast.contents.findIndex((content) => content.id === contentId) ?? -1;
  const type = delivery?.broadcast.contents[index]?.type;
  if (!delivery || !type) return undefined;
  const people = nowMs < delivery.deliverMs ? [] : recipientsOfDelivery(delivery);
  const rows = people.map(({ id, items }) => {
    const row = recipientOf(id, items.slice(index, index + 1), nowMs);
    if (type === 'rating') row.rating = row.respondedAt === null ? null : (items[index]?.rating ?? null);
    return row;
  });
  return { type, rows: questions.has(type) ? rows : rows.filter(isEngaged) };
}

const listedDeliveries = memoize((nowMs: number): PlannedDelivery[] => {
  const oldestMs = nowMs - recentWeeks * 7 * dayMs;
  const firstWeek = weekAt(nowMs) - recentWeeks;
  const weeks = Array.from({ length: recentWeeks + 2 }, (_, index) => firstWeek + index);
  return weeks
    .flatMap((week) => deliveriesOfWeek(week))
    .filter((delivery) => delivery.deliverMs >= oldestMs && delivery.listedMs <= nowMs);
});

function listedDelivery(id: string, nowMs: number): PlannedDelivery | undefined {
  return listedDeliveries(nowMs).find((delivery) => delivery.id === id);
}

function statusOf(delivery: PlannedDelivery, nowMs: number): 'scheduled' | 'delivered' | 'cancelled' {
  if (delivery.cancelled) return 'cancelled';
  return delivery.deliverMs <= nowMs ? 'delivered' : 'scheduled';
}

/** Somebody with the first that they have done by now with any of these content items. */
function recipientOf(id: string, items: readonly ItemEngagement[], nowMs: number): Recipient {
  const first = (action: 'seenMs' | 'respondedMs'): string | null => {
    const firstMs = items.reduce((before, item) => Math.min(before, item[action] ?? Infinity), Infinity);
    return firstMs <= nowMs ? withOffset(firstMs) : null;
  };
  return { id, seenAt: first('seenMs'), respondedAt: first('respondedMs') };
}

function isEngaged(row: Recipient): boolean {
  return row.seenAt !== null || row.respondedAt !== null;
}
