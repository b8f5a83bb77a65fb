import type { Comparison, PeriodFigures, TrendPeriod } from '../../domain/digest.ts';
import type { Engaged } from '../../domain/figures.ts';
import { precedingPeriod, type Period } from '../../domain/period.ts';
import { areComplete, keptFiguresOf, storedFigures, type CountedBy } from '../earlier-figures.ts';
import { rowsSince, type Collected, type Reading } from '../reading.ts';
import type { LeftList } from './left-list.ts';

/** What was read for a digest, and how the digest counts it. */
interface Counting extends Reading, CountedBy {
  period: Period;
  /** Nothing is missing that would change its totals. */
  complete: boolean;
  totals: PeriodFigures;
  left: Pick<LeftList, 'isTooMuch'>;
}

/**
 * The figures of the preceding period to compare with: those in this report's complete digest of it, counted for the same account
 * under the same filters and in the same time zone; else none, with the reason. Nobody knows how far the service's list reaches
 * back (interface, section 4.3), so nothing is compared with a count of it; and none is said where the list of now shows that
 * the figures of then were counted of too little, or those of now are. A figure whose change rows without a readable date could
 * undo is `null`.
 */
export function comparePeriods(counting: Counting): { previous: PeriodFigures | null; comparison: Comparison } {
  const { earlier, hasLater, complete, period, collected, totals, left } = counting;
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
  const undated = kept.undated + rowsSince(collected.recipients, collected.history).undated;
  const canUndo = (now: number | null, before: number | null): boolean => {
    const change = Math.abs((now ?? 0) - (before ?? 0));
    return change > 0 && change <= undated;
  };
  const compared = {
    ...previous,
    seen: canUndo(totals.seen, previous.seen) ? null : previous.seen,
    responded: canUndo(totals.responded, previous.responded) ? null : previous.responded,
  };
  if (compared.seen === null && compared.responded === null) return none('dates-unreadable', period);
  if (left.isTooMuch) return none('left-list', period);
  return { previous: compared, comparison: { basis: 'kept' } };
}

/** What is dated in the preceding period may be so much more now than was counted of it then, in percent. */
const toleratedMore = 10;

function isRecounted(recipients: Collected['recipients'], previous: PeriodFigures): boolean {
  return (['seen', 'responded'] as const).some((figure) => {
    const now = recipients.reduce((sum, { engagement }) => sum + (engagement?.preceding[figure] ?? 0), 0);
    return now * 100 > (previous[figure] ?? 0) * (100 + toleratedMore);
  });
}

/** How many periods a trend shows, this one included. */
const PERIODS = 8;

/**
 * Views and responses of this period and of up to seven before it, oldest first. The earlier ones are those of this
 * report's digests, counted under the same filters. A period in between without known figures stays, with `null`; those
 * before the first known one are left out.
 */
export function composeTrend(counting: Counting, totals: PeriodFigures): TrendPeriod[] {
  let before = counting.period;
  const trend = [trendPeriod(before.start, totals)];
  while (trend.length < PERIODS) {
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
export function composeLate({
  collected,
  complete,
  period,
  earlier,
  hasLater,
  account,
  filters,
}: Counting): Engaged | null {
  const { recipients, history } = collected;
  const preceding = keptFiguresOf(precedingPeriod(period), earlier);
  if (!complete || hasLater || history === null) return null;
  if (preceding === undefined || !areComplete(preceding)) return null;
  if (preceding.account !== account || preceding.filters !== filters) return null;
  const late = { seen: 0, responded: 0 };
  for (const { delivery, engagement } of recipients) {
    const counted = history.deliveries.get(delivery.id)?.counted;
    if (counted?.in !== Date.parse(preceding.start)) continue;
    for (const what of ['seen', 'responded'] as const) {
      late[what] += Math.max(0, (engagement?.before[what] ?? 0) - counted[what]);
    }
  }
  return late;
}
