import type { Account } from '../accounts/account.ts';
import { calendarBefore, firstDayOf, type Calendar } from '../accounts/calendars.ts';
import type { Known, KnownDelivery } from './known.ts';
import type { Counted, Engaged } from './lists.ts';
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
  return earlier.filter(({ account: { calendar } }) => Date.parse(calendar.start) < Date.parse(start));
}

/** Compares a period with the digest of the one before it. */
export function comparedWith(totals: KnownTotals | null, account: Account, earlier: readonly Known[]): KnownComparison {
  const periods = [account.calendar];
  while (periods.length < mostPeriods) periods.push(calendarBefore(periods.at(-1) ?? account.calendar));
  const before = periods.slice(1).map((period) => ({
    start: Date.parse(period.start),
    figures: figuresKept(
      earlier.find((each) => isOf(each, period)),
      account,
    ),
  }));
  const known = before.slice(0, before.findLastIndex(({ figures }) => figures !== null) + 1);
  const now = { start: Date.parse(account.calendar.start), figures: totals };
  const previous = totals === null ? null : (before[0]?.figures ?? null);
  const reasons = totals === null ? ['incomplete-now'] : whyNot(account, earlier);
  const [lacking] = totals === null ? periods : periods.slice(1);
  const { start = '', end = '' } = lacking ?? {};
  return {
    previous,
    uncompared: previous === null ? { reasons, lacking: { start: Date.parse(start), end: Date.parse(end) } } : null,
    trend: [...known.toReversed(), now],
  };
}

/** The figures of an earlier digest, where they are complete and counted under the same filters. */
function figuresKept(kept: Known | undefined, account: Account): KnownTotals | null {
  if (kept === undefined || kept.totals === null || !hasSameFilters(kept.account, account)) return null;
  const isSame = isSameSet(kept.account.informingTypes, account.informingTypes);
  return isSame ? kept.totals : { ...kept.totals, asked: null, responseRate: null };
}

function whyNot(account: Account, earlier: readonly Known[]): string[] {
  const before = calendarBefore(account.calendar);
  const kept = earlier.find((each) => isOf(each, before));
  if (kept === undefined) {
    if (digestBefore(account, earlier) !== undefined) return ['counted-otherwise'];
    if (runsBefore(account.calendar, earlier).length > 0) return ['not-kept'];
    return [earlier.length > 0 ? 'first-so-early' : 'first'];
  }
  return [
    ...(kept.totals === null ? ['incomplete-before'] : []),
    ...(hasSameFilters(kept.account, account) ? [] : ['counted-otherwise']),
  ];
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
  const isSame = (one: string, other: string): boolean => Date.parse(one) === Date.parse(other);
  return calendar.kind === kind && isSame(calendar.start, start) && isSame(calendar.end, end);
}

function hasSameFilters(one: Account, other: Account): boolean {
  return isSameSet(one.statuses, other.statuses) && one.broadcastName === other.broadcastName;
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  const plain = (words: readonly string[]): string =>
    [...new Set(words.map((word) => word.toLowerCase()))].toSorted().join();
  return plain(one) === plain(other);
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
    if (counted === null) continue;
    const then = lastReading(id, runsBefore(account.calendar, earlier))?.beforeEnd;
    late.seen += Math.max(0, counted.beforeStart.seen - (then?.seen ?? 0));
    late.responded += Math.max(0, counted.beforeStart.responded - (then?.responded ?? 0));
  }
  return late;
}

/** Rows, of which a tenth and two may have a date that cannot be read. */
export interface NewRows {
  engaged: number;
  undated: number;
}

/** The rows of a delivery that came since it was read the last time. */
export function rowsSince(id: string, now: Counted, runs: readonly Known[]): NewRows {
  const then = lastReading(id, runs);
  return {
    engaged: Math.max(0, now.engagedRows - (then?.engagedRows ?? 0)),
    undated: Math.max(0, now.undated - (then?.undated ?? 0)),
  };
}

/** Whether so many dates are unreadable that those that can be read say too little. */
export function areUndatable({ engaged, undated }: NewRows): boolean {
  return undated > 2 && 10 * undated > engaged;
}

function lastReading(id: string, runs: readonly Known[]): Counted | null {
  return runs.findLast(({ read }) => read.has(id))?.read.get(id) ?? null;
}

/** What the runs of earlier periods say of a delivery. */
export interface DeliveryHistory {
  isFirstDigest: boolean;
  wasShown: boolean;
  wasShownEngaged: boolean;
  wasNew: boolean;
  /** The report's first digest could not say when it was sent. */
  wasOfUnknownDate: boolean;
  /** The start of the first period whose digest named it as seen by nobody. */
  unseenSince: number | null;
  isNamedNoMore: boolean;
  /** It was still counting, or not read, and has not been judged since. */
  isPending: boolean;
}

export function historyOf(id: string, runs: readonly Known[]): DeliveryHistory {
  const shown = runs.flatMap(({ deliveries }) => deliveries.filter((one) => one.id === id));
  const namings = runs.filter(({ deliveries }) => deliveries.some((one) => one.id === id && one.kind === 'silent'));
  return {
    isFirstDigest: runs.length === 0,
    wasShown: shown.length > 0,
    wasShownEngaged: shown.some(({ counted }) => counted !== null && counted.seen + counted.responded > 0),
    wasNew: shown.some(({ kind }) => kind === 'new'),
    wasOfUnknownDate: runs.some(({ unknownDate }) => unknownDate.includes(id)),
    unseenSince: namings[0]?.start ?? null,
    isNamedNoMore: namings.length >= mostNamings,
    isPending: isPending(id, runs),
  };
}

function isPending(id: string, runs: readonly Known[]): boolean {
  const judged = ({ counted, stillCounting }: KnownDelivery): boolean => counted !== null && !stillCounting;
  const shown = runs.map(({ deliveries }) => deliveries.find((one) => one.id === id));
  if (shown.some((one) => one !== undefined && judged(one))) return false;
  return runs.some(({ unread }, index) => unread.includes(id) || shown[index]?.stillCounting === true);
}

/** Whether an earlier digest has named something that is gone for good. */
export function wasNamedGone(key: string, runs: readonly Known[]): boolean {
  return runs.some(({ missing }) => missing.get(key)?.some(isGone));
}

export function isGone({ reason }: { reason: string }): boolean {
  return reason === 'not-found' || reason === 'gone';
}
