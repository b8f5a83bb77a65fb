import { dayMs, periodBefore, type Period } from '../domain/period.ts';
import { asksForResponse, engagedBetween, whyUnavailable, type Composing, type Delivery } from './deliveries.ts';
import { standingAt } from './rows.ts';
import { changeOfShare, figuresOf, sumOf } from './figures.ts';
import type { Digest, PeriodFigures } from './schema.ts';

const unknownFigures = { broadcasts: null, seen: null, responded: null, asked: null, responseRate: null };

/** What facts say of one period; `null` throughout where a delivery that was there is unavailable. */
function figuresOfPeriod({ start, end }: Pick<Period, 'start' | 'end'>, composing: Composing): PeriodFigures {
  const { account, about, options, precedingStartMs } = composing;
  // What was forbidden in all of this period and the one before is in the figures of neither. It is named as unavailable.
  const isCounted = ({ facts: { unread } }: Delivery): boolean =>
    unread?.reason !== 'forbidden' || unread.sinceMs >= precedingStartMs;
  const [startMs, endMs] = [Date.parse(start), Date.parse(end)];
  const standings = about.map((deliveries) => standingAt(deliveries, account, endMs));
  const there = standings.flatMap(({ deliveries }) => deliveries.filter(isCounted));
  if (there.some((delivery) => whyUnavailable(delivery, account, endMs) !== null)) return { start, ...unknownFigures };
  const engaged = there.map((delivery) => engagedBetween(delivery, startMs, endMs));
  const news = standings.filter(({ firstMs }) => firstMs !== null && firstMs >= startMs);
  const asking = news
    .map(({ deliveries }) => ({ deliveries, asks: asksForResponse(deliveries, account) }))
    .filter(({ asks }) => asks !== false);
  const byEnd = asking
    .flatMap(({ deliveries }) => deliveries.filter(isCounted))
    .map((delivery) => Object.assign({ audience: null }, engagedBetween(delivery, -Infinity, endMs)));
  const { seen, answered, rate } = figuresOf(byEnd, { minimumGroup: options.minimumGroup, asks: true });
  const asked =
    seen === null || answered === null || asking.some(({ asks }) => asks === null) ? null : { seen, answered };
  return {
    start,
    broadcasts: news.length,
    seen: sumOf(engaged.map((counts) => counts.seen)),
    responded: sumOf(engaged.map((counts) => counts.responded)),
    asked,
    responseRate: asked && rate,
  };
}

/** Of a period is compared, and is in a trend, what facts cover from so long before on. */
const coveredDays = 14;

/** Where responses are not known, views are not either. */
const isKnown = ({ responded }: Pick<PeriodFigures, 'responded'>): boolean => responded !== null;

/** What facts say of a period before; `null` where they do not cover it, or know nothing of it. */
function figuresBefore(period: Period, composing: Composing): PeriodFigures | null {
  const { coveredSinceMs } = composing.account.observation;
  if (coveredSinceMs > Date.parse(period.start) - coveredDays * dayMs) return null;
  const figures = figuresOfPeriod(period, composing);
  return isKnown(figures) ? figures : null;
}

type Totals = Digest['totals'];

/** A share and a number of rows without a readable date from which on the figures of the period are not known. */
const tooManyUndated = { rows: 2, inRows: 10 };

/** The figures of the period, beside the one before, what may be said of the change, and the trend. */
export function composeTotals(composing: Composing): Pick<Digest, 'totals' | 'trend'> {
  const { about, account, before, undatedSince, options } = composing;
  const { period } = options;
  const isWarning = options.warningOf !== undefined;
  const since = about.flat().map(undatedSince);
  const undated = {
    seen: since.reduce((sum, { seen }) => sum + seen, 0),
    responded: since.reduce((sum, { responded }) => sum + responded, 0),
  };
  const counted = figuresOfPeriod(period, composing);
  const areUndated = (['seen', 'responded'] as const).some(
    (name) =>
      undated[name] > tooManyUndated.rows &&
      undated[name] * tooManyUndated.inRows > (counted[name] ?? 0) + undated[name],
  );
  const isWhole = account.observation.unavailable === undefined && !areUndated;
  const now = isWhole ? counted : { start: counted.start, ...unknownFigures };
  const preceding = periodBefore(period.kind, period.timeZone, period.start);
  const known = isWarning ? null : figuresBefore(preceding, composing);
  const previous = known && { ...known, asSaid: saidOf(preceding, before) };
  const change = composeChange(now, previous, undated);
  const { start: _start, ...figures } = now;
  return {
    totals: { ...figures, undated, previous, change, ...whyUnknown(now, areUndated) },
    trend: isWarning ? [now] : composeTrend([known, now], composing),
  };
}

/** Why figures of the period are not known: views alone where a list has responses and says nothing of who saw it. */
function whyUnknown({ seen, responded }: PeriodFigures, areUndated: boolean): Pick<Totals, 'unavailable'> {
  const reason = areUndated ? 'dates-unreadable' : responded === null ? 'incomplete' : 'unreadable';
  return seen === null ? { unavailable: { reason } } : {};
}

/** What the digest before said of a period; `null` where it was about another one. */
function saidOf({ start, end }: Period, before: Digest | null): NonNullable<Totals['previous']>['asSaid'] {
  if (before === null || !isKnown(before.totals)) return null;
  const isOfIt =
    Date.parse(before.period.start) === Date.parse(start) && Date.parse(before.period.end) === Date.parse(end);
  const { broadcasts, seen, responded, asked, responseRate } = before.totals;
  return isOfIt ? { broadcasts, seen, responded, asked, responseRate } : null;
}

/**
 * What may be said of a change: it holds against what facts now say of the period before and against what its own digest said, and
 * rows without a readable date could not undo it.
 */
function composeChange(now: PeriodFigures, previous: Totals['previous'], undated: Totals['undated']): Totals['change'] {
  const against = [previous, previous?.asSaid].filter((then) => then != null);
  const changeOf = (name: 'seen' | 'responded'): number | null => {
    const changes = against.map((then) => (now[name] !== null && then[name] !== null ? now[name] - then[name] : null));
    return held(changes.map((change) => (change !== null && Math.abs(change) > undated[name] ? change : null)));
  };
  const rates = against.map((then) => now.asked && then.asked && changeOfShare(now.asked, then.asked));
  return { seen: changeOf('seen'), responded: changeOf('responded'), responseRate: held(rates) };
}

/** The first of changes where all of them are known, and go one way. */
function held(changes: ReadonlyArray<number | null>): number | null {
  const [first = null] = changes;
  return first !== null && changes.every((change) => change !== null && Math.sign(change) === Math.sign(first))
    ? first
    : null;
}

const periodsOfTrend = 8;

/**
 * This period and up to seven before it, oldest first: the one before as facts have it, earlier ones as the digest before had them,
 * else as facts cover them. Those before the first known one are left out.
 */
function composeTrend([previous, now]: [PeriodFigures | null, PeriodFigures], composing: Composing): PeriodFigures[] {
  const { before, options } = composing;
  const { kind, timeZone, start } = options.period;
  const told = before?.period.kind === kind ? before.trend.filter(isKnown) : [];
  const trend = [now];
  for (let end = start; trend.length < periodsOfTrend;) {
    const period = periodBefore(kind, timeZone, end);
    const entry = told.find((one) => Date.parse(one.start) === Date.parse(period.start)) ?? null;
    const known = trend.length === 1 ? (previous ?? entry) : (entry ?? figuresBefore(period, composing));
    trend.unshift(known ?? { start: period.start, ...unknownFigures });
    end = period.start;
  }
  return trend.slice(trend.findIndex(isKnown));
}
