import { dayMs, hourMs } from '../../../functions/domain/period.ts';
import { memoize } from '../../../functions/domain/wording.ts';
import { chanceOf, deliveriesOfWeek, weekAt, withOffset, type Chance, type PlannedDelivery } from './deliveries.ts';

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
const recentWeeks = 8;

/** The recent deliveries as the service describes them, without wrappers, newest first: those of the last eight weeks, and those scheduled for the days to come. */
export function deliveriesAsOf(nowMs: number) {
  return listedDeliveries(nowMs)
    .toSorted((a, b) => b.deliverMs - a.deliverMs)
    .map(({ id, broadcast, cancelled, deliverMs }) => {
      const status = cancelled ? 'cancelled' : deliverMs <= nowMs ? 'delivered' : 'scheduled';
      return { id, broadcast: { id: broadcast.id, name: broadcast.name }, status };
    });
}

/** The answer of the broadcast endpoint: a broadcast and its content items; `undefined` where there is none of this id yet. */
export function broadcastById(id: string, nowMs: number) {
  const broadcast = listedDeliveries(nowMs).find((delivery) => delivery.broadcast.id === id)?.broadcast;
  if (broadcast === undefined) return undefined;
  const { name, createdBy, createdMs, contents } = broadcast;
  return { broadcast: { id, name, created: { by: createdBy, at: withOffset(createdMs) } }, contents };
}

/** Those who have seen or responded to anything of a delivery, however old; `undefined` where there is none of this id. */
export function recipientsOf(deliveryId: string, nowMs: number): Recipient[] | undefined {
  const delivery = listedDeliveries(nowMs).find(({ id }) => id === deliveryId);
  if (!delivery) return undefined;
  return recipientsOfDelivery(delivery)
    .map(({ id, first }) => recipientOf(id, first, nowMs))
    .filter(isEngaged);
}

/**
 * A content item of a delivery: its type, and its recipients, who are everybody it was delivered to for a poll, rating, quiz
 * or form, those who engaged with the item for the other types. `undefined` where there is no such delivery or item.
 */
export function contentOf(deliveryId: string, contentId: string, nowMs: number) {
  const delivery = listedDeliveries(nowMs).find(({ id }) => id === deliveryId);
  const index = delivery?.broadcast.contents.findIndex((content) => content.id === contentId) ?? -1;
  const type = delivery?.broadcast.contents[index]?.type;
  if (!delivery || !type) return undefined;
  const people = nowMs < delivery.deliverMs ? [] : recipientsOfDelivery(delivery);
  const rows = people.map(({ id, items: { [index]: item = nothing } }) => {
    const row = recipientOf(id, item, nowMs);
    if (type === 'rating') row.rating = row.respondedAt === null ? null : item.rating;
    return row;
  });
  return { type, rows: questions.has(type) ? rows : rows.filter(isEngaged) };
}

const listedDeliveries = memoize((nowMs: number): PlannedDelivery[] => {
  const oldestMs = nowMs - recentWeeks * 7 * dayMs;
  const firstWeek = weekAt(nowMs) - recentWeeks;
  const weeks = Array.from({ length: recentWeeks + 2 }, (_, index) => deliveriesOfWeek(firstWeek + index));
  return weeks.flat().filter(({ deliverMs, listedMs }) => deliverMs >= oldestMs && listedMs <= nowMs);
});

/** Somebody with what they have done by now. */
function recipientOf(id: string, { seenMs, respondedMs }: Omit<Engagement, 'rating'>, nowMs: number): Recipient {
  const byNow = (ms: number | null): string | null => (ms !== null && ms <= nowMs ? withOffset(ms) : null);
  return { id, seenAt: byNow(seenMs), respondedAt: byNow(respondedMs) };
}

function isEngaged(row: Recipient): boolean {
  return row.seenAt !== null || row.respondedAt !== null;
}

/**
 * What one person does with a content item: when they first see it, and first respond to it, in milliseconds since 1970; `null` where
 * that never happens.
 */
interface Engagement {
  seenMs: number | null;
  respondedMs: number | null;
  /** 1 to 5, given with the response to a rating; else `null`. */
  rating: number | null;
}

/** How many of those who see an item of a type respond to it. */
const responseShare: Record<string, number> = {
  text: 0.04,
  image: 0.05,
  video: 0.12,
  link: 0.3,
  poll: 0.5,
  rating: 0.55,
  quiz: 0.4,
  form: 0.25,
};

/**
 * The types that ask something. The documentation does not say who is on an item's list; here a question lists everybody the
 * delivery is for and everything else those who engaged, so that both readings occur.
 */
export const questions: ReadonlySet<string> = new Set(['poll', 'rating', 'quiz', 'form']);
const nothing: Engagement = { seenMs: null, respondedMs: null, rating: null };

/** A prime, so that every stride through the staff meets everybody once. */
const staff = 457;
const firstPersonNumber = 40_000;

/**
 * Everybody a delivery is for, each with all they will ever do with each content item, in the items' order; nobody where it is
 * cancelled. It is asked about once for itself and once for each of its content items.
 */
const recipientsOfDelivery = memoize((delivery: PlannedDelivery) => {
  if (delivery.cancelled) return [];
  const crowd = chanceOf('crowd', delivery.id);
  const mood: Mood = {
    viewShare: delivery.unseen ? 0 : 0.45 + 0.45 * crowd.share(),
    ratingWeights: [1, 1 + crowd.share(), 2 + crowd.share(), 3 + 4 * crowd.share(), 2 + 4 * crowd.share()],
  };
  const start = crowd.whole(0, staff - 1);
  const stride = crowd.whole(1, staff - 1);
  return Array.from({ length: delivery.audience }, (_, index) => {
    const id = String(firstPersonNumber + ((start + index * stride) % staff));
    const items = itemsOf(delivery, mood, chanceOf('person', delivery.id, id));
    return { id, items, first: { seenMs: firstOf(items, 'seenMs'), respondedMs: firstOf(items, 'respondedMs') } };
  });
});

function firstOf(items: readonly Engagement[], action: 'seenMs' | 'respondedMs'): number | null {
  const instants = items.map(({ [action]: ms }) => ms).filter((ms) => ms !== null);
  return instants.length === 0 ? null : Math.min(...instants);
}

/** How a delivery is received: the share of its people who see it, and how often each rating from 1 to 5 is given. */
interface Mood {
  viewShare: number;
  ratingWeights: readonly number[];
}

function itemsOf(delivery: PlannedDelivery, mood: Mood, chance: Chance): Engagement[] {
  if (chance.share() < mood.viewShare) return readThrough(delivery, mood, chance);
  const blind = !delivery.unseen && chance.share() < 0.03;
  return delivery.broadcast.contents.map(({ type }) => {
    if (!blind || !questions.has(type)) return nothing;
    // Answered from the notification, without opening the broadcast: a response that no view comes before.
    return { seenMs: null, ...response(type, firstLookMs(delivery, chance), mood, chance) };
  });
}

/** Most begin with the first item; everybody sees the one they begin with, and may skip any other. */
function readThrough(delivery: PlannedDelivery, mood: Mood, chance: Chance): Engagement[] {
  const { contents } = delivery.broadcast;
  const entry = chance.share() < 0.85 ? 0 : chance.whole(0, contents.length - 1);
  let atMs = firstLookMs(delivery, chance);
  const items: Engagement[] = contents.map(() => nothing);
  for (let step = 0; step < contents.length; step += 1) {
    const index = (entry + step) % contents.length;
    const type = contents[index]?.type ?? 'text';
    if (step > 0 && chance.share() < 0.18) continue;
    const responds = chance.share() < (responseShare[type] ?? 0);
    items[index] = { ...nothing, seenMs: atMs, ...(responds ? response(type, atMs, mood, chance) : {}) };
    atMs += wholeSecondsMs(4000 + chance.decay(25_000));
  }
  return items;
}

function response(type: string, fromMs: number, mood: Mood, chance: Chance): Omit<Engagement, 'seenMs'> {
  const ponders = chance.share() < 0.08;
  const delayMs = ponders ? chance.decay(dayMs) : 3000 + chance.decay(75_000);
  return {
    respondedMs: fromMs + wholeSecondsMs(delayMs),
    rating: type === 'rating' ? 1 + chance.weighted(mood.ratingWeights) : null,
  };
}

/** When somebody first sees it: four of five within two days, a tail of weeks for those who were away. */
function firstLookMs(delivery: PlannedDelivery, chance: Chance): number {
  const prompt = chance.share() < 0.8;
  const delayMs = prompt ? 20_000 + chance.decay(9 * hourMs) : 2 * dayMs + chance.decay(9 * dayMs);
  const ms = delivery.deliverMs + wholeSecondsMs(delayMs);
  const hour = Math.floor((ms % dayMs) / hourMs);
  // Those who would see it in the small hours are asleep, and see it in the morning.
  return hour >= 1 && hour < 5 ? ms + 5 * hourMs : ms;
}

function wholeSecondsMs(ms: number): number {
  return 1000 * Math.round(ms / 1000);
}
