import { dayMs, hourMs } from './calendar.ts';
import { chanceOf, type Chance } from './chance.ts';
import type { PlannedDelivery } from './schedule.ts';

/** What one person does with one content item. Instants are milliseconds since 1970; `null` where it never happens. */
export interface ItemEngagement {
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
const nothing: ItemEngagement = { seenMs: null, respondedMs: null, rating: null };

/** A prime, so that every stride through the staff meets everybody once. */
const staff = 457;
const firstPersonNumber = 40_000;

/** Each delivery is asked about once for itself and once for each of its content items. */
const known = new WeakMap<PlannedDelivery, People>();

/** Those a delivery is for, each with what they do with each content item, in the items' order. */
type People = ReturnType<typeof drawPeople>;

/** Everybody a delivery is for, and all they will ever do with it; nobody where it is cancelled. */
export function recipientsOfDelivery(delivery: PlannedDelivery): People {
  const people = known.get(delivery) ?? drawPeople(delivery);
  known.set(delivery, people);
  return people;
}

function drawPeople(delivery: PlannedDelivery) {
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
    return { id, items: itemsOf(delivery, mood, chanceOf('person', delivery.id, id)) };
  });
}

/** How a delivery is received: the share of its people who see it, and how often each rating from 1 to 5 is given. */
interface Mood {
  viewShare: number;
  ratingWeights: readonly number[];
}

function itemsOf(delivery: PlannedDelivery, mood: Mood, chance: Chance): ItemEngagement[] {
  if (chance.share() < mood.viewShare) return readThrough(delivery, mood, chance);
  const blind = !delivery.unseen && chance.share() < 0.03;
  return delivery.broadcast.contents.map(({ type }) => {
    if (!blind || !questions.has(type)) return nothing;
    // Answered from the notification, without opening the broadcast: a response that no view comes before.
    return { seenMs: null, ...response(type, firstLookMs(delivery, chance), mood, chance) };
  });
}

/** Most begin with the first item; everybody sees the one they begin with, and may skip any other. */
function readThrough(delivery: PlannedDelivery, mood: Mood, chance: Chance): ItemEngagement[] {
  const { contents } = delivery.broadcast;
  const entry = chance.share() < 0.85 ? 0 : chance.whole(0, contents.length - 1);
  let atMs = firstLookMs(delivery, chance);
  const items: ItemEngagement[] = contents.map(() => nothing);
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

function response(type: string, fromMs: number, mood: Mood, chance: Chance): Omit<ItemEngagement, 'seenMs'> {
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
