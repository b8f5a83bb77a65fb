import type { Period } from '../../domain/period.ts';
import { isGoneForGood } from '../../domain/reasons.ts';
import type { Engagement, ListedDelivery } from '../../ledger/runs/collections.ts';
import type { Growth } from '../../domain/editions.ts';
import type { JudgedBy } from '../../domain/digest.ts';
import { isWantedStatus } from '../../domain/report-filter.ts';
import type { DeliveryHistory, History } from '../../ledger/runs/digests.ts';
import {
  createdAtOf,
  isNamedEnough,
  isWithinJudging,
  type Collected,
  type IncludedDelivery,
  type Reading,
} from '../reading.ts';
import type { Gap } from './missing.ts';

/** A delivery that is not listed for so long is forgotten. */
export const rememberedMs = 2 * 366 * 24 * 3_600_000;
/** Of more than so many, those that have not been listed for longest, or that asked first, are forgotten: a run's memory is limited. */
const mostRemembered = 100_000;

/** What a digest found that later ones have to know. */
interface Composed extends Pick<History, 'list' | 'readings' | 'asking'> {
  report: { statuses: string[] };
  unknownDate: ReadonlySet<string>;
  gaps: readonly Gap[];
  growths: ReadonlyMap<string, Growth>;
  judgedBy: ReadonlyMap<string, JudgedBy>;
}

/** What later digests have to know of this one, and of all before it. */
export function nextHistory(
  { collected, included, bounds }: Reading,
  { start }: Pick<Period, 'start'>,
  { list, readings, asking, report, unknownDate, gaps, growths, judgedBy }: Composed,
): History {
  const { wanted, others, recipients, history } = collected;
  const inclusions = new Map(included.map((inclusion) => [inclusion.found.delivery.id, inclusion]));
  const read = new Map(recipients.map((recipient) => [recipient.delivery.id, recipient]));
  const remembered = [...(history?.deliveries ?? [])]
    .filter(([, { listedIn }]) => bounds.start - listedIn < rememberedMs)
    .toSorted(([, a], [, b]) => b.listedIn - a.listedIn);
  const deliveries = new Map(remembered.slice(0, mostRemembered));
  /** Whether a delivery that the digest shows is still to be judged: it was not, and is not too old. */
  const awaitsJudgement = (delivery: ListedDelivery, { judged }: Partial<DeliveryHistory>): boolean => {
    const { kind, found } = inclusions.get(delivery.id) ?? {};
    if (found === undefined || judged || judgedBy.has(delivery.id)) return false;
    const firstSign = found.engagement?.firstSign ?? null;
    const isYoungEnough = firstSign !== null && isWithinJudging(firstSign, bounds.end);
    return isWantedStatus(delivery.status, report) && (kind === 'silent' || isYoungEnough);
  };
  const noteDelivery = (delivery: ListedDelivery): DeliveryHistory => {
    const { id } = delivery;
    const { awaitsJudgement: _awaited, ...before }: Partial<DeliveryHistory> = history?.deliveries.get(id) ?? {};
    return {
      ...before,
      listedIn: bounds.start,
      ...(isWantedStatus(delivery.status, report)
        ? { wantedAt: before.wantedAt ?? bounds.collectedAt, wantedAs: delivery.status }
        : {}),
      ...countedOf(before, read.get(id)?.engagement, bounds.start),
      ...shownOf(before, inclusions.get(id), { start, judgedBy: judgedBy.get(id) }),
      ...flag('awaitsJudgement', awaitsJudgement(delivery, before)),
      ...createdOf(delivery, collected),
      ...(unknownDate.has(id) ? { leftOut: true } : {}),
      ...growthOf(growths.get(id)),
    };
  };
  for (const delivery of [...wanted, ...others]) deliveries.set(delivery.id, noteDelivery(delivery));
  const gone = gaps.filter(({ missing }) => isGoneForGood(missing)).map(({ key }) => key);
  return {
    list,
    readings,
    asking: asking.slice(-mostRemembered),
    deliveries,
    gone: new Set([...(history?.gone ?? []), ...gone]),
  };
}

function growthOf(growth: Growth | undefined): Pick<DeliveryHistory, 'growth'> {
  return growth === undefined ? {} : { growth };
}

function createdOf(delivery: ListedDelivery, collected: Collected): Pick<DeliveryHistory, 'createdAt'> {
  const isKnown = collected.broadcasts.get(delivery.broadcast.id)?.broadcast !== undefined;
  return isKnown ? { createdAt: createdAtOf(delivery, collected) } : {};
}

/** What runs counted of a delivery, this one included. */
function countedOf(
  { counted, firstSign }: Partial<DeliveryHistory>,
  engagement: Engagement | undefined,
  start: number,
): Pick<DeliveryHistory, 'counted' | 'firstSign'> {
  if (engagement === undefined) return {};
  const { engaged, undated, before, inPeriod } = engagement;
  const sign = firstSign ?? engagement.firstSign;
  return {
    counted: {
      in: start,
      engaged,
      undated,
      inPeriod: { seen: inPeriod.seen, responded: inPeriod.responded },
      // Rows that vanish for a while were counted all the same: what comes back is not late.
      seen: Math.max(counted?.seen ?? 0, before.seen + inPeriod.seen),
      responded: Math.max(counted?.responded ?? 0, before.responded + inPeriod.responded),
    },
    ...(sign === null ? {} : { firstSign: sign }),
  };
}

/** What digests said of a delivery, this one included. */
function shownOf(
  before: Partial<DeliveryHistory>,
  inclusion: IncludedDelivery | undefined,
  { start, judgedBy }: { start: string; judgedBy: JudgedBy | undefined },
): Partial<DeliveryHistory> {
  const { found, kind } = inclusion ?? {};
  if (found?.engagement === undefined) return {};
  const isNamed = kind === 'silent' && judgedBy !== undefined;
  return {
    shown: true,
    ...flag('engaged', before.engaged ?? found.engagement.engaged > 0),
    ...flag('new', before.new ?? kind === 'new'),
    ...(isNamed ? { namedIn: [...(before.namedIn ?? []), start] } : {}),
    ...flag('judged', before.judged ?? (kind !== 'silent' && judgedBy !== undefined)),
  };
}

function flag<Name extends string>(name: Name, isSet: boolean | undefined): { [key in Name]?: true };
function flag(name: string, isSet: boolean | undefined): Record<string, true> {
  return isSet === true ? { [name]: true } : {};
}

/** Of the deliveries that nobody has engaged with and that are not named: those of unknown date, and those named often enough. */
export function findUnseen(
  { collected, included, bounds }: Reading,
  report: { statuses: string[] },
): { unknownDate: ReadonlySet<string>; namedEnough: number } {
  const named = new Set(included.map(({ found }) => found.delivery.id));
  const unseen = collected.recipients.flatMap(({ delivery, engagement }) => {
    const isUnseen = engagement?.engaged === 0 && isWantedStatus(delivery.status, report);
    const isLater = (createdAtOf(delivery, collected) ?? bounds.start) >= bounds.end;
    return isUnseen && !isLater && !named.has(delivery.id) ? [delivery.id] : [];
  });
  const namedEnough = unseen.filter((id) => isNamedEnough(collected.history?.deliveries.get(id)));
  return { unknownDate: new Set(bounds.firstRun ? unseen : []), namedEnough: namedEnough.length };
}
