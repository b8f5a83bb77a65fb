import type { Period } from '../../domain/period.ts';
import { isGoneForGood } from '../../domain/reasons.ts';
import type { Found, ListedDelivery } from '../../ledger/runs/collections.ts';
import type { DeliveryHistory, Growth, History } from '../../ledger/runs/digests.ts';
import { createdAtOf, isKnownToBeOlder, type Collected, type IncludedDelivery, type Reading } from '../reading.ts';
import type { Gap } from './missing.ts';

/** A delivery that is not listed for so long is forgotten. */
export const rememberedMs = 2 * 366 * 24 * 3_600_000;
/** Of more than so many, those that have not been listed for longest are forgotten: a run's memory is limited. */
const mostRemembered = 100_000;

/** What later digests have to know of this one, and of all before it. */
export function nextHistory(
  { collected, included, bounds }: Reading,
  { start }: Pick<Period, 'start'>,
  {
    unknownDate,
    gaps,
    growths,
  }: {
    unknownDate: ReadonlySet<string>;
    gaps: readonly Gap[];
    growths: ReadonlyMap<string, Growth>;
  },
): History {
  const { list, wanted, others, recipients, history } = collected;
  const inclusions = new Map(included.map((each) => [each.found.delivery.id, each]));
  const found = new Map(recipients.map((each) => [each.delivery.id, each]));
  const remembered = [...(history?.deliveries ?? [])]
    .filter(([, { listedIn }]) => bounds.start - listedIn < rememberedMs)
    .toSorted(([, a], [, b]) => b.listedIn - a.listedIn);
  const deliveries = new Map(remembered.slice(0, mostRemembered));
  const noteDelivery = (delivery: ListedDelivery): DeliveryHistory => ({
    ...notedOf(
      history?.deliveries.get(delivery.id) ?? { listedIn: bounds.start, listedAt: bounds.collectedAt },
      found.get(delivery.id),
      inclusions.get(delivery.id),
      start,
    ),
    listedIn: bounds.start,
    ...createdOf(delivery, collected),
    ...(unknownDate.has(delivery.id) ? { leftOut: true } : {}),
    ...growthOf(growths.get(delivery.id)),
  });
  for (const delivery of [...wanted, ...others]) deliveries.set(delivery.id, noteDelivery(delivery));
  const gone = gaps.filter(({ missing }) => isGoneForGood(missing)).map(({ key }) => key);
  return { listed: list.rows, deliveries, gone: new Set([...(history?.gone ?? []), ...gone]) };
}

function growthOf(growth: Growth | undefined): Pick<DeliveryHistory, 'growth'> {
  return growth === undefined ? {} : { growth };
}

function createdOf(delivery: ListedDelivery, collected: Collected): Pick<DeliveryHistory, 'createdAt'> {
  const isKnown = collected.broadcasts.get(delivery.broadcast.id)?.broadcast !== undefined;
  return isKnown ? { createdAt: createdAtOf(delivery, collected) } : {};
}

/** What was noted before of a delivery, and what this digest adds. */
function notedOf(
  before: DeliveryHistory,
  found: Found<'recipients'> | undefined,
  inclusion: IncludedDelivery | undefined,
  start: string,
): DeliveryHistory {
  const { pending: wasPending, ...noted } = { listedAt: before.listedIn, ...before };
  const engagement = found?.engagement;
  // No run has read a first sign so far: what can be said of it is still to come.
  if (engagement === undefined) return { ...noted, ...flag('pending', wasPending ?? !isKnownToBeOlder(before)) };
  const { engaged, undated, before: earlier, inPeriod, seen, responded } = engagement;
  const counted = {
    engaged,
    undated,
    // Rows that vanish for a while were counted all the same: what comes back is not late.
    seen: Math.max(noted.counted?.seen ?? 0, earlier.seen + inPeriod.seen),
    responded: Math.max(noted.counted?.responded ?? 0, earlier.responded + inPeriod.responded),
  };
  if (inclusion === undefined) return { ...noted, counted, ...flag('pending', wasPending) };
  const { kind, stillCounting, judged, datesUnreadable } = inclusion;
  return {
    ...noted,
    counted,
    shown: true,
    ...flag('engaged', noted.engaged ?? seen + responded > 0),
    ...flag('new', noted.new ?? kind === 'new'),
    ...(kind === 'silent' && judged ? { namedIn: [...(noted.namedIn ?? []), start] } : {}),
    ...flag('pending', stillCounting || datesUnreadable),
  };
}

function flag<Name extends string>(name: Name, isSet: boolean | undefined): { [key in Name]?: true };
function flag(name: string, isSet: boolean | undefined): Record<string, true> {
  return isSet === true ? { [name]: true } : {};
}

/** Of the deliveries that nobody has engaged with and that are not named: those of unknown date, and those named often enough. */
export function findUnseen({ collected, included, bounds }: Reading): {
  unknownDate: ReadonlySet<string>;
  namedEnough: number;
} {
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
