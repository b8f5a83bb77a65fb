import {
  type AtAge,
  type BroadcastContent,
  type DigestBroadcast,
  type DigestContent,
  type DigestDelivery,
  type PeriodFigures,
  placeInMail,
} from './digest.ts';
import { addUp, ratioOf, sumOf, sumOfEngaged } from './figures.ts';

/** What the deliveries of a digest do not say themselves. */
export interface BroadcastFacts {
  /** Whether something expects a response, by its content items' types or because people respond to it; `null` is not known. */
  asks: (delivery: DeliveryOfBroadcast, contents: ReadonlyArray<{ type: string }> | null) => boolean | null;
  /** How many deliveries of a broadcast the list has with a wanted status. */
  listedDeliveries: (broadcastId: string) => number;
  /** What the edition of deliveries of one broadcast had at an age, and what earlier ones had then. */
  atAge: (deliveryIds: readonly string[]) => AtAge | null;
}

type DeliveryOfBroadcast = Pick<DigestDelivery, 'id'> & { broadcast: { id: string } };

/** The key of a delivery's broadcast: of one without a broadcast's id, which cannot be said to belong to another, its own. */
export function broadcastKey({ id, broadcast }: DeliveryOfBroadcast): string {
  return JSON.stringify(broadcast.id === '' ? ['delivery', id] : ['broadcast', broadcast.id]);
}

/** The deliveries of a digest by broadcast and kind, in the order of the mail. */
export function groupBroadcasts(deliveries: readonly DigestDelivery[], facts: BroadcastFacts): DigestBroadcast[] {
  const groups = Map.groupBy(deliveries, (delivery) => `${delivery.kind} ${broadcastKey(delivery)}`);
  return [...groups.values()].map((group) => composeBroadcast(group, facts)).toSorted(compareBroadcasts);
}

function composeBroadcast(deliveries: readonly DigestDelivery[], facts: BroadcastFacts): DigestBroadcast {
  const [first] = deliveries;
  if (first === undefined) throw new TypeError('Expected at least one delivery.');
  const { broadcast, kind } = first;
  const contents = mergeContents(deliveries);
  const unavailable = deliveries.find((delivery) => delivery.unavailable !== undefined)?.unavailable;
  const ids = deliveries.map(({ id }) => id);
  return {
    ...broadcast,
    name: deliveries.find((delivery) => delivery.broadcast.name !== null)?.broadcast.name ?? null,
    kind,
    asks: facts.asks(first, contents),
    ...addUp(deliveries),
    firstSign: earliest(deliveries.map(({ firstSign }) => firstSign)),
    stillCounting: deliveries.some(({ stillCounting }) => stillCounting),
    atAge: facts.atAge(ids),
    deliveries: ids,
    listedDeliveries: broadcast.id === '' ? 1 : facts.listedDeliveries(broadcast.id),
    contents,
    ...(unavailable === undefined ? {} : { unavailable }),
  };
}

/** The earliest of instants; `null` where one is not known. */
function earliest(instants: ReadonlyArray<string | null>): string | null {
  const known = instants.filter((instant) => instant !== null).toSorted((a, b) => Date.parse(a) - Date.parse(b));
  return known.length < instants.length ? null : (known[0] ?? null);
}

/** Compares what the mail shows: new, silent, active, unread; each by views in the period, then by responses. */
export function inOrderOfTheMail(a: Shown, b: Shown): number {
  return (
    placeInMail(a.kind) - placeInMail(b.kind) ||
    (b.inPeriod?.seen ?? 0) - (a.inPeriod?.seen ?? 0) ||
    (b.inPeriod?.responded ?? 0) - (a.inPeriod?.responded ?? 0)
  );
}

type Shown = Pick<DigestDelivery, 'kind' | 'inPeriod'>;

/** Of broadcasts that nobody has seen, the one with the larger audience comes first. */
function compareBroadcasts(a: DigestBroadcast, b: DigestBroadcast): number {
  const byAudience = a.kind === 'silent' ? (b.audience ?? -1) - (a.audience ?? -1) : 0;
  const [key, otherKey] = a.id === b.id ? [a.deliveries.join(), b.deliveries.join()] : [a.id, b.id];
  return inOrderOfTheMail(a, b) || byAudience || (key < otherKey ? -1 : 1);
}

/**
 * The content items of one broadcast over some of its deliveries, in the author's order. `null` where one delivery's are not
 * known.
 */
function mergeContents(deliveries: readonly DigestDelivery[]): BroadcastContent[] | null {
  const [first] = deliveries;
  if (first?.contents == null || deliveries.some(({ contents }) => contents === null)) return null;
  return first.contents.map((content) => {
    const items = deliveries.map(({ contents }) => contents?.find(({ id }) => id === content.id) ?? null);
    return mergeContent(content, items);
  });
}

function mergeContent({ id, type }: DigestContent, items: ReadonlyArray<DigestContent | null>): BroadcastContent {
  const ratings = mergeRatings(items);
  const unavailable = items.find((item) => item?.unavailable !== undefined)?.unavailable;
  return {
    id,
    type,
    seen: sumOf(items.map((item) => item?.seen ?? null)),
    responded: sumOf(items.map((item) => item?.responded ?? null)),
    ...(ratings === undefined ? {} : { ratings }),
    ...(unavailable === undefined ? {} : { unavailable }),
  };
}

/** Ratings together. An item that nobody responded to has none; one with responses but without ratings lacks them. */
function mergeRatings(items: ReadonlyArray<DigestContent | null>): BroadcastContent['ratings'] {
  const rated = items.flatMap((item) => (item?.ratings === undefined ? [] : [item.ratings]));
  if (rated.length === 0) return undefined;
  if (items.some((item) => item?.ratings === undefined && item?.responded !== 0)) return null;
  const count = rated.reduce((sum, ratings) => sum + ratings.count, 0);
  const total = sumOf(rated.map((ratings) => (ratings.mean === null ? null : ratings.mean * ratings.count)));
  return { count, mean: total === null || count === 0 ? null : total / count };
}

/**
 * Views and responses within the period of the broadcasts that ask something, and their response rate. `null` where one of
 * those with engagement cannot be counted, or it is not known whether it asks.
 */
export function countAsked(
  broadcasts: ReadonlyArray<Pick<DigestBroadcast, 'asks' | 'inPeriod'>>,
): Pick<PeriodFigures, 'asked' | 'responseRate'> {
  const counted = broadcasts.filter(
    ({ asks, inPeriod }) => inPeriod === null || (asks !== false && inPeriod.seen + inPeriod.responded > 0),
  );
  const asked = sumOfEngaged(counted.map(({ asks, inPeriod }) => (asks === null ? null : inPeriod)));
  return { asked, responseRate: asked && ratioOf(asked.answered, asked.seen) };
}

/** How many broadcasts there are; a delivery without a broadcast's id counts as one. */
export function countBroadcasts(deliveries: ReadonlyArray<{ id: string; broadcast: { id: string } }>): number {
  const named = deliveries.filter(({ broadcast }) => broadcast.id !== '');
  return new Set(named.map(({ broadcast }) => broadcast.id)).size + deliveries.length - named.length;
}

/** Types of content items that only inform: nobody is expected to respond to them. */
export const defaultInformingTypes: readonly string[] = ['text', 'image', 'video', 'audio', 'file', 'document'];

/** Whether content items of a type expect a response: all do whose type is not among the informing ones, ignoring case. */
export function typeAsks(type: string, informingTypes: readonly string[]): boolean {
  return !informingTypes.some((informing) => informing.toLowerCase() === type.toLowerCase());
}

/** From so many responses to an item on, and one of so many viewers, people are expected to respond to it. */
const asking = { responses: 10, viewers: 10 };

/** The keys of broadcasts that ask, whatever the types of their items, because ten people and a tenth of an item's viewers responded to it. */
export function askingIn(deliveries: readonly DigestDelivery[]): string[] {
  return [...Map.groupBy(deliveries, broadcastKey)].flatMap(([key, group]) => {
    const items = group.flatMap(({ contents }) => contents ?? []);
    const asks = [...Map.groupBy(items, ({ id }) => id).values()].some((lists) => {
      const sum = (name: 'seen' | 'responded') => lists.reduce((total, item) => total + (item[name] ?? 0), 0);
      return sum('responded') >= asking.responses && sum('responded') * asking.viewers >= sum('seen');
    });
    return asks ? [key] : [];
  });
}

/** Whether a broadcast asks something: one of its content items does. `null` where its content items are not known. */
export function broadcastAsks(
  contents: ReadonlyArray<{ type: string }> | null | undefined,
  informingTypes: readonly string[],
): boolean | null {
  return contents?.some(({ type }) => typeAsks(type, informingTypes)) ?? null;
}
