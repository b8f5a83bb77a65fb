import type { JudgedBy, Need } from '../../domain/digest.ts';
import type { Growth } from '../../domain/editions.ts';
import { dayMs } from '../../domain/period.ts';
import { isGoneForGood } from '../../domain/reasons.ts';
import { isWantedStatus } from '../../domain/report-filter.ts';
import type { Engagement, ListedDelivery } from '../../ledger/runs/collections.ts';
import type { DeliveryHistory, History } from '../../ledger/runs/digests.ts';
import { createdAtOf } from '../collected.ts';
import { isNamedEnough, isWithinJudging, type IncludedDelivery, type Reading } from '../reading.ts';
import type { Gap } from './missing.ts';

const rememberedMs = 2 * 366 * dayMs;
/** Of more than so many, those that have not been listed for longest, or that asked first, are forgotten: a run's memory is limited. */
const mostRemembered = 100_000;

interface Findings extends Pick<History, 'list' | 'readings' | 'asking'> {
  /** The start of its period, as an instant with offset. */
  start: string;
  report: { statuses: string[] };
  unknownDate: ReadonlySet<string>;
  gaps: readonly Gap[];
  growths: ReadonlyMap<string, Growth>;
  judgedBy: ReadonlyMap<string, JudgedBy>;
  needs: readonly Need[];
}

/** What later digests have to know of this one, and of all before it. */
export function nextHistory(reading: Reading, findings: Findings): History {
  const { collected, included, bounds } = reading;
  const { wanted, others, recipients, history } = collected;
  const inclusions = new Map(included.map((inclusion) => [inclusion.delivery.id, inclusion]));
  const engagements = new Map(recipients.map(({ delivery, engagement }) => [delivery.id, engagement]));
  const remembered = [...(history?.deliveries ?? [])]
    .filter(([, { listedIn }]) => bounds.start - listedIn < rememberedMs)
    .toSorted(([, a], [, b]) => b.listedIn - a.listedIn);
  const deliveries = new Map(remembered.slice(0, mostRemembered));
  const needs = new Map(findings.needs.map(({ deliveries: [id = ''], seen, audience }) => [id, { seen, audience }]));
  for (const delivery of [...wanted, ...others]) {
    const { id } = delivery;
    const noted = noteDelivery(delivery, reading, findings);
    noteCounts(noted, engagements.get(id), bounds.start);
    noteInclusion(noted, inclusions.get(id), { ...findings, end: bounds.end });
    const need = needs.get(id);
    if (need !== undefined) noted.needed = { in: bounds.start, ...need };
    deliveries.set(id, noted);
  }
  const gone = findings.gaps.filter(({ missing }) => isGoneForGood(missing)).map(({ key }) => key);
  return {
    list: findings.list,
    readings: findings.readings,
    asking: findings.asking.slice(-mostRemembered),
    deliveries,
    gone: new Set([...(history?.gone ?? []), ...gone]),
  };
}

function noteDelivery(
  delivery: ListedDelivery,
  { collected, bounds }: Reading,
  { report, unknownDate, growths }: Findings,
): DeliveryHistory {
  const { id, broadcast, status } = delivery;
  const noted: DeliveryHistory = { ...collected.history?.deliveries.get(id), listedIn: bounds.start };
  delete noted.awaitsJudgement;
  if (isWantedStatus(status, report)) {
    noted.wantedAt ??= bounds.collectedAt;
    noted.wantedAs = status;
  }
  if (collected.broadcasts.get(broadcast.id)?.broadcast !== undefined)
    noted.createdAt = createdAtOf(delivery, collected);
  if (unknownDate.has(id)) noted.leftOut = true;
  const growth = growths.get(id);
  if (growth !== undefined) noted.growth = growth;
  return noted;
}

function noteCounts(noted: DeliveryHistory, engagement: Engagement | undefined, start: number): void {
  if (engagement === undefined) return;
  const { engaged, undated, before, inPeriod, firstSign } = engagement;
  noted.counted = {
    in: start,
    engaged,
    undated,
    inPeriod: { seen: inPeriod.seen, responded: inPeriod.responded },
    // Rows that vanish for a while were counted all the same: what comes back is not late.
    seen: Math.max(noted.counted?.seen ?? 0, before.seen + inPeriod.seen),
    responded: Math.max(noted.counted?.responded ?? 0, before.responded + inPeriod.responded),
  };
  if (firstSign !== null) noted.firstSign ??= firstSign;
}

function noteInclusion(
  noted: DeliveryHistory,
  inclusion: IncludedDelivery | undefined,
  { start, end, report, judgedBy }: Findings & { end: number },
): void {
  if (inclusion === undefined) return;
  const { delivery, kind, engagement } = inclusion;
  const isJudged = judgedBy.has(delivery.id);
  const firstSign = engagement?.firstSign ?? null;
  const isYoungEnough = kind === 'silent' || (firstSign !== null && isWithinJudging(firstSign, end));
  if (!noted.judged && !isJudged && isYoungEnough && isWantedStatus(delivery.status, report))
    noted.awaitsJudgement = true;
  if (engagement === undefined) return;
  noted.shown = true;
  if (engagement.engaged > 0) noted.engaged = true;
  if (kind === 'new') noted.new = true;
  if (!isJudged) return;
  if (kind === 'silent') noted.namedIn = [...(noted.namedIn ?? []), start];
  else noted.judged = true;
}

/** Of the deliveries that nobody has engaged with and that are not named: those of unknown date, and those named often enough. */
export function findUnseen(
  { collected, included, bounds }: Reading,
  report: { statuses: string[] },
): { unknownDate: ReadonlySet<string>; namedEnough: number } {
  const named = new Set(included.map(({ delivery }) => delivery.id));
  const unseen = collected.recipients.flatMap(({ delivery, engagement }) => {
    const isUnseen = engagement?.engaged === 0 && isWantedStatus(delivery.status, report);
    const isLater = (createdAtOf(delivery, collected) ?? bounds.start) >= bounds.end;
    return isUnseen && !isLater && !named.has(delivery.id) ? [delivery.id] : [];
  });
  const namedEnough = unseen.filter((id) => isNamedEnough(collected.history?.deliveries.get(id)));
  return { unknownDate: new Set(bounds.firstRun ? unseen : []), namedEnough: namedEnough.length };
}

/**
 * How every delivery grew that this collection or an earlier one read, by its id. What is on the list is counted anew.
 *
 * @param audienceOf how many people a delivery is for; `null` where the service contradicts itself, `undefined` where an
 *   earlier digest may know it
 */
export function growthsOf(
  { collected: { recipients, broadcasts, history }, bounds }: Reading,
  audienceOf: (delivery: string, listed: number) => number | null | undefined,
): ReadonlyMap<string, Growth> {
  const growths = new Map<string, Growth>();
  // The detail, which a run reads of some broadcasts alone, may have another name than the list: one broadcast has one.
  const detailName = (broadcast: string) => broadcasts.get(broadcast)?.broadcast?.name;
  for (const [id, { growth }] of history?.deliveries ?? []) {
    if (growth === undefined) continue;
    const { broadcast } = growth;
    growths.set(id, { ...growth, broadcast: { ...broadcast, name: detailName(broadcast.id) ?? broadcast.name } });
  }
  for (const { delivery, engagement, curve } of recipients) {
    if (engagement?.firstSign == null || engagement.firstSign >= bounds.end) continue;
    const { id, name } = delivery.broadcast;
    const audience = audienceOf(delivery.id, engagement.listed);
    const known = growths.get(delivery.id);
    growths.set(delivery.id, {
      broadcast: { id, name: detailName(id) ?? known?.broadcast.name ?? name },
      firstSign: engagement.firstSign,
      audience: audience === undefined ? (known?.audience ?? null) : audience,
      // Where too many dates cannot be read, what was known before stands, or nothing does: its edition is compared with none.
      curve: curve ?? known?.curve ?? [],
    });
  }
  return growths;
}
