import type { Configuration, ReportConfiguration } from '../domain/configuration/configuration.ts';
import { comparableType } from '../domain/folding.ts';
import { countsAt, firstMomentMs, type AccountFacts, type DeliveryFacts, type ListFacts } from '../domain/facts.ts';
import { dayMs, hourMs, type Period } from '../domain/period.ts';
import { isGoneForGood, type Unavailable } from '../domain/reasons.ts';
import { isWantedStatus } from '../domain/report-filter.ts';
import type { Digest } from './schema.ts';

/** What a report, or a warning, is composed by. */
export type DigestOptions = Pick<Configuration['service'], 'deliveryRecipients' | 'contentRecipients'> &
  Pick<
    ReportConfiguration,
    'name' | 'only' | 'except' | 'authors' | 'statuses' | 'minimumGroup' | 'settleHours' | 'weekend' | 'warningOf'
  > & {
    run: string;
    /** Of a warning, from its instant of the last day that is no weekend's to its own. */
    period: Period;
    /** What dates the names of broadcasts. */
    dating: RegExp;
  };

/** What a digest is composed of: the account, and what divides its time, in epoch milliseconds. */
export interface Composing {
  options: DigestOptions;
  account: Account;
  /** The deliveries of each broadcast that the report is about. */
  about: ReadonlyArray<readonly Delivery[]>;
  /** The digest before, where it was about the same. */
  before: Digest | null;
  precedingStartMs: number;
  startMs: number;
  endMs: number;
  /** When a delivery is of the age at which it is judged; `NaN` for one of which nobody knows when it began. */
  ofAgeMs: (delivery: Delivery) => number;
  /** Rows without a readable date that came since the digest before. */
  undatedSince: (delivery: Delivery) => { seen: number; responded: number };
}

/** A delivery as its facts are read for a report. */
export interface Delivery {
  facts: DeliveryFacts;
  id: string;
  /** Of its broadcast; of one without a broadcast's id its own. */
  key: string;
  /** Its own list, where it can be read. */
  list: ListFacts | null;
  /** How many people it is for; `null` where that is not known. */
  audience: number | null;
  /** When it was first listed with a wanted status. */
  wantedMs: number | null;
  /** The earliest engagement, or, where no date of it can be read, the first listing. */
  signMs: number | null;
  /** When it began at the latest: age runs from here. `null` where it never had a wanted status and nobody engaged. */
  beginMs: number | null;
  /** When it began at the earliest: what nobody saw before it was listed may have been there since the last list without it. */
  earliestMs: number | null;
  /** It began more than three days after the first of its broadcast. */
  isLater: boolean;
}

/** An account's facts as a report reads them, whatever it is about. */
export interface Account {
  observation: AccountFacts['observation'];
  deliveries: readonly Delivery[];
  /** The deliveries of each broadcast. */
  broadcasts: ReadonlyArray<readonly Delivery[]>;
  /** How many people a content item's list is for; `null` where that is not known. */
  itemAudience: (list: ListFacts) => number | null;
  /** Types of content items of which some list was read, and those that people respond to, as they are compared. */
  readTypes: ReadonlySet<string>;
  askingTypes: ReadonlySet<string>;
}

type AudienceOf = (list: ListFacts) => number | null;
const unknownAudience: AudienceOf = () => null;

/** The facts of an account as a report reads them, at the end of its period. */
export function readAccount(facts: AccountFacts, settings: DigestOptions, endMs: number): Account {
  const canBeRead = readableIn(facts.deliveries);
  // The newest first: a broadcast is called as it is now.
  const deliveries = facts.deliveries
    .map((delivery) => readDelivery(delivery, canBeRead, settings))
    .toSorted((a, b) => b.facts.firstListedMs - a.facts.firstListedMs || (a.id < b.id ? -1 : 1));
  const recent = deliveries.filter(({ beginMs }) => isWithin(beginMs, endMs - 14 * dayMs, endMs));
  const audienceBy = (
    setting: DigestOptions['deliveryRecipients'],
    listsOf: (delivery: Delivery) => ListFacts[],
  ): AudienceOf => {
    if (setting === 'engaged') return unknownAudience;
    if (setting === 'audience') return ({ listed }) => listed;
    const areAudience = haveUntouched(recent.flatMap(listsOf)) ?? haveUntouched(deliveries.flatMap(listsOf)) ?? false;
    return areAudience ? (list) => (haveUntouched([list]) === false ? null : list.listed) : unknownAudience;
  };
  const ownAudience = audienceBy(settings.deliveryRecipients, ({ list }) => (list === null ? [] : [list]));
  const itemAudience = audienceBy(settings.contentRecipients, itemsOf);
  for (const delivery of deliveries) {
    const { list } = delivery;
    delivery.audience =
      list && (ownAudience === unknownAudience ? audienceOfItems(delivery, itemAudience) : ownAudience(list));
  }
  const broadcasts = [...Map.groupBy(deliveries, ({ key }) => key).values()];
  for (const ofBroadcast of broadcasts) markLater(ofBroadcast);
  return { observation: facts.observation, deliveries, broadcasts, itemAudience, ...typesIn(facts.deliveries) };
}

/** Deliveries that begin so soon after the first of their broadcast began with it. */
const togetherMs = 3 * dayMs;
/** A reminder is rarely sent sooner: one at the same hour of the next day is seen a little earlier or later. */
const reminderMs = 18 * hourMs;

/**
 * Tells the deliveries of a broadcast that began with it from later ones: those of three days later, and reminders. A reminder of a
 * single delivery is for no more people than that one had left untouched.
 */
function markLater(ofBroadcast: readonly Delivery[]): void {
  const firstMs = Math.min(...ofBroadcast.map(({ beginMs }) => beginMs ?? Infinity));
  const [first, ...others] = ofBroadcast.filter(({ beginMs }) => (beginMs ?? Infinity) - firstMs <= reminderMs);
  const single = others.length === 0 ? first : undefined;
  for (const delivery of ofBroadcast) {
    const { audience, earliestMs } = delivery;
    const afterMs = (earliestMs ?? -Infinity) - firstMs;
    const left = single?.list && single.audience && single.audience - reachedBy(single.list, earliestMs ?? 0);
    const isReminder = afterMs > reminderMs && left != null && audience !== null && audience <= left;
    delivery.isLater = afterMs > togetherMs || isReminder;
  }
}

/** A delivery whose audience and place among those of its broadcast are not known yet. */
function readDelivery(facts: DeliveryFacts, canBeRead: (list: ListFacts) => boolean, options: DigestOptions): Delivery {
  const { id, broadcast, firstSign, firstListedMs, unlistedMs } = facts;
  const isEmptied = facts.list?.listed === 0 && facts.contents.some(({ list }) => list && reachedNow(list) > 0);
  const list = facts.list !== null && !isEmptied && canBeRead(facts.list) ? facts.list : null;
  const wanted = facts.statuses.find(({ status }) => isWantedStatus(status, options));
  const wantedMs = wanted?.firstListedMs ?? null;
  const signMs = firstSign?.atMs ?? (list !== null && reachedNow(list) > 0 ? firstListedMs : null);
  const isFirstWanted = wantedMs === firstListedMs;
  const isSeenFirst = signMs !== null && (wantedMs === null || signMs < wantedMs);
  const beginMs = wantedMs === null || (isFirstWanted && isSeenFirst) ? signMs : wantedMs;
  const earliestMs = isSeenFirst ? signMs : isFirstWanted ? (unlistedMs ?? -Infinity) : wantedMs;
  const key = broadcast.id === '' ? `delivery ${id}` : `broadcast ${broadcast.id}`;
  return { facts, id, key, list, audience: null, wantedMs, signMs, beginMs, earliestMs, isLater: false };
}

/** Whether an instant, in epoch milliseconds, is known and lies in `[startMs, endMs)`. */
export const isWithin = (atMs: number | null, startMs: number, endMs: number): boolean =>
  atMs !== null && atMs >= startMs && atMs < endMs;

/** The first sign of a delivery by an instant. What is known late may be dated before the one that was read first. */
export function signBy({ signMs, list }: Delivery, endMs: number): number | null {
  const firstMs = signMs !== null && signMs < endMs ? signMs : list && firstMomentMs(list.moments);
  return firstMs !== null && firstMs < endMs ? firstMs : null;
}

/** Whether a delivery was there by an instant: somebody had engaged, or it may have begun and its broadcast was created. */
export function isThere(delivery: Delivery, endMs: number): boolean {
  const { facts, wantedMs } = delivery;
  if (signBy(delivery, endMs) !== null) return true;
  if (wantedMs === null || (facts.broadcast.createdMs ?? -Infinity) >= endMs) return false;
  const { firstListedMs, unlistedMs } = facts;
  if (wantedMs === firstListedMs) return (unlistedMs ?? -Infinity) < endMs;
  // It was delivered between two observations: what was not read since may have been there.
  return ((facts.list?.readMs ?? -Infinity) < endMs ? firstListedMs : wantedMs) < endMs;
}

/**
 * Whether a list can be read: not where it has rows and one of the two dates has no field in everything that its observation read,
 * as it has another name there. A field that is absent elsewhere is null.
 */
function readableIn(deliveries: readonly DeliveryFacts[]): (list: ListFacts) => boolean {
  const lists = deliveries.flatMap(({ list, contents }) => [list, ...contents.map((item) => item.list)]);
  const named = new Map<number, Set<string>>();
  for (const { readMs, listed, lacking } of lists.filter((list) => list !== null)) {
    const fields = (['seenAt', 'respondedAt'] as const).filter((field) => listed > (lacking?.[field] ?? 0));
    named.set(readMs, new Set([...(named.get(readMs) ?? []), ...fields]));
  }
  return ({ listed, readMs, lacking }) => listed === 0 || lacking?.areNamed === true || named.get(readMs)?.size === 2;
}

const itemsOf = ({ facts }: Pick<Delivery, 'facts'>): ListFacts[] => facts.contents.flatMap(({ list }) => list ?? []);

/** With people who did nothing lists are an audience: so many of them, and one in so many rows. */
const untouched = { people: 10, inRows: 100 };
/** More rows without anybody who did nothing are no audience that we know of. */
const mostTouched = 20;

/** Whether lists clearly have, or clearly do not have, people who did nothing yet; `null` where neither is clear. */
export function haveUntouched(lists: ReadonlyArray<Pick<ListFacts, 'listed' | 'untouched'>>): boolean | null {
  const listed = lists.reduce((sum, list) => sum + list.listed, 0);
  const idle = lists.reduce((sum, list) => sum + list.untouched, 0);
  if (idle >= untouched.people && idle * untouched.inRows >= listed) return true;
  return idle === 0 && listed > mostTouched ? false : null;
}

/** Of a delivery by its items' lists; `null` where they disagree, and where more people engaged than they hold. */
function audienceOfItems({ facts, list }: Pick<Delivery, 'facts' | 'list'>, itemAudience: AudienceOf): number | null {
  const [length = null, ...others] = new Set(itemsOf({ facts }).map(itemAudience));
  return others.length > 0 || length === null || list === null || reachedNow(list) > length ? null : length;
}

/** What had been done by an instant, or has no readable date. */
export function engagedBy({ moments, undated }: ListFacts, endMs: number) {
  const { seen, responded, answered } = countsAt(moments, endMs);
  return {
    seen: seen + undated.seen,
    responded: responded + undated.responded,
    answered: answered + undated.answered,
  };
}

/** How many saw it or responded by an instant, those without a readable date too. */
export function reachedBy(list: ListFacts, endMs: number): number {
  const { seen, responded, answered } = engagedBy(list, endMs);
  return seen + responded - answered;
}

export const reachedNow = (list: ListFacts): number => reachedBy(list, Infinity);

/** From so many responses on a list without a single view does not say who saw it. */
const fewestWithoutViews = 10;

/** Whether a list says who saw it. */
export function saysViews(list: ListFacts): boolean {
  const { seen, responded } = engagedBy(list, Infinity);
  return seen > 0 || responded < fewestWithoutViews;
}

/** Views and responses of a delivery dated in `[startMs, endMs)`, and how many did the second of both; `null` is not known. */
export function engagedBetween({ list }: Pick<Delivery, 'list'>, startMs: number, endMs: number) {
  if (list === null) return { seen: null, responded: null, answered: null };
  const [before, after] = [countsAt(list.moments, startMs), countsAt(list.moments, endMs)];
  const responded = after.responded - before.responded;
  // Where nobody responded, it lacks no views: one poll of long ago does not leave every later period without figures.
  if (responded > 0 && !saysViews(list)) return { seen: null, responded, answered: null };
  return { seen: after.seen - before.seen, responded, answered: after.answered - before.answered };
}

/** What is known of the broadcast of deliveries. */
export function broadcastOf(deliveries: readonly Delivery[]) {
  const known = deliveries.map(({ facts }) => facts.broadcast);
  const broadcast = known.find(({ contents }) => contents !== null) ?? known[0];
  if (broadcast === undefined) throw new TypeError('Expected at least one delivery.');
  return broadcast;
}

/** So many responses, and one in so many viewers, make something what people respond to. */
const asking = { responses: 10, inViewers: 10 };

/** Whether people respond to what has these lists. */
function isAsking(parts: ReadonlyArray<{ list: ListFacts | null }>): boolean {
  const engaged = parts.flatMap(({ list }) => (list === null ? [] : [engagedBy(list, Infinity)]));
  const responded = engaged.reduce((sum, by) => sum + by.responded, 0);
  const seen = engaged.reduce((sum, by) => sum + by.seen, 0);
  return responded >= asking.responses && responded * asking.inViewers >= seen;
}

function typesIn(deliveries: readonly DeliveryFacts[]): Pick<Account, 'readTypes' | 'askingTypes'> {
  const items = deliveries.flatMap(({ broadcast, contents }) =>
    contents.map(({ id, list }) => ({ type: broadcast.contents?.find((item) => item.id === id)?.type, list })),
  );
  const read = items.filter(({ type, list }) => type !== undefined && list !== null);
  const byType = Map.groupBy(read, ({ type = '' }) => comparableType(type));
  const asking = [...byType].flatMap(([type, ofType]) => (isAsking(ofType) ? [type] : []));
  return { readTypes: new Set(byType.keys()), askingTypes: new Set(asking) };
}

/**
 * Whether people are expected to respond to a broadcast: it has an item of a type that they respond to, or they responded to it.
 * `null` where its items are not known.
 */
export function asksForResponse(deliveries: readonly Delivery[], { askingTypes }: Account): boolean | null {
  if (isAsking(deliveries)) return true;
  return deliveries[0]?.facts.broadcast.contents?.some(({ type }) => askingTypes.has(comparableType(type))) ?? null;
}

/**
 * Why it is not known what a delivery that was there by an instant had by then; `null` where it is. Its last reading counts where
 * nothing can be known beyond it: it was gone before, or a whole list no longer has it and it is gone or not asked for any more.
 */
export function whyUnavailable({ facts, list }: Delivery, { observation }: Account, endMs: number): Unavailable | null {
  const { unread, lastListedMs, askedMs = 0 } = facts;
  if (list !== null && list.readMs >= endMs) return null;
  const isGone = unread !== undefined && isGoneForGood(unread);
  if (isGone && unread.sinceMs < endMs) return null;
  const isLeft = observation.unavailable === undefined && lastListedMs < observation.atMs;
  if (isLeft && (isGone || askedMs < observation.atMs)) return null;
  return unread === undefined ? { reason: facts.list === list ? 'incomplete' : 'unreadable' } : reasonOf(unread);
}

/** The reason of something unread alone; of what was never asked for, that it is incomplete. */
export function reasonOf({ reason, status }: Unavailable = { reason: 'incomplete' }): Unavailable {
  return { reason, ...(status === undefined ? {} : { status }) };
}
