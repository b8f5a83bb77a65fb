import type { Account } from '../accounts/account.ts';
import { calendarBefore, firstDayOf, type Calendar } from '../accounts/calendars.ts';
import type { Known } from './known.ts';
import type { Counted, Engaged, Gap } from './lists.ts';
import type { KnownTotals } from './period.ts';

/** What a period's figures are compared with. */
export interface KnownComparison {
  previous: KnownTotals | null;
  /** Why they are compared with nothing, each of which is true, and which period lacks it; `null` where they are compared. */
  uncompared: { reasons: string[]; lacking: { start: number; end: number } } | null;
  /** The periods up to this one, oldest first; figures are `null` where something is missing that would change them. */
  trend: Array<{ start: number; figures: KnownTotals | null }>;
}

/** So many digests name a delivery that nobody has seen. */
const mostNamings = 4;
const mostPeriods = 8;

/** The runs of earlier periods, in their order. */
export function runsBefore({ start }: Calendar, earlier: readonly Known[]): Known[] {
  return earlier.filter((each) => each.start < Date.parse(start));
}

/** Compares a period with the digest of the one before it. */
export function comparedWith(totals: KnownTotals | null, account: Account, earlier: readonly Known[]): KnownComparison {
  const { calendar } = account;
  const periods = [calendarBefore(calendar)];
  while (periods.length < mostPeriods - 1) periods.push(calendarBefore(periods.at(-1) ?? calendar));
  const kept = periods.map((period) => ({
    start: Date.parse(period.start),
    figures: figuresKept(
      earlier.find((each) => isOf(each, period)),
      account,
    ),
  }));
  const known = kept.slice(0, kept.findLastIndex(({ figures }) => figures !== null) + 1);
  const previous = totals === null ? null : (kept[0]?.figures ?? null);
  const lacking = totals === null ? calendar : calendarBefore(calendar);
  const uncompared = {
    reasons: totals === null ? ['incomplete-now'] : whyNot(account, earlier),
    lacking: { start: Date.parse(lacking.start), end: Date.parse(lacking.end) },
  };
  const now = { start: Date.parse(calendar.start), figures: totals };
  return { previous, uncompared: previous === null ? uncompared : null, trend: [...known.toReversed(), now] };
}

/** The figures of an earlier digest, where they are complete and counted under the same filters. */
function figuresKept(kept: Known | undefined, account: Account): KnownTotals | null {
  if (kept === undefined || kept.totals === null || !hasSameFilters(kept.account, account)) return null;
  const isSame = isSameSet(kept.account.informingTypes, account.informingTypes);
  return isSame ? kept.totals : { ...kept.totals, asked: null, responseRate: null };
}

function whyNot(account: Account, earlier: readonly Known[]): string[] {
  const kept = digestBefore(account, earlier);
  if (kept === undefined) {
    if (runsBefore(account.calendar, earlier).length > 0) return ['not-kept'];
    return [earlier.length > 0 ? 'first-so-early' : 'first'];
  }
  const isSame = isOf(kept, calendarBefore(account.calendar)) && hasSameFilters(kept.account, account);
  return [...(kept.totals === null ? ['incomplete-before'] : []), ...(isSame ? [] : ['counted-otherwise'])];
}

/** The digest of the calendar period before, in whatever zone. */
function digestBefore({ calendar }: Account, earlier: readonly Known[]): Known | undefined {
  const firstDay = firstDayOf(calendarBefore(calendar));
  return earlier.find((each) => {
    const other = each.account.calendar;
    return other.kind === calendar.kind && firstDayOf(other) === firstDay;
  });
}

function isOf({ account: { calendar } }: Known, { kind, start, end }: Calendar): boolean {
  const isStart = Date.parse(calendar.start) === Date.parse(start);
  return calendar.kind === kind && isStart && Date.parse(calendar.end) === Date.parse(end);
}

function hasSameFilters(one: Account, other: Account): boolean {
  return isSameSet(one.statuses, other.statuses) && JSON.stringify(one.only) === JSON.stringify(other.only);
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  const [words = [], others = []] = [one, other].map((each) => each.map((word) => word.toLowerCase()));
  return words.every((word) => others.includes(word)) && others.every((word) => words.includes(word));
}

/** What is dated before the period and was counted by no digest. */
export function lateOf(
  totals: KnownTotals | null,
  wanted: ReadonlyArray<{ id: string; counted: Counted | null }>,
  account: Account,
  earlier: readonly Known[],
): Engaged | null {
  const before = digestBefore(account, earlier);
  if (totals === null || before === undefined || before.totals === null) return null;
  if (!hasSameFilters(before.account, account)) return null;
  const late = { seen: 0, responded: 0 };
  for (const { id, counted } of wanted) {
    const then = mostCounted(id, runsBefore(account.calendar, earlier));
    late.seen += Math.max(0, (counted?.beforeStart.seen ?? 0) - then.seen);
    late.responded += Math.max(0, (counted?.beforeStart.responded ?? 0) - then.responded);
  }
  return late;
}

/** Rows that came since a delivery was read the last time. */
export interface NewRows {
  engaged: number;
  undated: number;
}

export function rowsSince(id: string, now: Counted | null, runs: readonly Known[]): NewRows {
  const then = lastReading(id, runs);
  return {
    engaged: Math.max(0, (now?.engagedRows ?? 0) - (then?.engagedRows ?? 0)),
    undated: Math.max(0, (now?.undated ?? 0) - (then?.undated ?? 0)),
  };
}

/** Whether more than a tenth and more than two have no readable date: those that have one say too little. */
export function areUndatable({ engaged, undated }: NewRows): boolean {
  return undated > 2 && 10 * undated > engaged;
}

function lastReading(id: string, runs: readonly Known[]): Counted | null {
  return runs.findLast(({ read }) => read.has(id))?.read.get(id) ?? null;
}

/** What the runs of earlier periods say of a delivery. */
export type DeliveryHistory = ReturnType<typeof historyOf>;

export function historyOf(id: string, runs: readonly Known[]) {
  const inEach = runs.map(({ deliveries }) => deliveries.find((one) => one.id === id));
  const shown = inEach.filter((one) => one !== undefined);
  const timesNamed = shown.filter(({ kind, isJudged }) => kind === 'silent' && isJudged).length;
  const firstListing = runs.find(({ read, unread }) => read.has(id) || unread.includes(id));
  return {
    isFirstDigest: runs.length === 0,
    wasShown: shown.some(({ counted }) => counted !== null),
    wasShownEngaged: shown.some(({ counted }) => counted !== null && counted.seen + counted.responded > 0),
    wasNew: shown.some(({ kind }) => kind === 'new'),
    /** The report's first digest could not say when it was sent. */
    wasOfUnknownDate: runs.some(({ unknownDate }) => unknownDate.includes(id)),
    /** When the first run began that listed it, in whatever status; `NaN` where none did. */
    listedAt: Date.parse(firstListing?.account.calendar.at ?? ''),
    /** How many digests named it as seen by nobody. */
    timesNamed,
    isNamedNoMore: timesNamed >= mostNamings,
    isKnownToBeOlder: isOlder(id, runs),
    isPending: isPending(id, runs),
    /** When its broadcast was created, as the first run that was told knew it. */
    createdAt: runs.map((run) => run.created.get(id) ?? null).find((instant) => instant !== null) ?? null,
  };
}

/** Whether a run counted something dated before the end of its period. */
function isOlder(id: string, runs: readonly Known[]): boolean {
  const { seen, responded } = mostCounted(id, runs);
  return seen + responded > 0;
}

/** The most that was ever counted of a delivery: rows that vanish for a while were counted all the same. */
function mostCounted(id: string, runs: readonly Known[]): Engaged {
  const counted = runs.flatMap(({ read }) => read.get(id)?.beforeEnd ?? []);
  return {
    seen: Math.max(0, ...counted.map(({ seen }) => seen)),
    responded: Math.max(0, ...counted.map(({ responded }) => responded)),
  };
}

/** Whether it was not read before anything was known of it, or could not be judged, and has not been since. */
function isPending(id: string, runs: readonly Known[]): boolean {
  return runs.reduce((pending, { unread, deliveries }, index) => {
    if (unread.includes(id)) return pending || !isOlder(id, runs.slice(0, index));
    const shown = deliveries.find((one) => one.id === id);
    return shown === undefined ? pending : shown.stillCounting || shown.isUndatable;
  }, false);
}

/** Whether something is gone for good, and an earlier digest has said so. */
export function isGoneAgain(key: string, gap: Gap, runs: readonly Known[]): boolean {
  return isGone(gap) && runs.some(({ missing }) => missing.get(key)?.some(isGone));
}

function isGone({ reason }: Gap): boolean {
  return reason === 'not-found' || reason === 'gone';
}
