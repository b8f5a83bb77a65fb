import { broadcastKey } from '../../domain/broadcasts.ts';
import { agesInHours } from '../../domain/curve.ts';
import type { DigestDelivery, JudgedBy, Need } from '../../domain/digest.ts';
import { atAgeOf, usualOf, type Edition } from '../../domain/editions.ts';
import { sumOf } from '../../domain/figures.ts';
import { areTooFew } from '../../domain/judging.ts';
import { hourMs } from '../../domain/period.ts';
import type { Reading } from '../reading.ts';

interface Standards {
  minimumGroup: number;
  settleHours: number;
  /** By the delivery's id. */
  editions: ReadonlyMap<string, Edition>;
  /** How many deliveries of a broadcast the list has that were ever delivered. */
  listedDeliveries: (broadcastId: string) => number;
}

type Judging = ReturnType<typeof judgingOf>;

interface Judgement {
  by: JudgedBy;
  need: Pick<Need, 'reason' | 'usual'> | null;
}

type Needy = Pick<Need, 'reason' | 'usual'> & { delivery: DigestDelivery };

/**
 * Judges like with like, each delivery once a report: what nobody has seen, by rule; an edition with a usual as a whole; else each
 * delivery against half of its audience. Where nothing is alike, or the audience is not known or a small group, it is due and
 * judged by nothing. One broadcast is named once, with the delivery that has most people untouched.
 */
export function judgeDeliveries(
  deliveries: readonly DigestDelivery[],
  reading: Reading,
  standards: Standards,
): { judgedBy: ReadonlyMap<string, JudgedBy>; needs: Need[] } {
  const judging = judgingOf(reading, standards);
  const judgedBy = new Map<string, JudgedBy>();
  const needy: Needy[] = [];
  for (const delivery of deliveries) {
    const judgement = judging.due.has(delivery.id) ? judgeDelivery(delivery, judging) : null;
    if (judgement === null) continue;
    judgedBy.set(delivery.id, judgement.by);
    if (judgement.need !== null) needy.push({ delivery, ...judgement.need });
  }
  const { history } = reading.collected;
  const timesNamed = (id: string): number => history?.deliveries.get(id)?.namedIn?.length ?? 0;
  return { judgedBy, needs: needsOf(needy, { ...standards, timesNamed }) };
}

function judgingOf({ collected, included, bounds }: Reading, standards: Standards) {
  const engaged = new Map<string, number>();
  const seenBroadcasts = new Set<string>();
  for (const { delivery, engagement } of collected.recipients) {
    if (engagement === undefined) continue;
    engaged.set(delivery.id, engagement.engaged);
    if (engagement.engaged > 0) seenBroadcasts.add(delivery.broadcast.id);
  }
  return {
    ...standards,
    end: bounds.end,
    /** The deliveries whose judgement falls due. */
    due: new Set(included.filter(({ isDue }) => isDue).map(({ delivery }) => delivery.id)),
    /** Rows of every list that was read, by the delivery: who saw it or responded. */
    engaged,
    isSeenElsewhere: (broadcastId: string): boolean => broadcastId !== '' && seenBroadcasts.has(broadcastId),
  };
}

/** `null` where its judgement is not due after all: it is for nobody, or the edition that it is of is still counting. */
function judgeDelivery(delivery: DigestDelivery, judging: Judging): Judgement | null {
  const { kind, audience, engaged } = delivery;
  const nothing: Judgement = { by: 'nothing', need: null };
  if (kind === 'silent') {
    if (audience === 0) return null;
    const isSmall = audience !== null && audience < judging.minimumGroup;
    // A list of those who engaged is empty, or it is none; and a row with neither date says nothing.
    const isUnclear = (delivery.reach === null && delivery.listed !== 0) || delivery.lackingFields !== undefined;
    if (isSmall || isUnclear || (audience === null && judging.isSeenElsewhere(delivery.broadcast.id))) return nothing;
    return { by: 'silence', need: { reason: 'unseen', usual: null } };
  }
  const edition = judging.editions.get(delivery.id);
  const standing = edition && standingOf(edition, judging);
  if (edition !== undefined && standing) {
    if (judging.end - edition.lastSign < judging.settleHours * hourMs) return null;
    const { reached, usual, seenAtAge } = standing;
    const isLow = areTooFew(reached, { share: usual.share, seenAtAge }, judging.minimumGroup);
    if (isLow === null) return nothing;
    return { by: 'usual', need: isLow ? { reason: 'too-few', usual } : null };
  }
  const isLow = areTooFew({ audience, engaged: engaged ?? 0 }, null, judging.minimumGroup);
  if (isLow === null) return nothing;
  return { by: 'half', need: isLow ? { reason: 'too-few', usual: null } : null };
}

/** What is usual of an edition at the oldest age within `settleHours`, and what it reached; `null` where that is not known of all of it. */
function standingOf(edition: Edition, { settleHours, engaged }: Judging) {
  const hours = agesInHours.findLast((age) => age <= settleHours && atAgeOf(edition, age) !== null);
  const usual = hours === undefined ? null : usualOf(edition, hours);
  if (hours === undefined || usual === null) return null;
  const engagedNow = sumOf(edition.deliveries.map((id) => engaged.get(id) ?? null));
  if (engagedNow === null) return null;
  return {
    reached: { audience: edition.audience, engaged: engagedNow },
    usual: { share: usual.share, hours, editions: usual.editions.length },
    seenAtAge: atAgeOf(edition, hours)?.seen ?? 0,
  };
}

/**
 * A row for each broadcast that needs somebody, most untouched people first and those of unknown audience last, with the counts
 * of the delivery that has most of them. The broadcasts of an edition that is judged as a whole are named once.
 */
export function needsOf(
  needy: readonly Needy[],
  facts: Pick<Standards, 'editions' | 'listedDeliveries'> & {
    /** How many earlier digests named a delivery as seen by nobody. */
    timesNamed: (deliveryId: string) => number;
  },
): Need[] {
  const { editions, listedDeliveries, timesNamed } = facts;
  const named = new Set<string>();
  return needy
    .toSorted((a, b) => (b.delivery.untouched ?? -1) - (a.delivery.untouched ?? -1))
    .flatMap(({ delivery, reason, usual }) => {
      const { id, broadcast, seen, audience, untouched } = delivery;
      const keys = [broadcast.id || id, ...(usual === null ? [] : (editions.get(id)?.deliveries ?? []))];
      if (keys.some((name) => named.has(name))) return [];
      for (const name of keys) named.add(name);
      const key = broadcastKey(delivery);
      const alike = needy.filter((other) => other.reason === reason && broadcastKey(other.delivery) === key);
      const deliveries = [...new Set([id, ...alike.map((other) => other.delivery.id)])];
      const listed = broadcast.id === '' ? 1 : listedDeliveries(broadcast.id);
      return {
        reason,
        deliveries,
        listedDeliveries: listed,
        seen: seen ?? 0,
        audience,
        // A second delivery of a broadcast may be its reminder.
        untouched: reason === 'too-few' && listed === 1 ? untouched : null,
        usual,
        timesNamed: reason === 'unseen' ? Math.max(...deliveries.map(timesNamed)) : 0,
      };
    });
}
