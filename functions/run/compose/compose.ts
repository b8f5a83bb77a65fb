import type { ReportConfiguration } from '../../domain/configuration/configuration.ts';
import type { StoredFigures } from '../../ledger/runs/figures.ts';
import { historyKey, type DeliveryHistory } from '../../ledger/runs/delivery-history.ts';
import type { Period } from '../../domain/period.ts';
import { shownDelivery, type Collected } from '../collect/collected.ts';
import { composeDelivery, instantText, type IncludedDelivery } from './compose-delivery.ts';
import { askedRate, countBroadcasts, sumAsked } from '../../domain/broadcasts/asked.ts';
import { defaultInformingTypes } from '../../domain/broadcasts/asks.ts';
import type { DigestBroadcast } from '../../domain/broadcasts/digest-broadcast.ts';
import { groupBroadcasts } from '../../domain/broadcasts/group.ts';
import { comparePeriods } from './comparison.ts';
import type { Digest, DigestDelivery, Missing } from '../../domain/digest.ts';
import { digestBoundsOf, includeDelivery, type DigestBounds } from '../inclusion.ts';
import { reachOfList } from './list-reach.ts';
import { findGaps, type Gap } from './missing.ts';
import { composeTrend } from './trend.ts';

/** What is composed: a digest, what is kept of it for later ones, and everything that was not had. */
export interface Composition {
  digest: Digest;
  figures: StoredFigures;
  shown: Map<string, DeliveryHistory>;
  /** Everything that was unavailable, also what an earlier digest has named as gone for good. */
  unavailable: Missing[];
  /** Which readings of the unsaid only the whole of the answers decides, and how often; as the coverage has them. */
  readings: Record<string, Record<string, number>>;
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
  period: Period;
  collectedAt: string;
  collected: Collected;
  earlierFigures: readonly StoredFigures[];
}): Composition {
  const { run, report, period, collected, earlierFigures } = options;
  const bounds = digestBoundsOf(period, earlierFigures.length === 0);
  const included = includeDeliveries(collected, bounds);
  const reach = reachOfList(collected, bounds);
  const gaps = findGaps(
    collected,
    included.map(({ found }) => found.delivery),
    bounds,
    reach,
  );
  const missing = gaps.filter(({ namedBefore }) => !namedBefore).map((gap) => gap.missing);
  const totalsMissing = missing.find(({ what }) => what === 'deliveries' || what === 'delivery');
  // Gone for good, and an earlier digest has said so: from then on it is only in the coverage.
  const namedGone = new Set(gaps.filter(({ namedBefore }) => namedBefore).map(({ key }) => key));
  const deliveries = included
    .filter(({ found }) => !namedGone.has(historyKey('delivery', found.delivery.id)))
    .map((each) => composeDelivery(each, collected, report, bounds))
    .toSorted(inOrderOfTheMail);
  const broadcasts = groupBroadcasts(deliveries, {
    informingTypes: defaultInformingTypes,
    listedDeliveries: (id) => collected.recipients.filter(({ delivery }) => delivery.broadcast.id === id).length,
    unseenSince: () => null,
  });
  const totals = composeTotals(deliveries, broadcasts, totalsMissing === undefined);
  const filters = JSON.stringify({ statuses: report.statuses.toSorted(), broadcastName: report.broadcastName ?? null });
  const compared = comparePeriods({ ...options, filters, complete: totalsMissing === undefined, bounds });
  const digest: Digest = {
    schemaVersion: 2,
    run,
    report: report.name,
    period: { kind: period.kind, start: period.start, end: period.end, timeZone: period.timeZone },
    collectedAt: options.collectedAt,
    ...(reach.reaches === 'part' ? { listedSince: instantText(reach.since, period.timeZone) } : {}),
    totals: {
      ...totals,
      undated: collected.recipients.reduce((sum, { engagement }) => sum + (engagement?.undated ?? 0), 0),
      ...compared,
      ...(totalsMissing === undefined ? {} : { unavailable: { reason: 'incomplete' } }),
    },
    trend: composeTrend({ ...options, filters, totals, previous: compared.previous }),
    deliveries,
    broadcasts,
    unseenNotNamed: null,
    otherStatuses: collected.list.otherStatuses,
    missing,
  };
  return {
    digest,
    figures: { start: period.start, end: period.end, filters, complete: totalsMissing === undefined, totals },
    shown: noteShown(deliveries, gaps, period.startDate),
    unavailable: gaps.map((gap) => gap.missing),
    readings: readingsOf(deliveries),
    empty: deliveries.length === 0 && missing.length === 0,
  };
}

function includeDeliveries(collected: Collected, bounds: DigestBounds): IncludedDelivery[] {
  return collected.recipients.flatMap((found) => {
    const createdAt = collected.broadcasts.get(found.delivery.broadcast.id)?.broadcast?.createdAt ?? null;
    const inclusion = includeDelivery(found, createdAt, shownDelivery(collected, found.delivery.id), bounds);
    return inclusion === null ? [] : [{ found, ...inclusion }];
  });
}

/** Who the lists of content items were taken to hold; one that nobody is on says nothing. */
function readingsOf(deliveries: readonly DigestDelivery[]): Composition['readings'] {
  const lists: Record<string, number> = {};
  for (const { listed, reach } of deliveries.flatMap(({ contents }) => contents ?? [])) {
    if (listed === null || listed === 0) continue;
    const word = reach === null ? 'those who engaged' : 'the audience';
    lists[word] = (lists[word] ?? 0) + 1;
  }
  return Object.keys(lists).length === 0 ? {} : { 'content lists': lists };
}

function composeTotals(
  deliveries: readonly DigestDelivery[],
  broadcasts: readonly DigestBroadcast[],
  complete: boolean,
): StoredFigures['totals'] {
  if (!complete) {
    return { deliveries: null, broadcasts: null, seen: null, responded: null, asked: null, responseRate: null };
  }
  const sum = (what: 'seen' | 'responded'): number =>
    deliveries.reduce((total, { inPeriod }) => total + (inPeriod?.[what] ?? 0), 0);
  const seen = sum('seen');
  const responded = sum('responded');
  const newDeliveries = deliveries.filter(({ kind }) => kind === 'new');
  const asked = sumAsked(broadcasts);
  return {
    deliveries: newDeliveries.length,
    broadcasts: countBroadcasts(newDeliveries),
    seen,
    responded,
    asked,
    responseRate: askedRate(asked),
  };
}

const kindOrder = { new: 0, silent: 1, active: 2 } as const;

function inOrderOfTheMail(a: DigestDelivery, b: DigestDelivery): number {
  return (
    placeOf(a) - placeOf(b) ||
    inPeriod(b, 'seen') - inPeriod(a, 'seen') ||
    inPeriod(b, 'responded') - inPeriod(a, 'responded') ||
    (a.id < b.id ? -1 : 1)
  );
}

function placeOf({ kind }: DigestDelivery): number {
  return kind === null ? 3 : kindOrder[kind];
}

function inPeriod(delivery: DigestDelivery, what: 'seen' | 'responded'): number {
  return delivery.inPeriod?.[what] ?? 0;
}

/** What later digests have to know of this one. */
function noteShown(
  deliveries: readonly DigestDelivery[],
  gaps: readonly Gap[],
  startDate: string,
): Map<string, DeliveryHistory> {
  const shown = new Map<string, DeliveryHistory>();
  for (const { id, kind, seen } of deliveries) {
    // What could not be read was not shown as anything; what only lacks its instants was.
    if (kind === null && seen === null) continue;
    shown.set(historyKey('delivery', id), {
      shownIn: startDate,
      ...(kind === 'silent' ? {} : { engagedIn: startDate }),
      ...(kind === 'new' ? { newIn: startDate } : {}),
    });
  }
  for (const { key, goneForGood } of gaps) {
    if (goneForGood) shown.set(key, { ...shown.get(key), goneIn: startDate });
  }
  return shown;
}
