import { isDeepStrictEqual } from 'node:util';
import type { Account } from '../accounts/account.ts';
import { calendarBefore, firstDayOf, type Calendar } from '../accounts/calendars.ts';
import { asksOf } from './groups.ts';
import type { Wanted } from './deliveries.ts';
import type { KnownDelivery } from './included.ts';
import type { Known } from './known.ts';
import { hasWord, mostCounted, runsBefore } from './memory.ts';
import { datedWithin, rateOf, sum, sumOf, type Answered, type Bounds, type Engaged } from './rows.ts';

export interface KnownTotals extends Engaged {
  deliveries: number;
  /** Broadcasts of the new deliveries. */
  broadcasts: number;
  /** Of what asks for a response; `null` where it is not known of something that was engaged with. */
  asked: Answered | null;
  responseRate: number | null;
}

/** The figures of the period over complete answers. */
export function totalsOf(
  deliveries: readonly KnownDelivery[],
  sources: { account: Account; asking: ReadonlySet<string> },
): KnownTotals {
  const news = deliveries.filter(({ kind }) => kind === 'new');
  const engaged = deliveries.map(({ counted, broadcast }) => ({
    ...(counted?.inPeriod ?? { seen: 0, responded: 0, answered: 0 }),
    asks: asksOf(broadcast, sources),
  }));
  const isUnsure = engaged.some(({ asks, seen, responded }) => asks === null && (seen > 0 || responded > 0));
  const asked = isUnsure ? null : sumOf(engaged.filter(({ asks }) => asks === true));
  const period = sumOf(engaged);
  return {
    deliveries: news.length,
    broadcasts: new Set(news.map(({ broadcast }) => broadcast.id)).size,
    seen: period?.seen ?? 0,
    responded: period?.responded ?? 0,
    asked,
    responseRate: asked && rateOf(asked),
  };
}

/** What a period's figures are compared with. */
export interface KnownComparison {
  previous: (Omit<KnownTotals, keyof Engaged> & { [Figure in keyof Engaged]: number | null }) | null;
  /** Why they are compared with nothing, each of which is true, and which period lacks it; `null` where they are compared. */
  uncompared: { reasons: string[]; lacking: { start: number; end: number } } | null;
  /** The periods up to this one, oldest first; figures are `null` where something is missing that would change them. */
  trend: Array<{ start: number; figures: KnownTotals | null }>;
}

const mostPeriods = 8;

/** What this period's run read, beside its totals. */
interface Now {
  totals: KnownTotals | null;
  wanted: readonly Wanted[];
  /** Rows that came without a readable date. */
  undated: number;
  left: Left;
  bounds: Bounds;
  account: Account;
  /** The report's earlier digests, in the order of the runs. */
  earlier: readonly Known[];
}

/** Compares a period with the digest of the one before it. */
export function comparedWith(now: Now): KnownComparison {
  const { account, earlier } = now;
  const { calendar } = account;
  const periods = [calendarBefore(calendar)];
  while (periods.length < mostPeriods - 1) periods.push(calendarBefore(periods.at(-1) ?? calendar));
  const kept = periods.map((period) => ({
    start: Date.parse(period.start),
    figures: figuresKept(
      earlier.find((run) => isOf(run, period)),
      account,
    ),
  }));
  const known = kept.slice(0, kept.findLastIndex(({ figures }) => figures !== null) + 1);
  const trend = [...known.toReversed(), { start: Date.parse(calendar.start), figures: now.totals }];
  const before = now.totals && (kept[0]?.figures ?? null);
  const reasons = before === null ? whyNothing(now) : whyNoChange(now, before);
  const isNow = ['incomplete-now', 'left-list', 'dates-unreadable'].includes(reasons[0] ?? '');
  const { start, end } = isNow ? calendar : calendarBefore(calendar);
  const lacking = { start: Date.parse(start), end: Date.parse(end) };
  return reasons.length > 0 || before === null
    ? { previous: null, uncompared: { reasons, lacking }, trend }
    : { previous: { ...before, ...undoneBy(now, before) }, uncompared: null, trend };
}

/** The figures of an earlier digest, where they are complete and counted in the same way. */
function figuresKept(kept: Known | undefined, account: Account): KnownTotals | null {
  if (kept === undefined || kept.totals === null || !isCountedAlike(kept.account, account)) return null;
  const isSame = isSameSet(kept.account.informingTypes, account.informingTypes);
  return isSame ? kept.totals : { ...kept.totals, asked: null, responseRate: null };
}

/** Why there are no figures to compare, or nothing to compare them with. */
function whyNothing({ totals, account, earlier }: Now): string[] {
  if (totals === null) return ['incomplete-now'];
  const last = digestBefore(account, earlier);
  if (last === undefined) {
    if (earlier.some(({ start }) => start < Date.parse(account.calendar.start))) return ['not-kept'];
    return [earlier.length > 0 ? 'first-so-early' : 'first'];
  }
  const isSame = isOf(last, calendarBefore(account.calendar)) && isCountedAlike(last.account, account);
  return [...(last.totals === null ? ['incomplete-before'] : []), ...(isSame ? [] : ['counted-otherwise'])];
}

const engagements = ['seen', 'responded'] as const;

/** Why a change would say nothing. */
function whyNoChange(now: Now, before: KnownTotals): string[] {
  const { wanted, left, bounds, account, earlier } = now;
  const dated = wanted.map(({ counted }) => datedWithin(counted?.rows ?? [], bounds.previousStart, bounds.start));
  // In whole numbers: at most a tenth more.
  const isRecounted = engagements.some(
    (figure) => 10 * (sum(dated.map((counts) => counts[figure])) ?? 0) > 11 * before[figure],
  );
  const isUndone = Object.keys(undoneBy(now, before)).length === engagements.length;
  return [
    ...(isRecounted ? ['recounted'] : []),
    ...(isUndone ? ['dates-unreadable'] : []),
    ...(isTooMuch(left, runsBefore(account, earlier)) ? ['left-list'] : []),
  ];
}

/** The figures whose change rows without a date, of this period's or the last one's, could undo: they are compared with nothing. */
function undoneBy({ totals, undated, account, earlier }: Now, before: Engaged): Partial<Record<keyof Engaged, null>> {
  const mostUndone = undated + (digestBefore(account, earlier)?.cameUndated ?? 0);
  const undone = engagements.filter((figure) => {
    const change = Math.abs((totals?.[figure] ?? 0) - before[figure]);
    return change > 0 && change <= mostUndone;
  });
  return Object.fromEntries(undone.map((figure) => [figure, null]));
}

/** What had left the list since the last run. */
export interface Left {
  /** Deliveries with engagement in the last period. */
  deliveries: number;
  /** The views that these had then. */
  views: number;
  /** Deliveries that were still to be judged. */
  unjudged: number;
  /** Three digests have said that some left. */
  isOld: boolean;
}

/** So many digests say that something left the list. */
const mostTimes = 3;

/** What the last run had of the report and is listed no more; nothing where it is not known what is listed. */
export function leftOf(listed: ReadonlySet<string> | null, runs: readonly Known[]): Left {
  const last = runs.at(-1);
  const gone = listed === null ? [] : [...(last?.wanted.values() ?? [])].filter(({ id }) => !listed.has(id));
  const inLastPeriod = gone.map(({ counted }) => datedWithin(counted?.rows ?? [], last?.start ?? 0, last?.end ?? 0));
  return {
    deliveries: inLastPeriod.filter(({ seen, responded }) => seen + responded > 0).length,
    views: sum(inLastPeriod.map(({ seen }) => seen)) ?? 0,
    unjudged: gone.filter(({ id }) => last?.toBeJudged.includes(id)).length,
    isOld: runs.filter(({ left }) => left.deliveries > 0).length >= mostTimes,
  };
}

const fewestViews = 20;

/** Whether more than a fifth of the last period's views, and twice what had left the run before, left the list. */
function isTooMuch({ views }: Left, runs: readonly Known[]): boolean {
  const last = runs.at(-1);
  if (last === undefined || runs.length < 2) return false;
  const rows = [...last.wanted.values()].flatMap(({ counted }) => counted?.rows ?? []);
  const viewsThen = datedWithin(rows, last.start, last.end).seen;
  return viewsThen >= fewestViews && 5 * views > viewsThen && views >= 2 * last.left.views;
}

/** The digest of the calendar period before, in whatever zone. */
function digestBefore({ calendar }: Account, earlier: readonly Known[]): Known | undefined {
  const firstDay = firstDayOf(calendarBefore(calendar));
  return earlier.find(({ account }) => {
    const other = account.calendar;
    return other.kind === calendar.kind && firstDayOf(other) === firstDay;
  });
}

function isOf({ account: { calendar } }: Known, { kind, start, end }: Calendar): boolean {
  const isStart = Date.parse(calendar.start) === Date.parse(start);
  return calendar.kind === kind && isStart && Date.parse(calendar.end) === Date.parse(end);
}

/** Whether two runs asked the same account of the service under the same filters. */
function isCountedAlike(one: Account, other: Account): boolean {
  const isOfOneKind = one.host === other.host && isDeepStrictEqual(one.only, other.only);
  return isOfOneKind && isDeepStrictEqual(one.except, other.except) && isSameSet(one.statuses, other.statuses);
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.every((word) => hasWord(other, word)) && other.every((word) => hasWord(one, word));
}

/** What is dated before the period and was counted by no digest, of what the last digest read. */
export function lateOf({ totals, wanted, bounds, account, earlier }: Now): Engaged | null {
  const last = digestBefore(account, earlier);
  if (totals === null || last === undefined || last.totals === null) return null;
  if (!isCountedAlike(last.account, account)) return null;
  const late = { seen: 0, responded: 0 };
  for (const { id, counted } of wanted.filter((delivery) => last.wanted.get(delivery.id)?.counted)) {
    const now = datedWithin(counted?.rows ?? [], -Infinity, bounds.start);
    const then = mostCounted(id, runsBefore(account, earlier));
    late.seen += Math.max(0, now.seen - then.seen);
    late.responded += Math.max(0, now.responded - then.responded);
  }
  return late;
}
