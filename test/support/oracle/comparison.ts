import type { Account } from '../accounts/account.ts';
import { calendarBefore, firstDayOf, type Calendar } from '../accounts/calendars.ts';
import { asksOf, broadcastKey } from './groups.ts';
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
  const engaged = deliveries.map(({ id, counted, broadcast }) => ({
    ...(counted?.inPeriod ?? { seen: 0, responded: 0, answered: 0 }),
    asks: asksOf(broadcastKey(broadcast.id, id), broadcast.items, sources),
  }));
  const isUnsure = engaged.some(({ asks, seen, responded }) => asks === null && (seen > 0 || responded > 0));
  const asked = isUnsure ? null : sumOf(engaged.filter(({ asks }) => asks === true));
  const all = sumOf(engaged);
  return {
    deliveries: news.length,
    broadcasts: new Set(news.map(({ id, broadcast }) => broadcastKey(broadcast.id, id))).size,
    seen: all?.seen ?? 0,
    responded: all?.responded ?? 0,
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
  left: Left;
  bounds: Bounds;
}

/** Compares a period with the digest of the one before it. */
export function comparedWith(now: Now, account: Account, earlier: readonly Known[]): KnownComparison {
  const { calendar } = account;
  const { totals } = now;
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
  const before = kept[0]?.figures ?? null;
  const reasons = whyNot(now, before, { account, earlier });
  const undone = totals && before ? undoneBy(now.wanted, totals, before) : {};
  const lacking = totals === null ? calendar : calendarBefore(calendar);
  const uncompared = { reasons, lacking: { start: Date.parse(lacking.start), end: Date.parse(lacking.end) } };
  return {
    previous: reasons.length > 0 || before === null ? null : { ...before, ...undone },
    uncompared: reasons.length > 0 ? uncompared : null,
    trend: [...known.toReversed(), { start: Date.parse(calendar.start), figures: totals }],
  };
}

/** The figures of an earlier digest, where they are complete and counted in the same way. */
function figuresKept(kept: Known | undefined, account: Account): KnownTotals | null {
  if (kept === undefined || kept.totals === null || !isCountedAlike(kept.account, account)) return null;
  const isSame = isSameSet(kept.account.informingTypes, account.informingTypes);
  return isSame ? kept.totals : { ...kept.totals, asked: null, responseRate: null };
}

function whyNot(
  { totals, wanted, left, bounds }: Now,
  before: KnownTotals | null,
  { account, earlier }: { account: Account; earlier: readonly Known[] },
): string[] {
  if (totals === null) return ['incomplete-now'];
  const runs = runsBefore(account.calendar, earlier);
  const last = digestBefore(account, earlier);
  if (last === undefined) {
    if (runs.length > 0) return ['not-kept'];
    return [earlier.length > 0 ? 'first-so-early' : 'first'];
  }
  if (before === null) {
    const isSame = isOf(last, calendarBefore(account.calendar)) && isCountedAlike(last.account, account);
    return [...(last.totals === null ? ['incomplete-before'] : []), ...(isSame ? [] : ['counted-otherwise'])];
  }
  const isRecounted = engagements.some((what) => {
    const dated = wanted.map(
      ({ counted }) => datedWithin(counted?.rows ?? [], bounds.previousStart, bounds.start)[what],
    );
    // In whole numbers: at most a tenth more.
    return 10 * (sum(dated) ?? 0) > 11 * before[what];
  });
  const undone = Object.keys(undoneBy(wanted, totals, before));
  const changed = engagements.filter((what) => totals[what] !== before[what]);
  return [
    ...(isRecounted ? ['recounted'] : []),
    ...(undone.length > 0 && undone.length === changed.length ? ['dates-unreadable'] : []),
    ...(isTooMuch(left, runs) ? ['left-list'] : []),
  ];
}

const engagements = ['seen', 'responded'] as const;

/** The figures whose change rows without a date could undo; they are compared with nothing. */
function undoneBy(wanted: readonly Wanted[], totals: Engaged, before: Engaged): Partial<Record<keyof Engaged, null>> {
  const undated = sum(wanted.map(({ since }) => since.undated)) ?? 0;
  const undone = engagements.filter((what) => {
    const change = Math.abs(totals[what] - before[what]);
    return change > 0 && change <= undated;
  });
  return Object.fromEntries(undone.map((what) => [what, null]));
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
  const inLastPeriod = gone.flatMap(({ counted }) => counted?.inPeriod ?? []);
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
  const viewsThen = sum([...last.wanted.values()].map(({ counted }) => counted?.inPeriod?.seen ?? 0)) ?? 0;
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
  return isSameSet(one.statuses, other.statuses) && countedBy(one) === countedBy(other);
}

function countedBy({ only, except, host }: Account): string {
  return JSON.stringify({ only, except, host });
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.every((word) => hasWord(other, word)) && other.every((word) => hasWord(one, word));
}

/** What is dated before the period and was counted by no digest, of what the last digest read. */
export function lateOf({ totals, wanted, bounds }: Now, account: Account, earlier: readonly Known[]): Engaged | null {
  const last = digestBefore(account, earlier);
  if (totals === null || last === undefined || last.totals === null) return null;
  if (!isCountedAlike(last.account, account)) return null;
  const late = { seen: 0, responded: 0 };
  for (const { id, counted } of wanted.filter((each) => last.wanted.get(each.id)?.counted)) {
    const now = datedWithin(counted?.rows ?? [], -Infinity, bounds.start);
    const then = mostCounted(id, runsBefore(account.calendar, earlier));
    late.seen += Math.max(0, now.seen - then.seen);
    late.responded += Math.max(0, now.responded - then.responded);
  }
  return late;
}
