import { dayMs, instantText, periodBefore, type Period } from '../domain/period.ts';
import {
  asksForResponse,
  engagedBetween,
  whyUnavailable,
  type Account,
  type Bounds,
  type Delivery,
} from './account.ts';
import { standingAt } from './groups.ts';
import { changeOfShare, sumOf } from './figures.ts';
import type { Digest, PeriodFigures } from './schema.ts';

/** What totals are counted of. */
interface Counting {
  account: Account;
  /** The deliveries of each broadcast that the report is about, by its key. */
  about: ReadonlyMap<string, readonly Delivery[]>;
  minimumGroup: number;
  timeZone: string;
}

const unknownFigures = { broadcasts: null, seen: null, responded: null, asked: null, responseRate: null };

/** What facts say of one period; `null` throughout where a delivery that was there is unavailable. */
function figuresOfPeriod(period: { startMs: number; endMs: number }, counting: Counting): PeriodFigures {
  const { account, about, minimumGroup, timeZone } = counting;
  const { startMs, endMs } = period;
  const start = instantText(startMs, timeZone);
  const [seen, responded]: [Array<number | null>, Array<number | null>] = [[], []];
  const asked = { seen: 0, answered: 0, mostSeen: 0 };
  let [broadcasts, areAskedKnown] = [0, true];
  for (const [key, deliveries] of about) {
    const standing = standingAt(key, deliveries, account, endMs);
    if (standing === null) continue;
    const isNew = standing.firstMs !== null && standing.firstMs >= startMs;
    const asks = isNew && asksForResponse(standing.deliveries, account);
    broadcasts += Number(isNew);
    for (const delivery of standing.deliveries) {
      if (whyUnavailable(delivery, account, endMs) !== null) return { start, ...unknownFigures };
      const engaged = engagedBetween(delivery, period);
      seen.push(engaged.seen);
      responded.push(engaged.responded);
      if (asks === false) continue;
      const byEnd = engagedBetween(delivery, { startMs: -Infinity, endMs });
      areAskedKnown &&= asks === true && byEnd.answered !== null && byEnd.seen !== null;
      asked.seen += byEnd.seen ?? 0;
      asked.answered += byEnd.answered ?? 0;
      asked.mostSeen = Math.max(asked.mostSeen, byEnd.seen ?? 0);
    }
  }
  const isRate = areAskedKnown && asked.mostSeen > 0 && asked.mostSeen >= minimumGroup;
  return {
    start,
    broadcasts,
    seen: sumOf(seen),
    responded: sumOf(responded),
    asked: areAskedKnown ? { seen: asked.seen, answered: asked.answered } : null,
    responseRate: isRate ? asked.answered / asked.seen : null,
  };
}

/** Of a period is compared, and is in a trend, what facts cover from so long before on. */
const coveredDays = 14;

function covers({ account: { observation } }: Counting, startMs: number): boolean {
  return observation.coveredSinceMs <= startMs - coveredDays * dayMs;
}

type Totals = Digest['totals'];

/** A share and a number of rows without a readable date from which on the figures of the period are not known. */
const tooManyUndated = { rows: 2, inRows: 10 };

/** The figures of the period, beside the one before, and what may be said of the change. */
export function composeTotals(
  counting: Counting,
  options: {
    bounds: Bounds;
    before: Digest | null;
    undatedSince: (delivery: Delivery) => { seen: number; responded: number };
    isWarning: boolean;
  },
): { now: PeriodFigures; totals: Totals } {
  const { bounds, before, undatedSince, isWarning } = options;
  const undated = { seen: 0, responded: 0 };
  for (const delivery of [...counting.about.values()].flat()) {
    const { seen, responded } = undatedSince(delivery);
    undated.seen += seen;
    undated.responded += responded;
  }
  const counted = figuresOfPeriod(bounds, counting);
  const areUndated = (['seen', 'responded'] as const).some(
    (name) =>
      undated[name] > tooManyUndated.rows &&
      undated[name] * tooManyUndated.inRows > (counted[name] ?? 0) + undated[name],
  );
  const isWhole = counting.account.observation.unavailable === undefined && !areUndated;
  const now = isWhole ? counted : { start: counted.start, ...unknownFigures };
  const previous = isWarning ? null : composePrevious(bounds, counting, before);
  const { start: _start, ...figures } = now;
  return {
    now,
    totals: {
      ...figures,
      undated,
      previous,
      change: composeChange(now, previous, undated),
      ...whyUnknown(now, areUndated),
    },
  };
}

/** Why figures of the period are not known: views alone where a list has responses and says nothing of who saw it. */
function whyUnknown({ seen, responded }: PeriodFigures, areUndated: boolean): Pick<Totals, 'unavailable'> {
  if (seen !== null && responded !== null) return {};
  return {
    unavailable: { reason: areUndated ? 'dates-unreadable' : responded === null ? 'incomplete' : 'unreadable' },
  };
}

const isKnown = ({ seen, responded }: Pick<PeriodFigures, 'seen' | 'responded'>): boolean =>
  seen !== null || responded !== null;

/** The period before, as facts have it and as its own digest had it; `null` where facts do not cover it. */
function composePrevious(
  { precedingStartMs, startMs }: Bounds,
  counting: Counting,
  before: Digest | null,
): Totals['previous'] {
  if (!covers(counting, precedingStartMs)) return null;
  const figures = figuresOfPeriod({ startMs: precedingStartMs, endMs: startMs }, counting);
  if (!isKnown(figures)) return null;
  const { start = '', end = '' } = before?.period ?? {};
  const isOfIt = Date.parse(start) === precedingStartMs && Date.parse(end) === startMs;
  if (before === null || !isOfIt || !isKnown(before.totals)) return { ...figures, asSaid: null };
  const { broadcasts, seen, responded, asked, responseRate } = before.totals;
  return { ...figures, asSaid: { broadcasts, seen, responded, asked, responseRate } };
}

/**
 * What may be said of a change: it holds against what facts now say of the period before and against what its own digest said, and
 * rows without a readable date could not undo it.
 */
function composeChange(
  { seen, responded, asked }: PeriodFigures,
  previous: Totals['previous'],
  undated: Totals['undated'],
): Totals['change'] {
  const against = previous === null ? [] : [previous, ...(previous.asSaid === null ? [] : [previous.asSaid])];
  const changeOf = (name: 'seen' | 'responded', now: number | null): number | null => {
    const changes = against.map((then) => (now === null || then[name] === null ? null : now - then[name]));
    return held(changes.map((change) => (change !== null && Math.abs(change) > undated[name] ? change : null)));
  };
  const rates = against.map((then) =>
    asked === null || then.asked === null
      ? null
      : changeOfShare({ part: asked.answered, of: asked.seen }, { part: then.asked.answered, of: then.asked.seen }),
  );
  return { seen: changeOf('seen', seen), responded: changeOf('responded', responded), responseRate: held(rates) };
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
export function composeTrend(
  period: Period,
  now: PeriodFigures,
  counting: Counting,
  before: Digest | null,
): PeriodFigures[] {
  const told = before?.period.kind === period.kind ? before.trend.filter(isKnown) : [];
  const toldOf = new Map(told.map((entry) => [Date.parse(entry.start), entry]));
  const trend = [now];
  for (let { start } = period; trend.length < periodsOfTrend;) {
    const preceding = periodBefore(period.kind, period.timeZone, start);
    const [startMs, endMs] = [Date.parse(preceding.start), Date.parse(preceding.end)];
    const entry = toldOf.get(startMs);
    const isCounted = covers(counting, startMs) && (entry === undefined || trend.length === 1);
    const counted = isCounted
      ? figuresOfPeriod({ startMs, endMs }, counting)
      : { start: preceding.start, ...unknownFigures };
    trend.unshift(isKnown(counted) ? counted : (entry ?? counted));
    start = preceding.start;
  }
  const first = trend.findIndex(isKnown);
  return first === -1 ? [now] : trend.slice(first);
}
