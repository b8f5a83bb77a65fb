import { dayMs } from '../../domain/period.ts';
import { areForgotten } from '../../ledger/facts.ts';
import type { Closing, KnownDelivery, ObservedList } from '../../ledger/observations.ts';
import type { Coverage } from '../../reporting-service/coverage.ts';

/** A list that had nothing, so long before, overlaps with any. */
const emptyOverlapsMs = 3 * dayMs;
/** So many of the newest deliveries say that two lists overlap, and a list's knowledge begins with the earliest sign of so many. */
const few = 3;
/** A list with fewer first signs says nothing of the time before it. */
const fewestSigns = 5;

/** What is said of a delivery that is followed no more. */
const left = { isListed: false, mayBeReadLater: false };

/** How an observation ends: what it found, against the one before it. */
export function closingOf(
  atMs: number,
  found: { list: ObservedList; known: readonly KnownDelivery[]; before: Closing | null; coverage: Coverage },
): Closing {
  const { list, known, before, coverage } = found;
  const listed = known.filter(({ isListed }) => isListed);
  const { rows, added, unavailable } = list;
  const isSteady = rows > 0 && rows === before?.rows && 3 * added > rows;
  const steady = isSteady ? before.steady + 1 : 0;
  const isChained = before !== null && doOverlap(before, listed, atMs);
  const followed = new Set(known.map(({ id }) => id));
  const others = (before?.deliveries ?? []).filter(({ id }) => !followed.has(id));
  return {
    facts: {
      atMs,
      coveredSinceMs: isChained ? before.facts.coveredSinceMs : knowsSinceMs(listed, atMs),
      ...(unavailable === undefined ? {} : { unavailable }),
      mayHoldOnlyNewest: steady >= 2,
    },
    rows,
    steady,
    wholeMs: unavailable === undefined ? atMs : (before?.wholeMs ?? null),
    deliveries: [
      ...known,
      ...others.filter((other) => !areForgotten(other, atMs)).map((other) => Object.assign({}, other, left)),
    ],
    coverage,
  };
}

/** Whether the later list has one of the three newest of the earlier. */
function doOverlap({ facts, rows, deliveries }: Closing, listed: readonly KnownDelivery[], atMs: number): boolean {
  if (rows === 0) return atMs - facts.atMs <= emptyOverlapsMs;
  const ids = new Set(listed.map(({ id }) => id));
  const before = deliveries.filter(({ isListed }) => isListed).toSorted((a, b) => b.begunMs - a.begunMs);
  return before.slice(0, few).some(({ id }) => ids.has(id));
}

/** From when on a list by itself says everything: the third earliest first sign on it. */
function knowsSinceMs(listed: readonly KnownDelivery[], atMs: number): number {
  const signs = listed.flatMap(({ firstSignMs }) => firstSignMs ?? []).toSorted((a, b) => a - b);
  return signs.length < fewestSigns ? atMs : (signs[few - 1] ?? atMs);
}

/** Whether an observation could read everything that it asked for. */
export function isComplete({ facts, deliveries }: Closing): boolean {
  return facts.unavailable === undefined && deliveries.every(({ mayBeReadLater }) => !mayBeReadLater);
}
