import {
  countAsked,
  countBroadcasts,
  groupBroadcasts,
  type BroadcastFacts,
  broadcastAsks,
} from '../../domain/broadcasts.ts';
import type { ReportConfiguration } from '../../domain/configuration/configuration.ts';
import { addCount, createCounts } from '../../domain/counts-by-word.ts';
import {
  type Digest,
  type DigestDelivery,
  type Missing,
  type PeriodFigures,
  placeInMail,
} from '../../domain/digest.ts';
import type { Period } from '../../domain/period.ts';
import type { History, StoredDigest } from '../../ledger/runs/digests.ts';
import { emptyCoverage, mergeCoverage, type Coverage } from '../../reporting-service/coverage.ts';
import type { Collected } from '../collection/collected.ts';
import { countedBy } from '../earlier-figures.ts';
import { createdAtOf, type DigestBounds, type IncludedDelivery, type Reading } from '../inclusion.ts';
import { comparePeriods, composeLate, composeTrend } from './comparison.ts';
import { composeDelivery } from './compose-delivery.ts';
import { areDatesUnreadable, findGaps } from './missing.ts';
import { nextHistory } from './next-history.ts';

/** What is composed: a digest as it is kept, and what later ones have to know. */
export interface Composition {
  kept: StoredDigest;
  history: History;
  /** There is nothing to report: no delivery, and nothing missing. */
  empty: boolean;
}

/**
 * The digest of one period from what was collected. Pure: the same answers in any order give the same digest. A figure
 * over something that is missing is withheld (`null`), never computed over less.
 */
export function composeDigest(options: {
  run: string;
  report: ReportConfiguration;
  informingTypes: readonly string[];
  period: Period;
  collectedAt: string;
  reading: Reading;
  /** What each part of the collection covers. */
  coverages: readonly Coverage[];
}): Composition {
  const { run, report, informingTypes, period, reading } = options;
  const { collected, included, bounds } = reading;
  const gaps = findGaps(collected, included, bounds);
  const missing = gaps.filter(({ namedBefore }) => !namedBefore).map((gap) => gap.missing);
  const complete = !missing.some(withholdsTotals) && !areDatesUnreadable(collected);
  const deliveries = included.map((each) => composeDelivery(each, collected, bounds)).toSorted(inOrderOfTheMail);
  const counted = countedBy(report, informingTypes);
  const ofPeriod = { ...reading, ...counted, period, complete };
  const totals = composeTotals(included, collected, { complete, informingTypes });
  const { unknownDate, namedEnough } = findUnseen(collected, included, bounds);
  const digest: Digest = {
    schemaVersion: 3,
    run,
    report: report.name,
    period: { kind: period.kind, start: period.start, end: period.end, timeZone: period.timeZone },
    collectedAt: options.collectedAt,
    totals: {
      ...totals,
      undated: collected.recipients.reduce((sum, { engagement }) => sum + (engagement?.undated ?? 0), 0),
      ...comparePeriods(ofPeriod),
      ...(complete ? {} : { unavailable: { reason: 'incomplete' } }),
    },
    late: composeLate(ofPeriod),
    trend: composeTrend({ ...ofPeriod, totals }),
    deliveries,
    broadcasts: groupBroadcasts(deliveries, broadcastFacts(collected, informingTypes)),
    unseenNotNamed: namedEnough,
    unknownDate: unknownDate.size,
    otherStatuses: countStatuses(collected),
    missing,
  };
  const isNothingListed = collected.wanted.length + collected.others.length === 0;
  const readings = readingsOf(collected, deliveries);
  return {
    kept: {
      digest,
      coverage: mergeCoverage([...options.coverages, { ...emptyCoverage(), readings }]),
      unavailable: gaps.map((gap) => gap.missing),
      ...counted,
      complete,
    },
    history: nextHistory(collected, { included, unknownDate, gaps }, period, bounds),
    // A list on which nothing has a wanted status is no quiet week: the mail says which statuses it has.
    empty: saysNothing(digest) && (isNothingListed || collected.wanted.length > 0),
  };
}

/** Whether a digest has no delivery, and nothing is missing or came late. */
function saysNothing({ deliveries, missing, late }: Digest): boolean {
  const isLate = late !== null && late.seen + late.responded > 0;
  return deliveries.length === 0 && missing.length === 0 && !isLate;
}

/** Whether the figures of the period are not known without it: some of its engagement is. */
function withholdsTotals({ what, reason }: Missing): boolean {
  return what === 'deliveries' || (what === 'delivery' && reason !== 'dates-unreadable');
}

/** Of the deliveries that nobody has engaged with and that are not named: those of unknown date, and those named often enough. */
function findUnseen(
  collected: Collected,
  included: readonly IncludedDelivery[],
  bounds: DigestBounds,
): { unknownDate: ReadonlySet<string>; namedEnough: number } {
  const named = new Set(included.map(({ found }) => found.delivery.id));
  const unseen = collected.recipients.filter(({ delivery, engagement }) => {
    const isUnseen = engagement !== undefined && engagement.seen + engagement.responded === 0;
    return isUnseen && !named.has(delivery.id) && (createdAtOf(delivery, collected) ?? bounds.start) < bounds.end;
  });
  const ids = unseen.map(({ delivery }) => delivery.id);
  const wasNamed = (id: string): boolean => {
    const { namedIn, engaged = false } = collected.history?.deliveries.get(id) ?? {};
    return namedIn !== undefined && !engaged;
  };
  return { unknownDate: new Set(bounds.firstRun ? ids : []), namedEnough: ids.filter(wasNamed).length };
}

function countStatuses({ others }: Collected): Digest['otherStatuses'] {
  const counts = createCounts();
  for (const { status } of others) addCount(counts, status);
  return counts;
}

/** Who the lists were taken to hold, which only the whole of the answers decides; a list that nobody is on says nothing. */
function readingsOf({ audience }: Collected, deliveries: readonly DigestDelivery[]): Coverage['readings'] {
  const readings = createCounts<Record<string, number>>();
  const read = (of: string, listed: number | null, isAudience: boolean): void => {
    if (listed === null || listed === 0) return;
    addCount((readings[of] ??= createCounts()), isAudience ? 'the audience' : 'those who engaged');
  };
  for (const { listed, contents } of deliveries) {
    read('delivery lists', listed, audience.deliveries);
    for (const item of contents ?? []) read('content lists', item.listed, audience.contents.has(item.type));
  }
  return readings;
}

/** Compares deliveries: new, silent, active, unread; each by views in the period, then responses, then id. */
export function inOrderOfTheMail(a: DigestDelivery, b: DigestDelivery): number {
  return (
    placeInMail(a.kind) - placeInMail(b.kind) ||
    inPeriod(b, 'seen') - inPeriod(a, 'seen') ||
    inPeriod(b, 'responded') - inPeriod(a, 'responded') ||
    (a.id < b.id ? -1 : 1)
  );
}

function inPeriod(delivery: DigestDelivery, what: 'seen' | 'responded'): number {
  return delivery.inPeriod?.[what] ?? 0;
}

/** What the collection and the history say of the broadcasts of a digest. */
function broadcastFacts(collected: Collected, informingTypes: readonly string[]): BroadcastFacts {
  const listed = createCounts();
  for (const { broadcast } of collected.wanted) addCount(listed, broadcast.id);
  return {
    informingTypes,
    listedDeliveries: (id) => listed[id] ?? 0,
    unseenSince: (id) => collected.history?.deliveries.get(id)?.namedIn?.[0] ?? null,
  };
}

/** The figures of a digest's period; `null`, all of them, where something is missing that would change them. */
function composeTotals(
  included: readonly IncludedDelivery[],
  { broadcasts }: Pick<Collected, 'broadcasts'>,
  { complete, informingTypes }: { complete: boolean; informingTypes: readonly string[] },
): PeriodFigures {
  if (!complete) {
    return { deliveries: null, broadcasts: null, seen: null, responded: null, asked: null, responseRate: null };
  }
  const dated = included.flatMap(({ found: { delivery, engagement } }) => {
    const contents = broadcasts.get(delivery.broadcast.id)?.broadcast?.contents;
    return engagement === undefined
      ? []
      : [{ asks: broadcastAsks(contents, informingTypes), inPeriod: engagement.inPeriod }];
  });
  const news = included.filter(({ kind }) => kind === 'new').map(({ found }) => found.delivery);
  return {
    deliveries: news.length,
    broadcasts: countBroadcasts(news),
    seen: dated.reduce((sum, { inPeriod }) => sum + inPeriod.seen, 0),
    responded: dated.reduce((sum, { inPeriod }) => sum + inPeriod.responded, 0),
    ...countAsked(dated),
  };
}
