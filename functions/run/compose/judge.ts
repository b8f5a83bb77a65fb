import { atAgeOf, type Edition, type Editions } from '../../domain/editions.ts';
import type { DigestDelivery, JudgedBy, Need } from '../../domain/digest.ts';
import { areTooFew } from '../../domain/judging.ts';
import { agesInHours } from '../../domain/curve.ts';

/** What a delivery is judged by, beside what the digest says of it. */
export interface JudgingFacts {
  minimumGroup: number;
  settleHours: number;
  /** The end of the digest's period, in epoch milliseconds. */
  end: number;
  /** The deliveries whose judgement falls due. */
  due: ReadonlySet<string>;
  editions: Editions;
  /** Rows of every list that was read, by the delivery: who saw it or responded. */
  engaged: ReadonlyMap<string, number>;
  /** How many deliveries of a broadcast the list has that were ever delivered. */
  listedDeliveries: (broadcastId: string) => number;
  /** Whether somebody has engaged with another delivery of a broadcast. */
  isSeenElsewhere: (broadcastId: string) => boolean;
  /** How many earlier digests named a delivery as seen by nobody. */
  timesNamed: (deliveryId: string) => number;
}

/** What a digest judges: of each delivery that is due by what, and which broadcasts need somebody, most untouched people first. */
export interface Judgements {
  judgedBy: ReadonlyMap<string, JudgedBy>;
  needs: Need[];
}

/** What is held against something, and the need that this shows. */
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
export function judgeDeliveries(deliveries: readonly DigestDelivery[], facts: JudgingFacts): Judgements {
  const judgedBy = new Map<string, JudgedBy>();
  const needy: Needy[] = [];
  for (const delivery of deliveries) {
    const judgement = facts.due.has(delivery.id) ? judgeDelivery(delivery, facts) : null;
    if (judgement === null) continue;
    judgedBy.set(delivery.id, judgement.by);
    if (judgement.need !== null) needy.push({ delivery, ...judgement.need });
  }
  return { judgedBy, needs: needsOf(needy, facts) };
}

/** `null` where its judgement is not due after all: it is for nobody, or the edition that it is of is still counting. */
function judgeDelivery(delivery: DigestDelivery, facts: JudgingFacts): Judgement | null {
  const { kind, audience, engaged } = delivery;
  const nothing: Judgement = { by: 'nothing', need: null };
  if (kind === 'silent') {
    if (audience === 0) return null;
    const isSmall = audience !== null && audience < facts.minimumGroup;
    // A list of those who engaged is empty, or it is none; and a row with neither date says nothing.
    const isUnclear = (delivery.reach === null && delivery.listed !== 0) || delivery.lackingFields !== undefined;
    if (isSmall || isUnclear || (audience === null && facts.isSeenElsewhere(delivery.broadcast.id))) return nothing;
    return { by: 'silence', need: { reason: 'unseen', usual: null } };
  }
  const edition = facts.editions.of(delivery.id);
  const ofEdition = edition && usualOf(edition, facts);
  if (edition !== null && ofEdition) {
    if (facts.end - edition.lastSign < facts.settleHours * hourMs) return null;
    const { reached, usual, seenAtAge } = ofEdition;
    const isLow = areTooFew(reached, { share: usual.share, seenAtAge }, facts.minimumGroup);
    if (isLow === null) return nothing;
    return { by: 'usual', need: isLow ? { reason: 'too-few', usual } : null };
  }
  const isLow = areTooFew({ audience, engaged: engaged ?? 0 }, null, facts.minimumGroup);
  if (isLow === null) return nothing;
  return { by: 'half', need: isLow ? { reason: 'too-few', usual: null } : null };
}

const hourMs = 3_600_000;

/** What is usual of an edition at the oldest age within `settleHours`, and what it reached; `null` where that is not known of all of it. */
function usualOf(edition: Edition, { settleHours, editions, engaged }: JudgingFacts) {
  const hours = agesInHours.findLast((age) => age <= settleHours && atAgeOf(edition, age) !== null);
  const usual = hours === undefined ? null : editions.usualOf(edition, hours);
  if (hours === undefined || usual === null) return null;
  const counts = edition.deliveries.map((id) => engaged.get(id));
  if (counts.includes(undefined)) return null;
  return {
    reached: { audience: edition.audience, engaged: counts.reduce<number>((sum, count) => sum + (count ?? 0), 0) },
    usual: { share: usual.share, hours, editions: usual.editions.length },
    seenAtAge: atAgeOf(edition, hours)?.seen ?? 0,
  };
}

/**
 * A row for each broadcast that needs somebody, most untouched people first, with the counts of the delivery that has most of them.
 * The broadcasts of an edition that is judged as a whole are named once.
 */
export function needsOf(
  needy: readonly Needy[],
  facts: Pick<JudgingFacts, 'editions' | 'listedDeliveries' | 'timesNamed'>,
): Need[] {
  const named = new Set<string>();
  return needy
    .toSorted((one, other) => untouchedOf(other.delivery) - untouchedOf(one.delivery))
    .flatMap(({ delivery, reason, usual }) => {
      const { id, broadcast, seen, audience, untouched } = delivery;
      const keys = [broadcast.id || id, ...(usual === null ? [] : (facts.editions.of(id)?.deliveries ?? []))];
      if (keys.some((key) => named.has(key))) return [];
      for (const key of keys) named.add(key);
      const alike = needy.filter((other) => other.reason === reason && isOfSame(other.delivery, delivery));
      const deliveries = [id, ...alike.map((other) => other.delivery.id).filter((other) => other !== id)];
      const listedDeliveries = broadcast.id === '' ? 1 : facts.listedDeliveries(broadcast.id);
      return {
        reason,
        deliveries,
        listedDeliveries,
        seen: seen ?? 0,
        audience,
        // A second delivery of a broadcast may be its reminder.
        untouched: reason === 'too-few' && listedDeliveries === 1 ? untouched : null,
        usual,
        timesNamed: reason === 'unseen' ? Math.max(...deliveries.map((delivery) => facts.timesNamed(delivery))) : 0,
      };
    });
}

/** A delivery without a broadcast's id cannot be said to belong to another. */
function isOfSame(one: DigestDelivery, other: DigestDelivery): boolean {
  return one.broadcast.id === other.broadcast.id && (one.broadcast.id !== '' || one.id === other.id);
}

/** Most people not reached first; what is for nobody knows how many comes last. */
function untouchedOf({ untouched }: DigestDelivery): number {
  return untouched ?? -1;
}
