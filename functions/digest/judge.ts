import { countsAt } from '../domain/facts.ts';
import { dayMs, instantText } from '../domain/period.ts';
import {
  broadcastOf,
  engagedBy,
  reachedBy,
  reachedNow,
  saysViews,
  whyUnavailable,
  type Composing,
  type Delivery,
  type DigestOptions,
} from './deliveries.ts';
import type { Standing } from './rows.ts';
import { areEnough, sumOf } from './figures.ts';
import type { Digest, Need } from './schema.ts';
import { usualIn, type Usual } from './usual.ts';

/** Limits of digests. Of many deliveries of a broadcast some are always lower by chance. */
const digestLimits = { belowUsual: 0.75, belowUsualOfMany: 0.5, belowShare: 0.2, belowFewest: 0.5 };
const many = 4;
/** So many people fewer than usual are worth a word, or so many who did nothing where nothing is usual: fewer may be chance. */
const fewestPeople = 10;
/** Of deliveries of unknown audience so many, and one in so many of those that began together, are unseen. */
const unseenTogether = { deliveries: 3, inDeliveries: 5 };
/** So many broadcasts, and more than half of the deliveries that are judged, are a season. */
const fewestOfSeason = 3;
/** After so many digests a need is mentioned for the last time. */
const mostStill = 3;
/** What the first observation of all found unseen is judged only if it was created so shortly before. */
const daysBeforeFirst = 14;

/** A delivery beside the broadcast that it is of. */
interface Placed {
  delivery: Delivery;
  standing: Standing;
}

/** What was found of one delivery: its share or its views are low, or not; or nobody has seen it. */
interface Verdict extends Placed {
  by: 'silence' | 'share' | 'views';
  isLow: boolean;
  usual: number | null;
  fewest: number | null;
}

/** Judges each delivery that is due by itself: what needs somebody, what could not be judged, and what became of earlier needs. */
export function judge(standings: readonly Standing[], composing: Composing) {
  const { account, endMs, options } = composing;
  const placed = standings.flatMap((standing) => standing.deliveries.map((delivery) => ({ delivery, standing })));
  const isKnown = ({ delivery }: Placed): boolean => whyUnavailable(delivery, account, endMs) === null;
  const isDue = dueIn(composing);
  const due = placed.filter(({ delivery }) => isDue(delivery));
  const usual = usualIn(composing);
  const verdicts = due.filter(isKnown).flatMap((one) => verdictOn(one, usual, options) ?? []);
  const season = options.warningOf === undefined ? seasonOf(verdicts, endMs) : null;
  const low = verdicts.filter(({ isLow, by }) => isLow && (season === null || by !== 'share'));
  const { still, since } = followUp(placed.filter(isKnown), composing);
  const unjudged = due.filter((one) => !isKnown(one)).map(({ delivery }) => delivery.id);
  return { needs: [...needsOf(low, composing), ...still], season, since, unjudged: unjudged.toSorted() };
}

/** Whether this digest is the one that judges a delivery: the first whose end finds it of age, and that knows it. */
function dueIn({ before, precedingStartMs, endMs, ofAgeMs }: Composing): (delivery: Delivery) => boolean {
  const unjudged = new Set(before?.unjudged);
  const [endBefore, readBefore] = [Date.parse(before?.period.end ?? ''), Date.parse(before?.readAt ?? '')];
  return (delivery) => {
    const { facts, wantedMs, id } = delivery;
    const { firstListedMs, unlistedMs, firstSign, broadcast } = facts;
    const atMs = ofAgeMs(delivery);
    if (wantedMs === null || atMs > endMs || atMs < precedingStartMs) return false;
    const isFirst = unlistedMs === null && wantedMs === firstListedMs;
    const isFoundUnseen = isFirst && (firstSign === null || firstSign.readMs > firstListedMs);
    if (isFoundUnseen && (broadcast.createdMs ?? -Infinity) < firstListedMs - daysBeforeFirst * dayMs) return false;
    return before === null || atMs > endBefore || unjudged.has(id) || firstListedMs > readBefore;
  };
}

/** `null` where nothing can be said: it is for nobody, for too few, like nothing, or its rows do not say what they did. */
function verdictOn(placed: Placed, usual: Usual, { minimumGroup, warningOf: limits }: DigestOptions): Verdict | null {
  const { delivery, standing } = placed;
  const { list, audience, isLater } = delivery;
  if (list === null || audience === 0) return null;
  const verdict = { ...placed, usual: null, fewest: null };
  const reached = reachedNow(list);
  if (reached === 0) {
    const isSaid = (list.lacking?.neither ?? 0) === 0 && isNamedUnseen(placed, minimumGroup);
    return isSaid ? { ...verdict, by: 'silence', isLow: true } : null;
  }
  if (isLater) return null;
  if (audience === null) {
    const fewest = limits === undefined ? usual.fewestViewsFor(delivery) : null;
    const limit = limits?.belowViews ?? (fewest && fewest * digestLimits.belowFewest);
    if (limit === null || !saysViews(list)) return null;
    return { ...verdict, by: 'views', isLow: isBelow(engagedBy(list, Infinity).seen, limit), fewest };
  }
  if (!areEnough(audience, minimumGroup)) return null;
  const share = usual.shareFor(delivery, audience);
  const limit = limitOf(share, standing, limits);
  const expected = audience * (limits === undefined ? (share ?? 1) : 1);
  const isLow = limit !== null && expected - reached >= fewestPeople && isBelow(reached, limit * audience);
  return { ...verdict, by: 'share', isLow, usual: share };
}

/** The share below which a delivery has too few; `null` where there is none. */
function limitOf(usual: number | null, { deliveries }: Standing, limits: DigestOptions['warningOf']): number | null {
  const together = deliveries.filter(({ isLater }) => !isLater).length;
  const { belowShare } = digestLimits;
  const belowUsual = together < many ? digestLimits.belowUsual : digestLimits.belowUsualOfMany;
  const { belowUsual: part, belowShare: share = null } = limits ?? { belowUsual, belowShare };
  // A place where little is usual is not named again and again.
  return usual === null || part === undefined ? share : part * usual;
}

/** At a limit is not below it; compared in millionths, because 0.55 × 100 is a little more than 55. */
function isBelow(count: number, limit: number): boolean {
  return Math.round(count * 1e6) < Math.round(limit * 1e6);
}

const isUnseen = ({ list }: Delivery): boolean => list !== null && reachedNow(list) === 0;

/** Whether it is said of a delivery that nobody has seen it. */
function isNamedUnseen({ delivery: { audience }, standing: { deliveries } }: Placed, minimumGroup: number): boolean {
  if (deliveries.every(isUnseen) || (audience !== null && areEnough(audience, minimumGroup))) return true;
  if (audience !== null) return false;
  // A single one may be for somebody who is new.
  const together = deliveries.filter(({ isLater }) => !isLater);
  const unseen = together.filter(isUnseen).length;
  return unseen >= unseenTogether.deliveries && unseen * unseenTogether.inDeliveries >= together.length;
}

/** What deliveries have by an instant, together. */
function countsOf(deliveries: readonly Delivery[], endMs: number): Pick<Need, 'seen' | 'reached' | 'audience'> {
  const lists = deliveries.flatMap(({ list }) => list ?? []);
  return {
    seen: sumOf(lists.map((list) => (saysViews(list) ? countsAt(list.moments, endMs).seen : null))),
    reached: lists.reduce((sum, list) => sum + reachedBy(list, endMs), 0),
    audience: sumOf(deliveries.map(({ audience }) => audience)),
  };
}

/** How many people to remind; `null` where that is not known, or several deliveries may be for the same ones. */
function toRemindOf({ audience, reached }: Pick<Need, 'audience' | 'reached'>, ofDeliveries: number): number | null {
  return ofDeliveries === 1 && audience !== null ? audience - reached : null;
}

/** The usual share of deliveries together. */
function usualOf(verdicts: readonly Verdict[]): number | null {
  const expected = sumOf(verdicts.map(({ usual, delivery }) => usual && usual * (delivery.audience ?? 0)));
  const audience = sumOf(verdicts.map(({ delivery }) => delivery.audience));
  return expected === null || !audience ? null : expected / audience;
}

const missing = ({ audience, reached }: Need): number => (audience ?? 0) - reached;

const deliveriesOf = (placed: readonly Placed[]): Delivery[] => placed.map(({ delivery }) => delivery);

/** A broadcast is named once for each reason, with all of its low deliveries; most people first, unknown audiences last. */
function needsOf(low: readonly Verdict[], { endMs, options }: Composing): Need[] {
  const groups = Map.groupBy(low, ({ by, delivery }) => `${by === 'silence'} ${delivery.key}`);
  const needs = [...groups.values()].flatMap((group): Need[] => {
    const [first] = group;
    if (first === undefined) return [];
    const { by, standing, fewest } = first;
    const { id, name, createdMs } = broadcastOf(standing.deliveries);
    const dateMs = standing.firstMs ?? createdMs;
    const ofDeliveries = standing.deliveries.length;
    const counts = countsOf(deliveriesOf(group), endMs);
    return [
      {
        reason: by === 'silence' ? 'unseen' : 'too-few',
        broadcast: { id, name, ...(dateMs === null ? {} : { date: instantText(dateMs, options.period.timeZone) }) },
        deliveries: group.map(({ delivery }) => delivery.id).toSorted(),
        ofDeliveries,
        ...counts,
        usual: usualOf(group),
        fewest,
        toRemind: toRemindOf(counts, ofDeliveries),
        timesNamed: 0,
        isLastMention: false,
      },
    ];
  });
  return needs.toSorted((a, b) => missing(b) - missing(a));
}

/** Where most of what is judged is low, a quiet month is said once. */
function seasonOf(verdicts: readonly Verdict[], endMs: number): Digest['season'] {
  const judged = verdicts.filter(({ by }) => by === 'share');
  const low = judged.filter(({ isLow }) => isLow);
  const broadcasts = new Set(low.map(({ delivery }) => delivery.key));
  if (broadcasts.size < fewestOfSeason || low.length * 2 <= judged.length) return null;
  const { reached, audience } = countsOf(deliveriesOf(low), endMs);
  return { deliveries: low.length, judged: judged.length, reached, audience: audience ?? 0, usual: usualOf(low) };
}

/** What became of what the digest before named: it is as it was, and is named again, or it is not. */
function followUp(known: readonly Placed[], { before, endMs }: Composing): Pick<Digest, 'since'> & { still: Need[] } {
  const byId = new Map(deliveriesOf(known).map((delivery) => [delivery.id, delivery]));
  const [still, since]: [Need[], Digest['since']] = [[], []];
  for (const need of before?.needs ?? []) {
    const { reason, broadcast, deliveries, ofDeliveries, seen, reached, audience } = need;
    const found = deliveries.flatMap((id) => byId.get(id) ?? []);
    const now = found.length === deliveries.length ? countsOf(found, endMs) : null;
    if (now === null || now.reached !== reached || now.seen !== seen) {
      since.push({ reason, broadcast, deliveries, ofDeliveries, before: { seen, reached, audience }, now });
    } else if (!need.isLastMention && countsOf(found, Infinity).reached === reached) {
      const timesNamed = need.timesNamed + 1;
      const toRemind = toRemindOf(now, ofDeliveries);
      still.push({ ...need, ...now, toRemind, timesNamed, isLastMention: timesNamed === mostStill });
    }
  }
  return { still, since };
}
