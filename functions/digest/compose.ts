import { Temporal } from 'temporal-polyfill';
import type { AccountFacts, ContentFacts, ListFacts } from '../domain/facts.ts';
import { countWords } from '../domain/counts-by-word.ts';
import { boundsOf, hourMs, instantText } from '../domain/period.ts';
import { filterKey } from '../domain/report-filter.ts';
import { weekends } from '../domain/schedule.ts';
import { memoize } from '../domain/wording.ts';
import {
  asksForResponse,
  broadcastOf,
  engagedBetween,
  engagedBy,
  reachedBy,
  readAccount,
  reasonOf,
  whyUnavailable,
  type Composing,
  type Delivery,
  type DigestOptions,
} from './deliveries.ts';
import { inOrder, isShown, placeOf, standingAt, type Shown, type Standing } from './rows.ts';
import { findGaps } from './gaps.ts';
import { judge } from './judge.ts';
import type { Digest, DigestBroadcast, DigestContent, DigestDelivery } from './schema.ts';
import { sliceOf } from './slice.ts';
import { composeTotals } from './totals.ts';

/**
 * The digest of a period from the facts of an account. Pure: the same facts in any order give the same one.
 *
 * @param facts as of an observation that began at or after the period's end; what it could not read since is unavailable
 * @param digestBefore the kept digest of this report with the latest end at or before this one's start; `null` where there is none
 */
export function composeDigest(facts: AccountFacts, options: DigestOptions, digestBefore: Digest | null): Digest {
  const { run, name, period, minimumGroup, warningOf, only = null, except = null } = options;
  const { observation } = facts;
  // What was about something else says nothing of this.
  const before = digestBefore !== null && isAboutTheSame(digestBefore, options) ? digestBefore : null;
  const { timeZone } = period;
  const bounds = boundsOf(period);
  const { endMs } = bounds;
  const account = readAccount(facts, options, endMs);
  const { about, leftOut, unsaid, noMatch } = sliceOf(account.broadcasts, options);
  const ofAgeMs = ofAgeIn(options, endMs);
  const undatedSince = undatedSinceIn(before, bounds.precedingStartMs);
  const composing: Composing = { ...bounds, options, account, about, before, ofAgeMs, undatedSince };
  const standingsOf = (broadcasts: typeof about) =>
    broadcasts.map((deliveries) => standingAt(deliveries, account, endMs));
  const standings = standingsOf(about);
  const placed = standings.map((standing) => ({ standing, place: placeOf(standing, composing) }));
  const rows = placed.flatMap(({ standing, place }) =>
    isShown(place) ? [{ standing, row: composeBroadcast(standing, place, composing) }] : [],
  );
  const isInDigest = (standing: Standing): boolean => isShown(placeOf(standing, composing));
  return {
    schemaVersion: 5,
    run,
    report: name,
    period: { kind: period.kind, start: period.start, end: period.end, timeZone },
    readAt: instantText(observation.atMs, timeZone),
    coveredSince: instantText(observation.coveredSinceMs, timeZone),
    only,
    except,
    leftOut: standingsOf(leftOut).filter(isInDigest).length,
    noMatch,
    note: null,
    minimumGroup,
    ...composeTotals(composing),
    broadcasts: inOrder(rows.map(({ row }) => row)),
    olderUnseen: placed.filter(({ place }) => place === 'older').length,
    ...judge(standings, composing),
    undated: undatedIn(about.flat()),
    otherStatuses: otherStatusesIn(about.flat(), observation.atMs),
    mayHoldOnlyNewest: observation.mayHoldOnlyNewest,
    unavailable: findGaps(rows, standingsOf(unsaid).filter(isInDigest), composing),
    warning: warningOf === undefined ? null : { report: warningOf.report, afterHours: warningOf.afterHours },
  };
}

function isAboutTheSame(digest: Digest, { only, except }: DigestOptions): boolean {
  return filterKey(digest.only ?? {}) === filterKey(only) && filterKey(digest.except ?? {}) === filterKey(except);
}

/** Ages are counted without the hours of weekends. */
function ofAgeIn(options: DigestOptions, endMs: number): Composing['ofAgeMs'] {
  const past = weekendsOf(options, endMs);
  const hours = options.warningOf?.afterHours ?? options.settleHours;
  return memoize(({ beginMs }) => {
    let atMs = beginMs ?? Number.NaN;
    let leftMs = hours * hourMs;
    for (const weekend of past) {
      if (atMs + leftMs <= weekend.startMs) break;
      if (weekend.endMs <= atMs) continue;
      leftMs -= Math.max(0, weekend.startMs - atMs);
      atMs = weekend.endMs;
    }
    return atMs + leftMs;
  });
}

/** Of more weeks before its end no digest asks how old something was. */
const weeksBefore = 110;

/** The weekends of these weeks, and of those in which something becomes of age that begins at the end. */
function weekendsOf({ period: { timeZone }, weekend }: DigestOptions, endMs: number) {
  const [firstDay] = weekends[weekend];
  if (firstDay === undefined) return [];
  const around = Temporal.Instant.fromEpochMilliseconds(endMs).toZonedDateTimeISO(timeZone).toPlainDate();
  const start = around.subtract({ days: around.dayOfWeek - firstDay + 7 * weeksBefore });
  const startOf = (days: number): number => start.add({ days }).toZonedDateTime(timeZone).epochMilliseconds;
  return Array.from({ length: weeksBefore + 8 }, (_, week) => ({
    startMs: startOf(7 * week),
    endMs: startOf(7 * week + 2),
  }));
}

/** Rows without a readable date that came since the digest before; without one, those of what began in this period or the one before. */
function undatedSinceIn(before: Digest | null, precedingStartMs: number): Composing['undatedSince'] {
  const then = new Map(before?.undated.map((entry) => [entry.delivery, entry]));
  return ({ id, list, beginMs }) => {
    if (list === null || (before === null && (beginMs ?? 0) < precedingStartMs)) return { seen: 0, responded: 0 };
    const { seen, responded } = then.get(id) ?? { seen: 0, responded: 0 };
    const { undated } = list;
    return { seen: Math.max(0, undated.seen - seen), responded: Math.max(0, undated.responded - responded) };
  };
}

function undatedIn(deliveries: readonly Delivery[]): Digest['undated'] {
  return deliveries.flatMap(({ id, list }) => {
    const { seen = 0, responded = 0 } = list?.undated ?? {};
    return seen + responded === 0 ? [] : [{ delivery: id, seen, responded }];
  });
}

function otherStatusesIn(deliveries: readonly Delivery[], listedMs: number): Digest['otherStatuses'] {
  const others = deliveries.filter(({ facts, wantedMs }) => wantedMs === null && facts.lastListedMs === listedMs);
  return countWords(others.map(({ facts }) => facts.status));
}

/** Whether a digest says nothing. What a warning says again is no reason to mail it. */
export function saysNothing({ broadcasts, needs, since, season, unavailable, totals, warning }: Digest): boolean {
  if (warning !== null) return needs.every(({ timesNamed }) => timesNamed > 0);
  const isUndated = totals.undated.seen + totals.undated.responded > 0;
  return broadcasts.length + needs.length + since.length + unavailable.length === 0 && season === null && !isUndated;
}

/** The row of a broadcast where it stands in the digest. */
function composeBroadcast({ deliveries }: Standing, place: Shown, composing: Composing): DigestBroadcast {
  const { options, account, endMs, ofAgeMs } = composing;
  const { id, name, createdMs, createdBy } = broadcastOf(deliveries);
  const rows = deliveries.map((delivery) => composeDelivery(delivery, composing));
  return {
    id,
    name,
    createdAt: createdMs === null ? null : instantText(createdMs, options.period.timeZone),
    createdBy: options.authors === 'named' ? createdBy : null,
    ...place,
    asks: asksForResponse(deliveries, account),
    stillCounting: deliveries.some((delivery) => !delivery.isLater && ofAgeMs(delivery) > endMs),
    deliveries: rows.toSorted((a, b) => (b.inPeriod.seen ?? 0) - (a.inPeriod.seen ?? 0)),
  };
}

function composeDelivery(delivery: Delivery, composing: Composing): DigestDelivery {
  const { options, account, startMs, endMs } = composing;
  const { facts, id, list, isLater } = delivery;
  const signMs = facts.firstSign?.atMs ?? null;
  const unavailable = whyUnavailable(delivery, account, endMs);
  const known = unavailable === null ? list : null;
  const inPeriod = engagedBetween({ list: known }, startMs, endMs);
  return {
    id,
    status: facts.status,
    firstSign: signMs === null || signMs >= endMs ? null : instantText(signMs, options.period.timeZone),
    isLater,
    listed: known?.listed ?? null,
    audience: known === null ? null : delivery.audience,
    ...engagedBetween({ list: known }, -Infinity, endMs),
    inPeriod: { seen: inPeriod.seen, responded: inPeriod.responded },
    contents: facts.broadcast.contents?.map((content) => composeContent(content, delivery, composing)) ?? null,
    ...(unavailable === null ? {} : { unavailable }),
  };
}

function composeContent(
  { id, type }: { id: string; type: string },
  { facts, list: ofDelivery }: Delivery,
  { options, account, endMs }: Composing,
): DigestContent {
  const item: ContentFacts = facts.contents.find((content) => content.id === id) ?? { id, list: null };
  const none = { id, type, listed: null, audience: null, seen: null, responded: null, answered: null };
  if (item.list === null || (item.unread !== undefined && item.list.readMs < endMs)) {
    // Of what nobody engaged with the items are not asked for.
    if (ofDelivery && reachedBy(ofDelivery, endMs) === 0) return { ...none, seen: 0, responded: 0, answered: 0 };
    return { ...none, unavailable: reasonOf(item.unread) };
  }
  const { list } = item;
  const counted = engagedBetween({ list }, -Infinity, endMs);
  return {
    ...none,
    listed: list.listed,
    audience: account.itemAudience(list),
    ...(holdsOnlyResponses(list, ofDelivery) ? { ...counted, seen: null, answered: null } : counted),
    ...(hasNoDates(list) ? { seen: null, responded: null, answered: null } : {}),
    ...ratingsOf(item),
    ...(list.readMs < endMs ? { asOf: instantText(list.readMs, options.period.timeZone) } : {}),
  };
}

/** No row has a field for one of the two dates: what people did is told in fields that nobody knows. */
function hasNoDates({ listed, lacking }: ListFacts): boolean {
  return lacking?.neither === listed;
}

/** Such a list, where it is shorter than its delivery's own, says nothing of who saw it. */
function holdsOnlyResponses(list: ListFacts, ofDelivery: ListFacts | null): boolean {
  const { listed } = list;
  const { responded } = engagedBy(list, Infinity);
  return listed > 0 && responded >= listed && ofDelivery !== null && listed < ofDelivery.listed;
}

function ratingsOf({ list, ratingsUnavailable }: ContentFacts): Pick<DigestContent, 'ratings'> {
  if (ratingsUnavailable !== undefined) return { ratings: null };
  if (list?.ratings === undefined) return {};
  const entries = Object.entries(list.ratings).toSorted(([a], [b]) => Number(a) - Number(b));
  const count = entries.reduce((sum, [, times]) => sum + times, 0);
  const mean = entries.reduce((sum, [rating, times]) => sum + Number(rating) * times, 0) / count;
  const histogram = Object.fromEntries(entries);
  const unreadable = list.unreadableRatings ?? 0;
  return { ratings: { count, mean: Number.isFinite(mean) ? mean : null, histogram, unreadable } };
}
