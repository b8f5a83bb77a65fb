import { Temporal } from 'temporal-polyfill';
import type { AccountFacts } from '../domain/facts.ts';
import { addCount, createCounts } from '../domain/counts-by-word.ts';
import { instantText, precedingPeriod, type Period } from '../domain/period.ts';
import { filterKey, type Filter } from '../domain/report-filter.ts';
import { broadcastOf, readAccount, type AccountSettings, type Bounds, type Delivery } from './account.ts';
import type { Weekend } from '../domain/schedule.ts';
import { ageIn } from './age.ts';
import { composeBroadcast } from './broadcasts.ts';
import { inOrder, placeOf, standingAt, type Grouping, type Standing } from './groups.ts';
import { findGaps } from './gaps.ts';
import { judge, type Limits } from './judge.ts';
import type { Digest } from './schema.ts';
import { nearestTo, sliceOf, type Slice } from './slice.ts';
import { composeTotals, composeTrend } from './totals.ts';
import { usualIn } from './usual.ts';

/** What a report, or a warning, is composed by. */
export interface DigestOptions extends AccountSettings {
  run: string;
  report: string;
  /** Of a warning, from its instant of the last day that is no weekend's to its own. */
  period: Period;
  only: Filter | null;
  except: Filter | null;
  minimumGroup: number;
  /** The age in hours at which a delivery is judged; hours of the weekend make nothing older. */
  settleHours: number;
  weekend: Weekend;
  /** Whether authors may be named. */
  namesAuthors: boolean;
  /** What dates the names of broadcasts. */
  dating: RegExp;
  /** Of a warning: the report whose deliveries it judges, and by which limits, at `settleHours`. */
  warning: (Limits & { report: string }) | null;
}

/**
 * The digest of a period from the facts of an account. Pure: the same facts in any order give the same one.
 *
 * @param facts as of an observation that began at or after the period's end; what it could not read since is unavailable
 * @param digestBefore the kept digest of this report with the latest end at or before this one's start; `null` where there is none
 */
export function composeDigest(facts: AccountFacts, options: DigestOptions, digestBefore: Digest | null): Digest {
  const { period, minimumGroup, warning, only, except } = options;
  const { observation } = facts;
  // What was about something else says nothing of this.
  const before = digestBefore !== null && isAboutTheSame(digestBefore, options) ? digestBefore : null;
  const bounds = boundsOf(options);
  const { endMs, timeZone } = bounds;
  const account = readAccount(facts, options, endMs);
  const ofAgeMs = ofAgeIn(options, endMs);
  const usual = usualIn(account, { dating: options.dating, ofAgeMs, midnightMs: midnightBefore(endMs, timeZone) });
  const undatedSince = undatedSinceIn(before, bounds);
  const grouping = { ...bounds, account, before, undatedSince, countingBefore: countingIn(before) };
  const slice = sliceOf(account.byBroadcast, options);
  const standingsOf = (about: Slice['about']) =>
    [...about].flatMap(([key, deliveries]) => standingAt(key, deliveries, account, endMs) ?? []);
  const standings = standingsOf(slice.about);
  const placed = standings.map((standing) => ({ standing, place: placeOf(standing, grouping) }));
  const rows = placed.flatMap(({ standing, place }) => {
    const context = { ...bounds, account, namesAuthors: options.namesAuthors, ofAgeMs };
    return place === null || place === 'older' ? [] : [{ standing, row: composeBroadcast(standing, place, context) }];
  });
  const isInDigest = (standing: Standing): boolean => {
    const place = placeOf(standing, grouping);
    return place !== null && place !== 'older';
  };
  const counting = { account, about: countedOf(slice.about, bounds), minimumGroup, timeZone };
  const unsaid = standingsOf(slice.unsaid).filter(isInDigest);
  const { now, totals } = composeTotals(counting, { bounds, before, undatedSince, isWarning: warning !== null });
  return {
    schemaVersion: 5,
    run: options.run,
    report: options.report,
    period: { kind: period.kind, start: period.start, end: period.end, timeZone },
    readAt: instantText(observation.atMs, timeZone),
    coveredSince: instantText(observation.coveredSinceMs, timeZone),
    only,
    except,
    leftOut: standingsOf(slice.leftOut).filter(isInDigest).length,
    noMatch: slice.isEmpty
      ? { nearest: nearestTo(only ?? {}, [...account.byBroadcast.values()].map(broadcastOf)) }
      : null,
    note: null,
    minimumGroup,
    totals,
    trend: warning === null ? composeTrend(period, now, counting, before) : [now],
    broadcasts: inOrder(rows.map(({ row }) => row)),
    olderUnseen: placed.filter(({ place }) => place === 'older').length,
    ...judge(standings, { ...bounds, account, before, usual, ofAgeMs, minimumGroup, limits: warning }),
    undated: undatedIn([...slice.about.values()].flat()),
    otherStatuses: otherStatusesIn([...slice.about.values()].flat(), observation.atMs),
    mayHoldOnlyNewest: observation.mayHoldOnlyNewest,
    unavailable: findGaps({ about: slice.about, rows, unsaid, account, bounds, before }, options),
    warning: warning && { report: warning.report, afterHours: options.settleHours },
  };
}

function isAboutTheSame(digest: Digest, { only, except }: Pick<DigestOptions, 'only' | 'except'>): boolean {
  return (
    filterKey(digest.only ?? {}) === filterKey(only ?? {}) && filterKey(digest.except ?? {}) === filterKey(except ?? {})
  );
}

/** What was forbidden in all of this period and the one before is in the figures of neither. It is named as unavailable. */
function countedOf(about: Slice['about'], { precedingStartMs }: Bounds): Slice['about'] {
  const isForbidden = ({ facts: { unread } }: Delivery): boolean =>
    unread?.reason === 'forbidden' && unread.sinceMs < precedingStartMs;
  return new Map([...about].map(([key, deliveries]) => [key, deliveries.filter((one) => !isForbidden(one))]));
}

function boundsOf({ period, warning }: Pick<DigestOptions, 'period' | 'warning'>): Bounds {
  const { timeZone } = period;
  const [startMs, endMs] = [Date.parse(period.start), Date.parse(period.end)];
  const precedingStartMs = warning === null ? Date.parse(precedingPeriod(period).start) : startMs - (endMs - startMs);
  return { precedingStartMs, startMs, endMs, timeZone };
}

function midnightBefore(atMs: number, timeZone: string): number {
  return Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timeZone).startOfDay().epochMilliseconds;
}

/** When deliveries are of age, counted in steps; epoch milliseconds, `NaN` for one of which nobody knows when it began. */
function ofAgeIn({ period, weekend, settleHours }: DigestOptions, endMs: number): (delivery: Delivery) => number {
  const ageAt = ageIn(period.timeZone, weekend, endMs);
  const known = new Map<string, number>();
  return ({ id, beginMs, list }) => {
    const before = known.get(id);
    if (before !== undefined) return before;
    const stepMs = (list?.moments.stepMinutes ?? 1) * 60_000;
    const atMs = ageAt(Math.floor((beginMs ?? Number.NaN) / stepMs) * stepMs, settleHours);
    known.set(id, atMs);
    return atMs;
  };
}

/** Rows without a readable date that came since the digest before; without one, those of what began in this period or the one before. */
function undatedSinceIn(before: Digest | null, { precedingStartMs }: Bounds): Grouping['undatedSince'] {
  const then = new Map(before?.undated.map((entry) => [entry.delivery, entry]));
  return ({ id, list, beginMs }) => {
    if (list === null || (before === null && (beginMs ?? 0) < precedingStartMs)) return { seen: 0, responded: 0 };
    const { seen, responded } = then.get(id) ?? { seen: 0, responded: 0 };
    const { undated } = list;
    return { seen: Math.max(0, undated.seen - seen), responded: Math.max(0, undated.responded - responded) };
  };
}

function countingIn(before: Digest | null): Grouping['countingBefore'] {
  const counting = before?.broadcasts.filter(({ stillCounting, group }) => stillCounting && group !== 'unseen') ?? [];
  return new Map(counting.flatMap((row) => row.deliveries.map(({ id }) => [id, row] as const)));
}

function undatedIn(deliveries: readonly Delivery[]): Digest['undated'] {
  return deliveries.flatMap(({ id, list }) => {
    const { seen = 0, responded = 0 } = list?.undated ?? {};
    return seen + responded === 0 ? [] : [{ delivery: id, seen, responded }];
  });
}

function otherStatusesIn(deliveries: readonly Delivery[], listedMs: number): Digest['otherStatuses'] {
  const counts = createCounts();
  for (const { facts, wantedMs } of deliveries) {
    if (wantedMs === null && facts.lastListedMs === listedMs) addCount(counts, facts.status);
  }
  return counts;
}

/** Whether a digest says nothing. What a warning says again is no reason to mail it. */
export function saysNothing({ broadcasts, needs, since, season, unavailable, totals, warning }: Digest): boolean {
  if (warning !== null) return needs.every(({ timesNamed }) => timesNamed > 0);
  const isUndated = totals.undated.seen + totals.undated.responded > 0;
  return broadcasts.length + needs.length + since.length + unavailable.length === 0 && season === null && !isUndated;
}
