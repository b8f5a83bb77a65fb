import type { Need } from '../../../functions/domain/digest.ts';
import type { Account } from '../accounts/account.ts';
import { calendarBefore } from '../accounts/calendars.ts';
import { audiencesOf, type Audiences, type ListKind } from './audience.ts';
import {
  comparedWith,
  lateOf,
  leftOf,
  totalsOf,
  type KnownComparison,
  type KnownTotals,
  type Left,
} from './comparison.ts';
import {
  areUndatable,
  isLater,
  isOfUnknownDate,
  isUnseen,
  sortDeliveries,
  type Sources,
  type Wanted,
} from './deliveries.ts';
import { editionOf, type Growth, type Growths } from './editions.ts';
import { askingIn, groupsOf } from './groups.ts';
import { includedOf, withSizes, type KnownDelivery, type Sized } from './included.ts';
import { judge } from './judging.ts';
import { cutOff, missingKey, undatable, type Gap } from './lists.ts';
import { isGoneAgain, runsBefore } from './memory.ts';
import { needsOf } from './needs.ts';
import { curveOf, day, sum, type Bounds, type Engaged } from './rows.ts';

/** Something that the digest has to name as missing, by `missingKey`, with the reasons that are true. */
export type KnownMissing = Map<string, Gap[]>;

/** All that can be known of an account's period, and what later ones have to know of it. */
export interface Known extends KnownComparison {
  account: Account;
  /** The period's first instant, and the first after it. */
  start: number;
  end: number;
  /** Without the list there is no digest. */
  hasList: boolean;
  /** `null` where something is missing that would change them. */
  totals: KnownTotals | null;
  undated: number;
  /** Rows without a readable date that came since each was read the last time. */
  cameUndated: number;
  late: Engaged | null;
  deliveries: KnownDelivery[];
  groups: Map<string, object>;
  needs: Need[];
  /** Ids of deliveries that nobody has engaged with: named often enough, or in a first digest not known to be recent. */
  unseenNotNamed: string[];
  unknownDate: string[];
  otherStatuses: Map<string, number>;
  missing: KnownMissing;
  left: Left;
  /** Ids of all deliveries of the list. */
  listed: ReadonlySet<string>;
  /** Those of them that the report is about. */
  ofReport: readonly string[];
  wanted: Map<string, Wanted>;
  kinds: Map<string, ListKind>;
  growths: Growths;
  /** What was judged by now, and what is still to be. */
  judged: Set<string>;
  toBeJudged: string[];
  /** Broadcasts that ask for a response because they were responded to. */
  asking: Set<string>;
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
  const runs = runsBefore(account, earlier);
  const last = runs.at(-1);
  const sources = { account, bounds, unanswered, earlier: runs };
  const listed = new Set(account.deliveries.map(({ id }) => id));
  const { wanted: read, others, ofReport, unsaid } = sortDeliveries(sources);
  const { included, wanted } = includedOf(read, sources);
  const audiences = audiencesOf(wanted, included, runs);
  const sized = included.map((delivery) => withSizes(delivery, audiences));
  const growths = growthsOf(wanted, sized, { audiences, before: last?.growths, end: bounds.end });
  const judgedBefore = new Set(runs.flatMap((run) => [...run.judged]));
  const engaged = new Set(wanted.filter(({ counted }) => counted?.engaged).map(({ broadcast }) => broadcast.id));
  const court = { account, bounds, growths, areAudiences: audiences.deliveries, judged: judgedBefore, engaged };
  const deliveries = sized.map((delivery) => Object.assign(delivery, judge(delivery, court)));
  const missing = missingOf(wanted, deliveries, sources);
  const gapsOfList = [
    ...('isCutOff' in list && list.isCutOff ? [cutOff] : []),
    ...(listed.size === 0 && last !== undefined && last.listed.size > 0 && !hasLostAll(runs)
      ? [{ reason: 'list-empty' }]
      : []),
  ];
  const isWhole = gapsOfList.length === 0;
  const cameUndated = sum(wanted.map(({ since }) => since.undated)) ?? 0;
  const came = sum(wanted.map(({ since }) => since.engaged)) ?? 0;
  const lacksDates = areUndatable({ engaged: came, undated: cameUndated });
  if (lacksDates && !deliveries.some(({ isUndatable }) => isUndatable)) gapsOfList.push(undatable);
  for (const field of unsaid) missing.set(field, [{ reason: 'incomplete' }]);
  if (gapsOfList.length > 0) missing.set('deliveries', gapsOfList);
  const asking = new Set([...(last?.asking ?? []), ...askingIn(deliveries)]);
  // The figures of the period need every list, and dates in most of the rows that came.
  const isComplete = unsaid.length === 0 && !isListLacking(missing) && !lacksDates;
  const totals = isComplete ? totalsOf(deliveries, { account, asking }) : null;
  const left = leftOf(isWhole ? listed : null, runs);
  const now = { totals, wanted, undated: cameUndated, left, bounds, account, earlier };
  const unseen = wanted.filter(({ isWantedNow }) => isWantedNow).filter((delivery) => isUnseen(delivery, bounds));
  return {
    account,
    start: bounds.start,
    end: bounds.end,
    hasList: !('status' in list),
    totals,
    ...comparedWith(now),
    undated: sum(wanted.map(({ counted }) => counted?.undated ?? 0)) ?? 0,
    cameUndated,
    late: lateOf(now),
    deliveries,
    groups: groupsOf(deliveries, wanted, { account, growths, asking }),
    needs: needsOf(deliveries, wanted, growths),
    unseenNotNamed: unseen.filter(({ memory }) => memory.isNamedNoMore).map(({ id }) => id),
    unknownDate: unseen.filter((delivery) => isOfUnknownDate(delivery, bounds)).map(({ id }) => id),
    otherStatuses: countsOf(others),
    missing,
    left,
    listed,
    ofReport,
    wanted: new Map(wanted.map((delivery) => [delivery.id, delivery])),
    kinds: audiences.kinds,
    growths,
    judged: new Set([...judgedBefore, ...deliveries.flatMap((delivery) => judgedWith(delivery, growths))]),
    toBeJudged: deliveries.filter((delivery) => isToBeJudged(delivery, judgedBefore, bounds)).map(({ id }) => id),
    asking,
  };
}

/**
 * How each delivery grew: by this run's lists where they can be read, else as an earlier run left it, else by no age. What it has
 * now only a list that was read says.
 */
function growthsOf(
  wanted: readonly Wanted[],
  included: readonly Sized[],
  { audiences, before, end }: { audiences: Audiences; before: Growths | undefined; end: number },
): Map<string, Growth> {
  const growths = new Map<string, Growth>();
  for (const [id, growth] of before ?? []) growths.set(id, { ...growth, engaged: null });
  for (const { id, broadcast, counted, firstSign } of wanted) {
    if (counted === null || firstSign === null || firstSign >= end) continue;
    const known = before?.get(id);
    const curve = curveOf(counted, firstSign, end) ?? known?.curve ?? new Map<number, Engaged>();
    const shown = included.find((delivery) => delivery.id === id);
    const ofOthers = audiences.deliveries ? counted.listed : (known?.audience ?? null);
    const audience = shown === undefined ? ofOthers : shown.audience;
    growths.set(id, {
      id,
      broadcast,
      firstSign,
      audience,
      curve,
      engaged: counted.engaged,
    });
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
  return kind === 'silent' || (firstSign !== null && end - firstSign <= 14 * day);
}

/** Whether the last list had none of the report's deliveries of the one before it, and there were some. */
function hasLostAll(runs: readonly Known[]): boolean {
  const [before, last] = runs.slice(-2);
  if (before === undefined || last === undefined || before.ofReport.length === 0) return false;
  return !before.ofReport.some((id) => last.listed.has(id));
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
    if (!isLater(delivery, bounds)) add(delivery.gap, missingKey('delivery', delivery.id));
  }
  for (const { id, broadcast, contents, viewsGap, isUndatable, isOf } of included) {
    add(viewsGap, missingKey('delivery', id));
    if (isUndatable) add(undatable, missingKey('delivery', id));
    add(broadcast.gap, missingKey('broadcast', broadcast.id));
    if (broadcast.gap === null && typeof isOf === 'string')
      add({ reason: 'incomplete' }, missingKey(isOf, broadcast.id));
    for (const { id: item, gap, ratingsGap } of contents ?? []) {
      add(gap, missingKey('content', id, item));
      add(ratingsGap, missingKey('ratings', id, item));
    }
  }
  return missing;
}

function countsOf(words: readonly string[]): Map<string, number> {
  return new Map(words.map((word) => [word, words.filter((other) => other === word).length]));
}
