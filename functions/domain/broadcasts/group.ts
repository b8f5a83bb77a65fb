import type { DigestDelivery } from '../digest.ts';
import { broadcastAsks } from './asks.ts';
import { audienceOf } from './audience.ts';
import { placeInMail, type DigestBroadcast } from './digest-broadcast.ts';
import { mergeContents } from './merge-contents.ts';
import { sumOf, sumOfEngaged } from './sums.ts';

/** What the deliveries of a digest do not say themselves. */
export interface BroadcastFacts {
  informingTypes: readonly string[];
  /** How many deliveries of a broadcast the list has with a wanted status. */
  listedDeliveries: (broadcastId: string) => number;
  /** The start of the first earlier period whose digest named a delivery as seen by nobody; instant with offset. */
  unseenSince: (deliveryId: string) => string | null;
}

/** The deliveries of a digest by broadcast and kind, in the order of the mail. */
export function groupBroadcasts(deliveries: readonly DigestDelivery[], facts: BroadcastFacts): DigestBroadcast[] {
  const groups = Map.groupBy(deliveries, groupKey);
  return [...groups.values()].map((group) => composeBroadcast(group, facts)).toSorted(inOrderOfTheMail);
}

/** A delivery without a broadcast's id cannot be said to belong to another. */
function groupKey({ id, broadcast, kind }: DigestDelivery): string {
  return JSON.stringify(broadcast.id === '' ? [kind, 'delivery', id] : [kind, 'broadcast', broadcast.id]);
}

function composeBroadcast(deliveries: readonly DigestDelivery[], facts: BroadcastFacts): DigestBroadcast {
  const [first] = deliveries;
  if (first === undefined) throw new TypeError('Expected at least one delivery.');
  const { broadcast, kind } = first;
  const contents = mergeContents(deliveries);
  const unavailable = deliveries.find((delivery) => delivery.unavailable !== undefined)?.unavailable;
  return {
    ...broadcast,
    name: deliveries.find((delivery) => delivery.broadcast.name !== null)?.broadcast.name ?? null,
    kind,
    asks: broadcastAsks(contents, facts.informingTypes),
    audience: sumOf(deliveries.map(audienceOf)),
    seen: sumOf(deliveries.map(({ seen }) => seen)),
    responded: sumOf(deliveries.map(({ responded }) => responded)),
    answered: sumOf(deliveries.map(({ answered }) => answered)),
    inPeriod: sumOfEngaged(deliveries.map(({ inPeriod }) => inPeriod)),
    firstSign: earliest(deliveries.map(({ firstSign }) => firstSign)),
    stillCounting: deliveries.some(({ stillCounting }) => stillCounting),
    unseenSince: kind === 'silent' ? earliestKnown(deliveries.map(({ id }) => facts.unseenSince(id))) : null,
    deliveries: deliveries.map(({ id }) => id),
    listedDeliveries: broadcast.id === '' ? 1 : facts.listedDeliveries(broadcast.id),
    contents,
    ...(unavailable === undefined ? {} : { unavailable }),
  };
}

/** The earliest of instants; `null` where one is not known. */
function earliest(instants: ReadonlyArray<string | null>): string | null {
  return instants.includes(null) ? null : earliestKnown(instants);
}

/** The earliest of the instants that are known. */
function earliestKnown(instants: ReadonlyArray<string | null>): string | null {
  return instants.filter((instant) => instant !== null).toSorted((a, b) => Date.parse(a) - Date.parse(b))[0] ?? null;
}

function inOrderOfTheMail(a: DigestBroadcast, b: DigestBroadcast): number {
  const byAudience = a.kind === 'silent' ? (b.audience ?? -1) - (a.audience ?? -1) : 0;
  return (
    placeInMail(a.kind) - placeInMail(b.kind) ||
    byAudience ||
    (b.inPeriod?.seen ?? 0) - (a.inPeriod?.seen ?? 0) ||
    (b.inPeriod?.responded ?? 0) - (a.inPeriod?.responded ?? 0) ||
    (a.id === b.id ? (a.deliveries.join() < b.deliveries.join() ? -1 : 1) : a.id < b.id ? -1 : 1)
  );
}
