import { dayMs, weekAt, withOffset } from './calendar.ts';
import { listsAudience, recipientsOfDelivery, type ItemEngagement } from './engagement.ts';
import { deliveriesOfWeek, plannedBroadcast, plannedDelivery, type PlannedDelivery } from './schedule.ts';

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
const recentMs = 70 * dayMs;

/** The recent deliveries as the service describes them, without wrappers, newest first: those of the last ten weeks, and those scheduled for the days to come. */
export function deliveriesAsOf(nowMs: number) {
  const oldestMs = nowMs - recentMs;
  const firstWeek = Math.max(0, weekAt(oldestMs));
  const weeks = Array.from({ length: Math.max(0, weekAt(nowMs) + 2 - firstWeek) }, (_, index) => firstWeek + index);
  return weeks
    .flatMap((week) => deliveriesOfWeek(week))
    .filter((delivery) => delivery.deliverMs >= oldestMs && delivery.listedMs <= nowMs)
    .toSorted((a, b) => b.deliverMs - a.deliverMs)
    .map((delivery) => ({
      id: delivery.id,
      broadcast: { id: delivery.broadcast.id, name: delivery.broadcast.name },
      status: statusOf(delivery, nowMs),
    }));
}

/** The answer of the broadcast endpoint: a broadcast and its content items; `undefined` where there is none of this id yet. */
export function broadcastById(id: string, nowMs: number) {
  const broadcast = plannedBroadcast(id);
  if (!broadcast || broadcast.createdMs > nowMs) return undefined;
  return {
    broadcast: {
      id: broadcast.id,
      name: broadcast.name,
      created: { by: { ...broadcast.createdBy }, at: withOffset(broadcast.createdMs) },
    },
    contents: broadcast.contents.map(({ id, type }) => ({ id, type })),
  };
}

/** Those who have seen or responded to anything of a delivery, however old; `undefined` where there is none of this id. */
export function recipientsOf(deliveryId: string, nowMs: number): Recipient[] | undefined {
  const delivery = listedDelivery(deliveryId, nowMs);
  if (!delivery) return undefined;
  return recipientsOfDelivery(delivery)
    .map(({ id, items }) => {
      const happened = items.map((item) => happenedBy(item, nowMs));
      const seenMs = earliest(happened.map((item) => item.seenMs));
      const respondedMs = earliest(happened.map((item) => item.respondedMs));
      return { id, seenAt: offsetOrNull(seenMs), respondedAt: offsetOrNull(respondedMs) };
    })
    .filter(isEngaged);
}

/**
 * A content item of a delivery: its type, and its recipients, who are everybody it was delivered to for a poll, rating, quiz
 * or form, those who engaged with the item for the other types. `undefined` where there is no such delivery or item.
 */
export function contentOf(
  deliveryId: string,
  contentId: string,
  nowMs: number,
): { type: string; rows: Recipient[] } | undefined {
  const delivery = listedDelivery(deliveryId, nowMs);
  const index = delivery?.broadcast.contents.findIndex((content) => content.id === contentId) ?? -1;
  const type = delivery?.broadcast.contents[index]?.type;
  if (!delivery || !type) return undefined;
  const people = nowMs < delivery.deliverMs ? [] : recipientsOfDelivery(delivery);
  const rows = people.map(({ id, items }) => {
    const { seenMs, respondedMs, rating } = happenedBy(items[index], nowMs);
    const row: Recipient = { id, seenAt: offsetOrNull(seenMs), respondedAt: offsetOrNull(respondedMs) };
    if (type === 'rating') row.rating = rating;
    return row;
  });
  return { type, rows: listsAudience(type) ? rows : rows.filter(isEngaged) };
}

function listedDelivery(id: string, nowMs: number): PlannedDelivery | undefined {
  const delivery = plannedDelivery(id);
  return delivery && delivery.listedMs <= nowMs ? delivery : undefined;
}

function statusOf(delivery: PlannedDelivery, nowMs: number): 'scheduled' | 'delivered' | 'cancelled' {
  if (delivery.cancelled) return 'cancelled';
  return delivery.deliverMs <= nowMs ? 'delivered' : 'scheduled';
}

function happenedBy(item: ItemEngagement | undefined, nowMs: number): ItemEngagement {
  const seen = item && item.seenMs !== null && item.seenMs <= nowMs;
  const responded = item && item.respondedMs !== null && item.respondedMs <= nowMs;
  return {
    seenMs: seen ? item.seenMs : null,
    respondedMs: responded ? item.respondedMs : null,
    rating: responded ? item.rating : null,
  };
}

function isEngaged(row: Recipient): boolean {
  return row.seenAt !== null || row.respondedAt !== null;
}

function earliest(instants: ReadonlyArray<number | null>): number | null {
  return instants.reduce((first, ms) => (first === null || (ms !== null && ms < first) ? ms : first), null);
}

function offsetOrNull(ms: number | null): string | null {
  return ms === null ? null : withOffset(ms);
}
