import { isAskable, rowsOfList, type Account, type AccountDelivery } from '../accounts/account.ts';
import { calendarBefore } from '../accounts/calendars.ts';
import { audienceOf, audiencesOf, reachOf, type Audiences, type ListKind } from './audience.ts';
import { isOfReport, listedNameOf, readBroadcast, saidIn, type KnownBroadcast } from './broadcasts.ts';
import {
  comparedWith,
  lateOf,
  leftOf,
  totalsOf,
  type KnownComparison,
  type KnownTotals,
  type Left,
} from './comparison.ts';
import { readContents, type KnownContent } from './contents.ts';
import { editionOf, type Growth, type Growths } from './editions.ts';
import { askingIn, groupsOf, type KnownGroup } from './groups.ts';
import { isInTime, judge, settleMs, type Judgement } from './judging.ts';
import { anyGap, missingKey, readList, undatable, unreadable, type Gap } from './lists.ts';
import { hasWord, isGoneAgain, memoryOf, runsBefore, type Memory } from './memory.ts';
import { needsOf, type KnownNeed } from './needs.ts';
import { countRows, curveOf, datedWithin, firstSignOf, isWithin, sum } from './rows.ts';
import type { Bounds, Counted, Engaged } from './rows.ts';

/** A listed delivery whose engagement is collected. */
export interface Wanted {
  id: string;
  row: AccountDelivery;
  status: string;
  /** Its status is one that the report wants; else it was when an earlier run listed it. */
  isWantedNow: boolean;
  broadcast: KnownBroadcast;
  /** Whether the report is about it, or the field in which nobody says so. */
  isOf: ReturnType<typeof isOfReport>;
  /** When its broadcast was created, as far as this or an earlier run was told. */
  createdAt: number | null;
  counted: Counted | null;
  /** Why `counted` is not known. */
  gap: Gap | null;
  /** Why its views are not known, where the rest is. */
  viewsGap: Gap | null;
  firstSign: number | null;
  since: NewRows;
  /** Too many of the rows that came have no readable date: what is within the period is not known. */
  isUndatable: boolean;
  memory: Memory;
}

/** Rows that came since a delivery was read the last time. */
interface NewRows {
  engaged: number;
  undated: number;
}

type Kind = 'new' | 'silent' | 'active' | null;

/** A delivery that the digest has to show, with what can be known of it. */
export type KnownDelivery = Sized & Judgement;

export interface Sized extends Wanted {
  kind: Kind;
  stillCounting: boolean;
  reach: number | null;
  audience: number | null;
  /** Rows of its own list that saw it or responded; and the others of its audience. */
  engaged: number | null;
  untouched: number | null;
  /** With the reach of each. */
  contents: Array<KnownContent & { reach: number | null }> | null;
}

/** Something that the digest has to name as missing, by `missingKey`, with the reasons that are true. */
export type KnownMissing = Map<string, Gap[]>;

/** All that can be known of an account's period, and what later ones have to know of it. */
export interface Known extends KnownComparison {
  account: Account;
  /** The period's first instant, and the first after it. */
  start: number;
  end: number;
  /** Whether there is a digest: without the list there is none. `maybe`: the list broke off before it named anything. */
  digest: 'yes' | 'no' | 'maybe';
  /** `null` where something is missing that would change them. */
  totals: KnownTotals | null;
  undated: number;
  late: Engaged | null;
  deliveries: KnownDelivery[];
  groups: KnownGroup[];
  needs: KnownNeed[];
  /** Ids of deliveries that nobody has engaged with: named often enough, or in a first digest not known to be recent. */
  unseenNotNamed: string[];
  unknownDate: string[];
  otherStatuses: Map<string, number>;
  missing: KnownMissing;
  left: Left;
  onlyNewest: boolean;
  noMatch: boolean;
  /** The list had no row. */
  isEmpty: boolean;
  /** The words with which the list has each delivery. */
  statuses: Map<string, string[]>;
  wanted: Map<string, Wanted>;
  kinds: Map<string, ListKind>;
  growths: Growths;
  /** What was judged by now, and what is still to be. */
  judged: Set<string>;
  toBeJudged: string[];
  /** Broadcasts that ask for a response because they were responded to. */
  asking: Set<string>;
}

/** What everything is worked out from; `earlier` are the runs of earlier periods. */
export interface Sources {
  account: Account;
  bounds: Bounds;
  unanswered: ReadonlyMap<string, Gap>;
  earlier: readonly Known[];
}

/**
 * Works out what an account's answers say.
 *
 * @param unanswered things that it never answered, by `missingKey`; none by default
 * @param earlier what was known for the report's earlier digests, in the order of the runs; by default this is the first
 */
export function knownOf(
  account: Account,
  { unanswered = new Map(), earlier = [] }: Partial<Pick<Sources, 'unanswered' | 'earlier'>> = {},
): Known {
  const { calendar, list } = account;
  const bounds: Bounds = {
    timeZone: calendar.timeZone,
    readAt: Date.parse(calendar.at),
    previousStart: Date.parse(calendarBefore(calendar).start),
    start: Date.parse(calendar.start),
    end: Date.parse(calendar.end),
  };
  const runs = runsBefore(calendar, earlier);
  const last = runs.at(-1);
  const sources = { account, bounds, unanswered, earlier: runs };
  const { rows: listed, broken, cut } = readList('wrapper' in list ? { ...list, rows: rowsOfList(account) } : list);
  const { wanted: read, others, unsaid, hasStrays, statuses, noMatch } = sortDeliveries(sources, listed.length);
  const { included, wanted } = includedOf(read, sources);
  const audiences = audiencesOf(wanted, included, sources);
  const sized = included.map((delivery) => withSizes(delivery, audiences));
  const growths = growthsOf(wanted, sized, { audiences, before: last?.growths, end: bounds.end });
  const judgedBefore = new Set(runs.flatMap((run) => [...run.judged]));
  const engaged = new Set(wanted.filter(({ counted }) => counted?.engaged).map(({ broadcast }) => broadcast.id));
  const court = { account, bounds, growths, areAudiences: audiences.deliveries, judged: judgedBefore, engaged };
  const deliveries = sized.map((delivery) => Object.assign(delivery, judge(delivery, court)));
  const missing = missingOf(wanted, deliveries, sources);
  const gapsOfList = [
    ...(cut === null ? [] : [{ reason: 'cut-off' }]),
    ...(hasStrays ? [{ reason: 'unreadable' }] : []),
    ...(listed.length === 0 && last?.isEmpty === false && !hasLostAll(runs) ? [{ reason: 'list-empty' }] : []),
  ];
  const isWhole = gapsOfList.length === 0;
  const lacksDates = areUndatable({
    engaged: sum(wanted.map(({ since }) => since.engaged)) ?? 0,
    undated: sum(wanted.map(({ since }) => since.undated)) ?? 0,
  });
  if (lacksDates && !deliveries.some(({ isUndatable }) => isUndatable)) gapsOfList.push(undatable);
  for (const field of unsaid) missing.set(field, [{ reason: 'incomplete' }]);
  if (gapsOfList.length > 0) missing.set('deliveries', gapsOfList);
  const asking = new Set([...(last?.asking ?? []), ...askingIn(deliveries)]);
  // The figures of the period need every list, and dates in most of the rows that came.
  const isComplete = unsaid.length === 0 && !isListLacking(missing) && !lacksDates;
  const totals = isComplete ? totalsOf(deliveries, { account, asking }) : null;
  const left = leftOf(isWhole ? new Set(statuses.keys()) : null, runs);
  const now = { totals, wanted, left, bounds };
  const brokeOff = cut !== null && cut.reason !== 'cut-off';
  const unseen = wanted.filter(({ isWantedNow }) => isWantedNow).filter((each) => isUnseen(each, bounds));
  return {
    account,
    start: bounds.start,
    end: bounds.end,
    digest: broken !== null ? 'no' : brokeOff && read.length + others.length === 0 ? 'maybe' : 'yes',
    totals,
    ...comparedWith(now, account, earlier),
    undated: sum(wanted.map(({ counted }) => counted?.undated ?? 0)) ?? 0,
    late: lateOf(now, account, earlier),
    deliveries,
    groups: groupsOf(deliveries, wanted, { account, growths, asking }),
    needs: needsOf(deliveries, wanted),
    unseenNotNamed: unseen.filter(({ memory }) => memory.isNamedNoMore).map(({ id }) => id),
    unknownDate: unseen.filter((each) => isOfUnknownDate(each, bounds)).map(({ id }) => id),
    otherStatuses: countsOf(others),
    missing,
    left,
    onlyNewest: isWhole && isNewestAlone([...runs.slice(-2).map((run) => run.statuses), statuses]),
    noMatch: noMatch && isWhole,
    isEmpty: listed.length === 0,
    statuses,
    wanted: new Map(wanted.map((each) => [each.id, each])),
    kinds: audiences.kinds,
    growths,
    judged: new Set([...judgedBefore, ...deliveries.flatMap((delivery) => judgedWith(delivery, growths))]),
    toBeJudged: deliveries.filter((delivery) => isToBeJudged(delivery, judgedBefore, bounds)).map(({ id }) => id),
    asking,
  };
}

interface Sorted {
  wanted: Wanted[];
  /** The words of the listed deliveries whose status is not wanted. */
  others: string[];
  unsaid: string[];
  hasStrays: boolean;
  statuses: Map<string, string[]>;
  noMatch: boolean;
}

/** The deliveries of the first `count` rows, each once; a wanted status wins. */
function sortDeliveries(sources: Sources, count: number): Sorted {
  const { account, earlier } = sources;
  const { strayRows, deliveries } = account;
  const rows = [
    ...deliveries.map((delivery) => ({ delivery, status: delivery.status })),
    ...deliveries.flatMap((delivery) => (delivery.again ? [{ delivery, status: delivery.again.status }] : [])),
  ].slice(0, Math.max(0, count - strayRows.length));
  const listed = deliveries.flatMap((row) => {
    const statuses = rows.filter(({ delivery }) => delivery === row).map(({ status }) => statusOf(status));
    if (statuses.length === 0) return [];
    const listedName = listedNameOf(row, account);
    const found = readBroadcast(row, sources);
    // What the list's own name rules out is not asked for.
    const unread = { ...found, createdBy: null, items: null };
    const broadcast = isOfReport(listedName, unread, account) === false ? unread : found;
    const name = listedName ?? broadcast.name;
    return [{ row, statuses, broadcast, name, isOf: isOfReport(name, broadcast, account) }];
  });
  const meant = listed.filter(({ isOf }) => isOf !== false);
  const sorted = meant.map(({ row, statuses, broadcast, isOf }) => {
    const id = row.id.text;
    const word = statuses.find((status) => hasWord(account.statuses, status));
    const memory = memoryOf(id, earlier, account);
    const isWanted = word !== undefined || memory.wasListedAsWanted;
    const [first = ''] = statuses;
    const known = { id, row, status: word ?? first, isWantedNow: word !== undefined, broadcast, isOf, memory };
    return { known, isWanted };
  });
  const open = [...new Set(meant.map(({ isOf }) => isOf))].filter((isOf) => typeof isOf === 'string');
  const unsaid = open.filter((field) =>
    listed.every(({ name, broadcast }) => saidIn(field, name, broadcast).every((text) => text === null)),
  );
  // Where nobody says what the filter asks, nothing is known of what the report is about.
  const all = unsaid.length > 0 ? [] : sorted;
  return {
    wanted: all.flatMap(({ known, isWanted }) => (isWanted ? [readDelivery(known, sources)] : [])),
    others: all.flatMap(({ known }) => (known.isWantedNow ? [] : [known.status])),
    unsaid,
    hasStrays: strayRows.length > 0 && count > 0,
    statuses: new Map(listed.map(({ row, statuses }) => [row.id.text, statuses])),
    noMatch: listed.length > 0 && meant.length === 0,
  };
}

function statusOf(status: unknown): string {
  return typeof status === 'string' ? status : 'unknown';
}

function countsOf(words: readonly string[]): Map<string, number> {
  return new Map(words.map((word) => [word, words.filter((other) => other === word).length]));
}

type Listed = Pick<Wanted, 'id' | 'row' | 'status' | 'isWantedNow' | 'broadcast' | 'isOf' | 'memory'>;

function readDelivery(listed: Listed, { bounds, unanswered }: Sources): Wanted {
  const { id, row, broadcast, memory } = listed;
  const { rows, broken, cut } = readList(row.recipients);
  const createdAt = memory.createdAt ?? broadcast.createdAt;
  const all = countRows(rows, bounds, createdAt);
  const isMute = rows.length > 0 && !all.rows.some(({ saysSeen, saysResponded }) => saysSeen || saysResponded);
  const lacking = unanswered.get(missingKey('delivery', id)) ?? broken ?? cut ?? (isMute ? unreadable : null);
  const gap = isAskable(row.id) ? lacking : anyGap;
  const counted = gap === null ? all : null;
  const since = {
    engaged: Math.max(0, (counted?.engaged ?? 0) - (memory.lastRead?.engaged ?? 0)),
    undated: Math.max(0, (counted?.undated ?? 0) - (memory.lastRead?.undated ?? 0)),
  };
  return {
    ...listed,
    createdAt,
    counted,
    gap,
    viewsGap: counted !== null && counted.seen === null ? anyGap : null,
    firstSign: memory.firstSign ?? firstSignOf(counted?.rows ?? [], createdAt),
    since,
    isUndatable: areUndatable(since),
  };
}

/** Whether more than a tenth and more than two have no readable date: those that have one say too little. */
function areUndatable({ engaged, undated }: NewRows): boolean {
  return undated > 2 && 10 * undated > engaged;
}

type Included = Wanted & Pick<KnownDelivery, 'kind' | 'stillCounting'> & { contents: KnownContent[] | null };

/** What the digest includes; and all that was collected, of which some own lists turn out to be unreadable. */
function includedOf(read: readonly Wanted[], sources: Sources): { included: Included[]; wanted: Wanted[] } {
  const { bounds } = sources;
  const included: Included[] = [];
  const wanted = read.map((delivery): Wanted => {
    const kind = kindOf(delivery, sources);
    if (kind === 'left out') return delivery;
    const { row, broadcast, createdAt, firstSign, counted } = delivery;
    const listed = counted?.listed ?? 0;
    const contents = readContents(row, { ...broadcast, createdAt, listed }, sources);
    const isContradicted = kind === 'silent' && listed === 0 && contents?.some((item) => item.counted?.engaged);
    const since = kind === 'silent' ? createdAt : firstSign;
    const stillCounting = since !== null && bounds.end - since < settleMs;
    const shown = isContradicted ? { ...delivery, counted: null, gap: unreadable } : delivery;
    included.push({ ...shown, kind: isContradicted ? null : kind, stillCounting, contents });
    return shown;
  });
  return { included, wanted };
}

/** Whether a digest includes a delivery, and as what. */
function kindOf(delivery: Wanted, { bounds, earlier }: Sources): Kind | 'left out' {
  const { id, counted, firstSign, isUndatable, isWantedNow, gap, memory } = delivery;
  const { start, end } = bounds;
  if (isLater(delivery, bounds)) return 'left out';
  if (counted === null) {
    const isKnownToBeGone = gap !== null && isGoneAgain(missingKey('delivery', id), gap, earlier);
    return memory.isOlder || isKnownToBeGone ? 'left out' : null;
  }
  if (counted.engaged === 0) {
    const isNamed = isWantedNow && !memory.isNamedNoMore && !memory.wasEngaged && !memory.wasOfUnknownDate;
    return isNamed && !isOfUnknownDate(delivery, bounds) ? 'silent' : 'left out';
  }
  if (isWithin(firstSign, start, end) && !memory.wasNew) return 'new';
  if (isUndatable) return null;
  const { seen, responded } = datedWithin(counted.rows, start, end);
  if (seen + responded > 0) return 'active';
  if (!memory.wasKnown) return firstSign === null ? null : 'active';
  // What is to be judged is shown.
  const isDue = isWantedNow && !memory.wasJudged && counted.seen !== null;
  return isDue && isInTime(firstSign, bounds) ? 'active' : 'left out';
}

/** Whether a delivery is one of a later period. */
function isLater({ firstSign, createdAt }: Wanted, { end }: Bounds): boolean {
  if (firstSign !== null) return firstSign >= end;
  return createdAt !== null && createdAt >= end;
}

function isUnseen(delivery: Wanted, bounds: Bounds): boolean {
  return !isLater(delivery, bounds) && delivery.counted?.engaged === 0;
}

/** In a report's first digest, what nobody has seen and was not created in this period or the one before. */
function isOfUnknownDate(delivery: Wanted, bounds: Bounds): boolean {
  const isRecent = isWithin(delivery.createdAt, bounds.previousStart, bounds.end);
  return delivery.memory.isFirstDigest && isUnseen(delivery, bounds) && !isRecent;
}

function withSizes(delivery: Included, audiences: Audiences): Sized {
  const { counted, contents } = delivery;
  const audience = audienceOf(delivery, audiences);
  const engaged = counted === null || counted.seen === null ? null : counted.engaged;
  const withReach = contents?.map((content) =>
    Object.assign({}, content, { reach: reachOf(content.counted, audiences.items(content.type)) }),
  );
  return {
    ...delivery,
    reach: reachOf(counted, audiences.deliveries),
    audience,
    engaged,
    untouched: audience === null || engaged === null ? null : audience - engaged,
    contents: withReach ?? null,
  };
}

/** How each delivery grew: of this run's lists where they can be read, else as an earlier run left it. */
function growthsOf(
  wanted: readonly Wanted[],
  included: readonly Sized[],
  { audiences, before, end }: { audiences: Audiences; before: Growths | undefined; end: number },
): Map<string, Growth> {
  const growths = new Map(before);
  for (const { id, broadcast, counted, firstSign } of wanted) {
    if (counted === null || counted.seen === null || firstSign === null) continue;
    const known = before?.get(id);
    const curve = curveOf(counted, firstSign, end) ?? known?.curve;
    if (curve === undefined) continue;
    const shown = included.find((delivery) => delivery.id === id);
    const ofOthers = audiences.deliveries ? counted.listed : (known?.audience ?? null);
    const audience = shown === undefined ? ofOthers : shown.audience;
    growths.set(id, { id, broadcast, firstSign, audience, curve, seen: counted.seen, engaged: counted.engaged });
  }
  return growths;
}

/** What is judged for good with a delivery: itself, or all of its edition. */
function judgedWith({ id, kind, judgedBy, usual }: KnownDelivery, growths: Growths): string[] {
  if (kind === 'silent' || judgedBy === null) return [];
  return usual === null ? [id] : (editionOf(id, growths) ?? []).map((growth) => growth.id);
}

/** Whether a later digest may judge what this one could not. */
function isToBeJudged(delivery: KnownDelivery, judged: ReadonlySet<string>, { end }: Bounds): boolean {
  const { id, kind, isWantedNow, judgedBy, firstSign } = delivery;
  if (!isWantedNow || judgedBy !== null || judged.has(id)) return false;
  return kind === 'silent' || (firstSign !== null && end - firstSign < settleMs);
}

/** Whether an earlier list lost all of its deliveries by the next run. */
function hasLostAll(runs: readonly Known[]): boolean {
  return runs.slice(1).some((run, place) => {
    const before = [...(runs[place]?.statuses.keys() ?? [])];
    return before.length > 0 && !run.missing.has('deliveries') && !before.some((id) => run.statuses.has(id));
  });
}

const fewestListed = 10;

/** Whether three lists in a row are of one length, with more than a third new in each of the later two. */
function isNewestAlone(lists: ReadonlyArray<ReadonlyMap<string, unknown>>): boolean {
  const [first, second, third] = lists;
  if (first === undefined || second === undefined || third === undefined || third.size < fewestListed) return false;
  const isRenewed = (now: typeof first, before: typeof first): boolean =>
    now.size === before.size && 3 * [...now.keys()].filter((id) => !before.has(id)).length > now.size;
  return isRenewed(second, first) && isRenewed(third, second);
}

/** Whether the list, or a delivery's list of recipients, could not be read. */
function isListLacking(missing: KnownMissing): boolean {
  return [...missing].some(
    ([key, gaps]) =>
      key === 'deliveries' || (key.startsWith('delivery ') && gaps.some(({ reason }) => reason !== undatable.reason)),
  );
}

function missingOf(
  wanted: readonly Wanted[],
  included: readonly KnownDelivery[],
  { bounds, earlier }: Sources,
): KnownMissing {
  const missing: KnownMissing = new Map();
  const add = (gap: Gap | null, key: string): void => {
    if (gap !== null && !isGoneAgain(key, gap, earlier)) missing.set(key, [...(missing.get(key) ?? []), gap]);
  };
  for (const delivery of wanted) {
    // Nobody engages with a broadcast before there is one.
    if (!isLater(delivery, bounds)) add(delivery.gap ?? delivery.viewsGap, missingKey('delivery', delivery.id));
  }
  for (const { id, broadcast, contents, isUndatable, isOf } of included) {
    if (isUndatable) add(undatable, missingKey('delivery', id));
    const key = broadcast.id === '' ? missingKey('broadcast', '', id) : missingKey('broadcast', broadcast.id);
    add(broadcast.gap, key);
    if (broadcast.gap === null && typeof isOf === 'string')
      add({ reason: 'incomplete' }, missingKey(isOf, broadcast.id));
    for (const { id: item, gaps, ratingsGap } of contents ?? []) {
      for (const gap of gaps) add(gap, missingKey('content', id, item));
      add(ratingsGap, missingKey('ratings', id, item));
    }
  }
  return missing;
}
