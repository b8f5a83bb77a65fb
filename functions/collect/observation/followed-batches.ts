import type { DeliveryFacts } from '../../domain/facts.ts';
import { dayMs } from '../../domain/period.ts';
import { isGoneForGood } from '../../domain/reasons.ts';
import { bucketOf, monthOf } from '../../ledger/facts.ts';
import * as ledger from '../../ledger/observations.ts';
import type { Table } from '../../ledger/table.ts';
import type { ReportingService } from '../../reporting-service/client.ts';
import type { Tally } from '../../reporting-service/coverage.ts';
import { readDeliveries, type ListedDelivery } from '../list.ts';
import type { ObserveRequest } from '../protocol.ts';

/** About so many deliveries are one batch, which a worker holds at once. */
const ofBatch = 1_000;

/**
 * Reads the list, and stores which deliveries are followed, in batches: those on it, and those that have left it and are not too old.
 * A list that is empty where it was not before is asked for again, and then believed. An observation whose list was read asks
 * nothing. Throws a `CodedError` where the list is unavailable.
 */
export async function followDeliveries(
  request: ObserveRequest,
  { service, tally, table, now }: { service: ReportingService; tally: Tally; table: Table; now: Date },
): Promise<ledger.ObservedList> {
  const planned = await ledger.observedLists.read(table, request);
  if (planned !== null) return planned;
  const { account, before, atMs } = request;
  const closing = before === null ? null : await ledger.closings.read(table, { account, observation: before });
  let list = await readDeliveries(service.deliveries(), request, tally);
  if (list.deliveries.length === 0 && (closing?.rows ?? 0) > 0) {
    list = await readDeliveries(service.deliveries(), request, tally);
  }
  const known = new Map((closing?.deliveries ?? []).map((delivery) => [delivery.id, delivery]));
  const followed = followedOf(list.deliveries, known, atMs);
  const batches = inBatches(followed);
  const key = { ...request, now };
  for (const [batch, deliveries] of batches.entries())
    await ledger.batchesOfWork.put(table, key, { unlistedMs: closing?.wholeMs ?? null, deliveries }, batch);
  const added = list.deliveries.filter(({ id }) => !known.has(id)).length;
  const observed = { ...list, added, deliveries: followed.length, batches: batches.length };
  await ledger.observedLists.put(table, key, observed);
  return observed;
}

/** The deliveries that an observation follows. */
function followedOf(
  deliveries: readonly ListedDelivery[],
  known: ReadonlyMap<string, ledger.KnownDelivery>,
  atMs: number,
): ledger.Followed[] {
  const listed = deliveries.map(({ id, broadcast, status }): ledger.Followed => {
    const { month = monthOf(atMs), broadcastId = broadcast.id } = known.get(id) ?? {};
    return { id, broadcastId, month, listed: { broadcast, status } };
  });
  const onList = new Set(listed.map(({ id }) => id));
  const left = [...known.values()].filter(({ id, followedUntilMs }) => !onList.has(id) && followedUntilMs > atMs);
  return [...listed, ...left.map(({ id, broadcastId, month }) => ({ id, broadcastId, month, listed: null }))];
}

/** Batches of about a thousand. All deliveries of a broadcast are in one, so that the broadcast is asked for once. */
function inBatches(followed: readonly ledger.Followed[]): ledger.Followed[][] {
  const byBroadcast = Map.groupBy(followed, ({ id, broadcastId }) => broadcastId || id);
  // Those that are in one document are in as few batches as can be.
  const groups = [...byBroadcast.values()].toSorted((a, b) => placeOf(a).localeCompare(placeOf(b)));
  const batches: ledger.Followed[][] = [];
  for (const group of groups) {
    const last = batches.at(-1);
    if (last === undefined || last.length + group.length > ofBatch) batches.push([...group]);
    else last.push(...group);
  }
  return batches;
}

const placeOf = ([first]: readonly ledger.Followed[]): string => (first === undefined ? '' : bucketOf(first));

/** What has left the list is read by its id for so long after its first listing and its first sign. */
const followedMs = 35 * dayMs;

/** What later observations have to know of a delivery. What is gone for good is followed no more. */
export function knownOf(facts: DeliveryFacts, { listed, ...place }: ledger.Followed): ledger.KnownDelivery {
  const { broadcast, firstSign, firstListedMs, unread, contents } = facts;
  const isGone = unread !== undefined && isGoneForGood(unread);
  return {
    ...place,
    isListed: listed !== null,
    firstSignMs: firstSign?.atMs ?? null,
    begunMs: firstSign?.atMs ?? broadcast.createdMs ?? firstListedMs,
    followedUntilMs: isGone ? 0 : Math.max(firstListedMs, firstSign?.atMs ?? 0) + followedMs,
    mayBeReadLater: [facts, broadcast, ...contents].some((part) => part.unread && !isGoneForGood(part.unread)),
  };
}
