import { hash } from 'node:crypto';
import { memoize } from '../../../functions/domain/memoize.ts';
import { dayMs, wallTimeMs, weekAt } from './calendar.ts';
import { users, type ContentType, type User } from './catalogue.ts';
import { chanceOf } from './chance.ts';
import { series, type Series, type WeekTime } from './rhythm.ts';

interface PlannedContent {
  id: string;
  type: ContentType;
}

interface PlannedBroadcast {
  id: string;
  name: string;
  createdBy: User;
  createdMs: number;
  contents: readonly PlannedContent[];
}

/** A delivery with everything that will happen to it, past or future. Instants are milliseconds since 1970. */
export interface PlannedDelivery {
  id: string;
  broadcast: PlannedBroadcast;
  /** Entered into the service, and shown by it from then on. */
  listedMs: number;
  /** Sent to its people, unless it is cancelled before. */
  deliverMs: number;
  cancelled: boolean;
  /** How many people it is for. */
  audience: number;
  /** Nobody ever sees it. */
  unseen: boolean;
}

const firstBroadcastNumber = 100_000;
const longestNoticeMs = 3 * dayMs;

/** The deliveries of a week, delivered in it or cancelled, in no particular order; none before the account was opened. */
export const deliveriesOfWeek = memoize((week: number): readonly PlannedDelivery[] => {
  if (week < 0) return [];
  return series.flatMap((one, place) => {
    const broadcast = broadcastOf(one, place, one.begunIn?.(week) ?? week);
    const plan = (cancelled: boolean) => (time: WeekTime) =>
      deliveryOf(broadcast, jitteredMs(week, time, broadcast.id), cancelled, one.unseen ?? false);
    return one
      .deliveries(week)
      .map(plan(false))
      .concat((one.cancelled?.(week) ?? []).map(plan(true)));
  });
});

/** The delivery of this id, or `undefined` where no week has it. */
export function plannedDelivery(id: string): PlannedDelivery | undefined {
  // The id is a UUID of version 7: its first 48 bits are the delivery's instant, which leads back to its week.
  const digits = /^([0-9a-f]{8})-([0-9a-f]{4})-7/.exec(id);
  if (!digits) return undefined;
  const deliverMs = Number.parseInt(`${digits[1]}${digits[2]}`, 16);
  return deliveriesOfWeek(weekAt(deliverMs)).find((delivery) => delivery.id === id);
}

/** The broadcast of this id, or `undefined` where no week has it. */
export function plannedBroadcast(id: string): PlannedBroadcast | undefined {
  if (!/^[1-9]\d{5,6}$/.test(id)) return undefined;
  const number = Number(id) - firstBroadcastNumber;
  const week = Math.floor(number / 10);
  return deliveriesOfWeek(week).find((delivery) => delivery.broadcast.id === id)?.broadcast;
}

function broadcastOf({ topics, created }: Series, place: number, week: number): PlannedBroadcast {
  const topic = topics[week % topics.length] ?? topics[0];
  const id = String(firstBroadcastNumber + 10 * week + place);
  return {
    id,
    name: topic.name,
    createdBy: users[(week + 2 * place) % users.length] ?? users[0],
    createdMs: jitteredMs(week, created, id),
    contents: topic.contents.map((type, index) => ({ id: `${id}${index + 1}`, type })),
  };
}

function deliveryOf(
  broadcast: PlannedBroadcast,
  deliverMs: number,
  cancelled: boolean,
  unseen: boolean,
): PlannedDelivery {
  return {
    id: deliveryId(broadcast.id, deliverMs),
    broadcast,
    listedMs: Math.max(broadcast.createdMs, deliverMs - longestNoticeMs),
    deliverMs,
    cancelled,
    audience: chanceOf('audience', broadcast.id, deliverMs).whole(20, 120),
    unseen,
  };
}

/** Nobody presses the button on the minute: up to half an hour later, to the second. */
function jitteredMs(week: number, [day, time]: WeekTime, broadcastId: string): number {
  return wallTimeMs(week, day, time) + 1000 * chanceOf('button', broadcastId, week, day, time).whole(0, 1800);
}

function deliveryId(broadcastId: string, deliverMs: number): string {
  const instant = deliverMs.toString(16).padStart(12, '0');
  const digits = hash('sha256', `${broadcastId} ${deliverMs}`, 'hex');
  const variant = (0x8000 | (Number.parseInt(digits.slice(3, 7), 16) & 0x3fff)).toString(16);
  return `${instant.slice(0, 8)}-${instant.slice(8)}-7${digits.slice(0, 3)}-${variant}-${digits.slice(7, 19)}`;
}
