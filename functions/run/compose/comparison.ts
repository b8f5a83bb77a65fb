import { broadcastKey } from '../../domain/broadcasts.ts';
import {
  mostSeries,
  type Comparison,
  type Digest,
  type DigestDelivery,
  type Need,
  type PeriodFigures,
  type SeriesFigures,
  type TrendPeriod,
} from '../../domain/digest.ts';
import type { Engaged } from '../../domain/figures.ts';
import { precedingPeriod, type Period } from '../../domain/period.ts';
import { seriesOf } from '../../domain/series.ts';
import type { ListedDelivery } from '../../ledger/runs/collections.ts';
import type { DeliveryHistory, StoredFigures } from '../../ledger/runs/digests.ts';
import { rowsSince, type Collected } from '../collected.ts';
import { areComplete, keptFiguresOf, storedFigures, type CountedBy } from '../earlier-figures.ts';
import type { Reading } from '../reading.ts';
import { unavailableList } from './missing.ts';

/** What was read for a digest, and how the digest counts it. */
interface Counting extends Reading, CountedBy {
  period: Period;
  /** Nothing is missing that would change its totals. */
  complete: boolean;
  totals: PeriodFigures;
  /** Too much of the last period's views left with the list for any comparison. */
  hasLostTooMuch: boolean;
}

/**
 * The figures of the preceding period to compare with: those in this report's complete digest of it, counted for the same account
 * under the same filters and in the same time zone; else none, with the reason. Nobody knows how far the service's list reaches
 * back (interface, section 4.3), so nothing is compared with a count of it; and none is said where the list of now shows that
 * the figures of then were counted of too little, or those of now are. A figure whose change rows without a readable date could
 * undo is `null`.
 */
export function comparePeriods(counting: Counting): { previous: PeriodFigures | null; comparison: Comparison } {
  const { earlier, hasLater, complete, period, collected, totals, hasLostTooMuch } = counting;
  const preceding = precedingPeriod(period);
  const none = (reason: Extract<Comparison, { basis: 'none' }>['reason'], { start, end } = preceding) => ({
    previous: null,
    comparison: { basis: 'none' as const, reason, lacking: { start, end } },
  });
  if (!complete) return none('incomplete-now', period);
  const previous = storedFigures(preceding, counting);
  const kept = keptFiguresOf(preceding, earlier);
  if (previous === null || kept === undefined) {
    if (earlier.length === 0) return none(hasLater ? 'first-so-early' : 'first');
    if (kept === undefined) return none('not-kept');
    return none(areComplete(kept) ? 'counted-otherwise' : 'incomplete-before');
  }
  if (isRecounted(collected.recipients, previous)) return none('recounted');
  const undated = kept.undated + rowsSince(collected).undated;
  const unlessUndone = (figure: 'seen' | 'responded'): number | null => {
    const change = Math.abs((totals[figure] ?? 0) - (previous[figure] ?? 0));
    return change > 0 && change <= undated ? null : previous[figure];
  };
  const [seen, responded] = [unlessUndone('seen'), unlessUndone('responded')];
  if (seen === null && responded === null) return none('dates-unreadable', period);
  if (hasLostTooMuch) return none('left-list', period);
  return { previous: { ...previous, seen, responded }, comparison: { basis: 'kept' } };
}

/** What is dated in the preceding period may be so much more now than was counted of it then, in percent. */
const toleratedMore = 10;

function isRecounted(recipients: Collected['recipients'], previous: PeriodFigures): boolean {
  return (['seen', 'responded'] as const).some((figure) => {
    const now = recipients.reduce((sum, { engagement }) => sum + (engagement?.preceding[figure] ?? 0), 0);
    return now * 100 > (previous[figure] ?? 0) * (100 + toleratedMore);
  });
}

const sizeOf = ({ seen, responded }: Engaged): number => seen + responded;

/** Engagement by series, the largest first. What has no name is a series of its own. */
export function countSeries(
  dated: ReadonlyArray<{ delivery: ListedDelivery; inPeriod: Engaged }>,
  dating: RegExp,
): SeriesFigures[] {
  const bySize = dated
    .filter(({ inPeriod }) => sizeOf(inPeriod) > 0)
    .toSorted(
      (one, other) => sizeOf(other.inPeriod) - sizeOf(one.inPeriod) || (one.delivery.id < other.delivery.id ? -1 : 1),
    );
  const groups = Map.groupBy(
    bySize,
    ({ delivery }) => seriesOf(delivery.broadcast.name, dating) || broadcastKey(delivery),
  );
  const series = [...groups].map(([key, rows]) => ({
    key,
    name: rows[0]?.delivery.broadcast.name ?? null,
    seen: rows.reduce((sum, { inPeriod }) => sum + inPeriod.seen, 0),
    responded: rows.reduce((sum, { inPeriod }) => sum + inPeriod.responded, 0),
  }));
  return series
    .toSorted((one, other) => sizeOf(other) - sizeOf(one) || (one.key < other.key ? -1 : 1))
    .slice(0, mostSeries);
}

/** What was named has moved where so many more have seen it, or such a part of its audience. */
const moved = { people: 10, part: 5 };

/** What the last digest named, or a warning did since, and has moved; what is named again is not among them. */
export function composeSince(
  { collected, earlier }: Pick<Reading, 'collected' | 'earlier'>,
  deliveries: readonly DigestDelivery[],
  needs: readonly Need[],
): Digest['since'] {
  const last = earlier.at(-1);
  const named = new Set(needs.flatMap((need) => need.deliveries));
  const since = deliveries.flatMap(({ id, seen, audience, lastWarning }) => {
    const needed = collected.history?.deliveries.get(id)?.needed;
    const isWarned =
      lastWarning !== undefined && last !== undefined && Date.parse(lastWarning.at) >= Date.parse(last.end);
    const then = isWarned ? { seen: lastWarning.seen, audience } : needed;
    if (then === undefined || seen === null || named.has(id)) return [];
    if (!isWarned && needed?.in !== Date.parse(last?.start ?? '')) return [];
    const more = seen - then.seen;
    const isMoved = more >= moved.people || (more > 0 && audience !== null && more * moved.part >= audience);
    return isMoved ? [{ more, delivery: id, seen: then.seen, audience: then.audience }] : [];
  });
  return since.toSorted((one, other) => other.more - one.more).map(({ more: _more, ...entry }) => entry);
}

const periodsOfTrend = 8;

/**
 * Views and responses of this period and of up to seven before it, oldest first. The earlier ones are those of this
 * report's digests, counted under the same filters. A period in between without known figures stays, with `null`; those
 * before the first known one are left out.
 */
export function composeTrend(counting: Counting): TrendPeriod[] {
  let before = counting.period;
  const trend = [trendPeriod(before.start, counting.totals)];
  while (trend.length < periodsOfTrend) {
    before = precedingPeriod(before);
    trend.unshift(trendPeriod(before.start, storedFigures(before, counting)));
  }
  const first = trend.findIndex(({ complete }) => complete);
  return trend.slice(first === -1 ? -1 : first);
}

function trendPeriod(start: string, figures: PeriodFigures | null): TrendPeriod {
  const { seen = null, responded = null, broadcasts = null, asked = null, responseRate = null } = figures ?? {};
  return { start, seen, responded, broadcasts, asked, responseRate, complete: seen !== null };
}

/**
 * Engagement dated before the period that no digest counted: of each delivery that the last digest read, what is dated before the
 * period now, less the most that a run counted of it. `null` where that is not only what came late: it takes a complete digest of
 * the period just before, under the same filters, and none of a later period. After a change of the time zone the hours between
 * the two periods are late, too.
 */
export function composeLate(counting: Counting): Engaged | null {
  const { collected, complete, period, earlier, hasLater, account, filters } = counting;
  const { recipients, history } = collected;
  const preceding = keptFiguresOf(precedingPeriod(period), earlier);
  if (!complete || hasLater || history === null) return null;
  if (preceding === undefined || !areComplete(preceding)) return null;
  if (preceding.account !== account || preceding.filters !== filters) return null;
  const late = { seen: 0, responded: 0 };
  for (const { delivery, engagement } of recipients) {
    const counted = history.deliveries.get(delivery.id)?.counted;
    if (counted?.in !== Date.parse(preceding.start)) continue;
    late.seen += Math.max(0, (engagement?.before.seen ?? 0) - counted.seen);
    late.responded += Math.max(0, (engagement?.before.responded ?? 0) - counted.responded);
  }
  return late;
}

/** In so many digests it is said that deliveries left the list; the page says it in every one. */
const mostSaid = 3;
/** From so many runs and views on, the list lost too much with more than a fifth of the views, and twice what it lost before. */
const tooMuch = { runs: 3, views: 20, part: 5, timesBefore: 2 };
/** A list of so many rows that is so often as long as before, and more than a third new, may hold only the newest. */
const newest = { rows: 10, times: 2, part: 3 };

/** Nobody knows how far the list reaches back: what is not listed any more is counted no further, which may change every figure. */
export function composeLeftList({ collected, earlier }: Reading) {
  const { history, wanted, others } = collected;
  const { rows, deliveries } = collected.list;
  const listed = new Set(deliveries.map(({ id }) => id));
  const remembered = [...(history?.deliveries ?? [])];
  const lastListedIn = (figures: StoredFigures | undefined) =>
    remembered.filter(([, { listedIn }]) => listedIn === Date.parse(figures?.start ?? ''));
  const before = lastListedIn(earlier.at(-1));
  const isWhole = unavailableList(collected) === null;
  const gone = before.filter(([id]) => isWhole && !listed.has(id));
  const goneViews = sumOfViews(gone);
  const allViews = sumOfViews(before);
  const wasEngaged = gone.filter(([, { counted, listedIn }]) => {
    const { seen, responded } = counted?.inPeriod ?? { seen: 0, responded: 0 };
    return counted?.in === listedIn && seen + responded > 0;
  });
  const unjudged = gone.filter(([, { awaitsJudgement }]) => awaitsJudgement);
  const last = { leftSaid: 0, steady: 0, rows: 0, ...history?.list };
  // Of a report that is not about all deliveries nobody knows which others were listed before.
  const isOfAll = wanted.length + others.length === listed.size;
  const fresh = listed.size - (before.length - gone.length);
  const isSteady = isOfAll && rows >= newest.rows && rows === last.rows && fresh * newest.part > rows;
  const steady = isSteady ? last.steady + 1 : 0;
  return {
    left: { deliveries: wasEngaged.length, unjudged: unjudged.length, isOld: last.leftSaid >= mostSaid },
    onlyNewest: steady >= newest.times,
    hasLostTooMuch:
      earlier.length + 1 >= tooMuch.runs &&
      allViews >= tooMuch.views &&
      goneViews * tooMuch.part > allViews &&
      goneViews >= tooMuch.timesBefore * sumOfViews(lastListedIn(earlier.at(-2))),
    list: {
      rows,
      steady,
      lostAll: before.length > 0 && gone.length === before.length,
      leftSaid: last.leftSaid + Number(wasEngaged.length > 0),
    },
  };
}

/** The views that deliveries had in the period of the last run that listed them. */
function sumOfViews(deliveries: ReadonlyArray<readonly [id: string, delivery: DeliveryHistory]>): number {
  const ofLastRun = deliveries.filter(([, { counted, listedIn }]) => counted?.in === listedIn);
  return ofLastRun.reduce((sum, [, { counted }]) => sum + (counted?.inPeriod.seen ?? 0), 0);
}
