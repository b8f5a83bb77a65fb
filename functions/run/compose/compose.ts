import { broadcastAsks } from '../../domain/broadcasts/asks.ts';
import { groupBroadcasts } from '../../domain/broadcasts/group.ts';
import type { ReportConfiguration } from '../../domain/configuration/configuration.ts';
import type { Digest, DigestDelivery, Missing } from '../../domain/digest.ts';
import type { Period } from '../../domain/period.ts';
import { historyKey, type DeliveryHistory } from '../../ledger/runs/delivery-history.ts';
import type { StoredFigures } from '../../ledger/runs/figures.ts';
import { shownDelivery, type Collected } from '../collect/collected.ts';
import { countedBy, type CountedBy } from '../earlier-figures.ts';
import { digestBoundsOf, includeDelivery, type DigestBounds } from '../inclusion.ts';
import { broadcastFacts, findUnseenNotNamed } from './broadcast-facts.ts';
import { comparePeriods } from './comparison.ts';
import { composeDelivery, instantText, type IncludedDelivery } from './compose-delivery.ts';
import { reachOfList } from './list-reach.ts';
import { findGaps } from './missing.ts';
import { noteShown } from './note-shown.ts';
import { inOrderOfTheMail } from './order.ts';
import { composeTotals } from './totals.ts';
import { composeTrend } from './trend.ts';

/** What is composed: a digest, what is kept of it for later ones, and everything that was not had. */
export interface Composition {
  digest: Digest;
  figures: StoredFigures;
  /** How it was counted. */
  counted: CountedBy;
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
  informingTypes: readonly string[];
  period: Period;
  collectedAt: string;
  collected: Collected;
  earlierFigures: readonly StoredFigures[];
}): Composition {
  const { run, report, informingTypes, period, collected, earlierFigures } = options;
  const { kind, name, start, end } = period;
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
  const broadcasts = groupBroadcasts(deliveries, broadcastFacts(collected, bounds, informingTypes));
  const unseenNotNamed = findUnseenNotNamed(collected, deliveries, bounds);
  const complete = totalsMissing === undefined;
  const totals = composeTotals(deliveries, broadcasts, complete);
  const counted = countedBy(report, informingTypes);
  const asksOf = (id: string) => broadcastAsks(collected.broadcasts.get(id)?.broadcast?.contents, informingTypes);
  const compared = comparePeriods({ ...options, ...counted, complete, bounds, asksOf });
  const digest: Digest = {
    schemaVersion: 2,
    run,
    report: report.name,
    period: { kind, start, end, timeZone: period.timeZone },
    collectedAt: options.collectedAt,
    ...(reach.reaches === 'part' ? { listedSince: instantText(reach.since, period.timeZone) } : {}),
    totals: {
      ...totals,
      undated: collected.recipients.reduce((sum, { engagement }) => sum + (engagement?.undated ?? 0), 0),
      ...compared,
      ...(complete ? {} : { unavailable: { reason: 'incomplete' } }),
    },
    trend: composeTrend({ ...options, ...counted, totals, previous: compared.previous }),
    deliveries,
    broadcasts,
    unseenNotNamed: unseenNotNamed.length,
    otherStatuses: collected.list.otherStatuses,
    missing,
  };
  return {
    digest,
    figures: { kind, name, start, end, ...counted, complete, totals },
    counted,
    shown: noteShown({ deliveries, leftOut: bounds.firstRun ? unseenNotNamed : [], gaps }, period.startDate),
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
