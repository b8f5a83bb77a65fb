import type { Digest, Missing, Need } from '../../../../functions/domain/digest.ts';
import { gapsOf, groupKey, inPeriodOf } from '../groups.ts';
import type { KnownDelivery } from '../included.ts';
import type { Known } from '../known.ts';
import { missingKey } from '../lists.ts';
import { rateOf, type Counted } from '../rows.ts';
import { differencesOf, isOneOf } from './differences.ts';

/** In what a digest differs from what is known. */
export function faultsOfDigest(known: Known, digest: Digest): string[] {
  const deliveries = new Map(known.deliveries.map((delivery) => [delivery.id, deliveryOf(delivery)]));
  const actual = new Map(digest.deliveries.map((delivery) => [delivery.id, delivery]));
  const broadcasts = new Map(digest.broadcasts.map((broadcast) => [groupKey(broadcast), broadcast]));
  return [
    ...differencesOf(digestOf(known), digest, 'digest'),
    ...differencesOf(deliveries, actual, 'digest.deliveries'),
    ...faultsOfMissing(known, digest.missing),
    ...differencesOf(known.groups, broadcasts, 'digest.broadcasts'),
    ...(broadcasts.size === digest.broadcasts.length
      ? []
      : ['digest.broadcasts: one broadcast and kind is there twice']),
    ...differencesOf(byDeliveries(known.needs), byDeliveries(digest.needs), 'digest.needs'),
  ];
}

function byDeliveries(needs: readonly Need[]): Map<string, object> {
  return new Map(needs.map(({ deliveries, ...need }) => [deliveries.toSorted().join(), need]));
}

function digestOf(known: Known): object {
  const { account, deliveries, late, unknownDate, unseenNotNamed, otherStatuses, left } = known;
  const { only, except, minimumGroup } = account;
  const judgements = deliveries.flatMap(({ judgedBy }) => judgedBy ?? []);
  return {
    schemaVersion: 4,
    only,
    except,
    minimumGroup,
    totals: comparedOf(known),
    trend: known.trend.map(({ start, figures }) => {
      const { deliveries: _deliveries, ...shown } = figures ?? nothing;
      return { ...shown, start, complete: figures !== null };
    }),
    late,
    unknownDate: unknownDate.length,
    unseenNotNamed: unseenNotNamed.length,
    otherStatuses,
    judged: { of: judgements.length, deliveries: judgements.filter((by) => by !== 'nothing').length },
    left: { deliveries: left.deliveries, unjudged: left.unjudged, isOld: left.isOld },
  };
}

const nothing = { deliveries: null, broadcasts: null, seen: null, responded: null, asked: null, responseRate: null };

function comparedOf({ totals, previous, uncompared, undated }: Known): object {
  const { reasons = [], lacking = null } = uncompared ?? {};
  return {
    ...(totals ?? nothing),
    undated,
    previous,
    comparison: {
      basis: uncompared === null ? 'kept' : 'none',
      reason: (actual: unknown) => (uncompared === null ? actual === null : reasons.some((word) => word === actual)),
      lacking,
    },
    unavailable: totals === null ? { reason: 'incomplete' } : null,
  };
}

function deliveryOf(delivery: KnownDelivery): object {
  const { status, kind, broadcast, firstSign, stillCounting, counted, reach, contents, isUndatable } = delivery;
  const { audience, engaged, untouched, judgedBy } = delivery;
  const { id, name, createdAt, createdBy } = broadcast;
  return {
    status,
    kind,
    broadcast: { id, name, createdAt, createdBy },
    firstSign,
    stillCounting,
    audience,
    engaged,
    untouched,
    judgedBy,
    ...figuresOf(counted, inPeriodOf(delivery, counted)),
    reach,
    contents: contents?.map((content) => itemOf(content, isUndatable)) ?? null,
    unavailable: isOneOf(gapsOf(delivery)),
  };
}

function itemOf(content: NonNullable<KnownDelivery['contents']>[number], isUndatable: boolean): object {
  const { id, type, counted, reach, ratings, gap } = content;
  return {
    id,
    type,
    ...figuresOf(counted, isUndatable ? null : (counted?.inPeriod ?? null)),
    reach,
    ratings: ratings && { ...ratings, unreadable: ratings.unreadable || null },
    unavailable: isOneOf(gap === null ? [] : [gap]),
  };
}

function figuresOf(counted: Counted | null, inPeriod: Counted['inPeriod']): object {
  const lacking = counted?.rows.filter(({ saysSeen, saysResponded }) => !saysSeen && !saysResponded) ?? [];
  return {
    listed: counted?.listed ?? null,
    seen: counted?.seen ?? null,
    responded: counted?.responded ?? null,
    answered: counted?.answered ?? null,
    responseRate: counted && rateOf(counted),
    inPeriod,
    undated: counted?.undated ?? 0,
    lackingFields: lacking.length || null,
  };
}

/** Each gap is named with one of its true reasons, and nothing else is. */
function faultsOfMissing(known: Known, missing: readonly Missing[]): string[] {
  const named = new Map(missing.map((thing) => [keyOf(thing), thing]));
  const keys = new Set([...known.missing.keys(), ...named.keys()]);
  return [...keys].flatMap((key) => {
    const { reason, status } = named.get(key) ?? {};
    const gaps = known.missing.get(key) ?? [];
    const isRight = gaps.length > 0 && reason !== undefined && isOneOf(gaps)({ reason, status });
    const expected = gaps.map((gap) => gap.reason).join(' or ') || 'nothing';
    return isRight ? [] : [`digest.missing ${key}: expected ${expected}, found ${reason ?? 'nothing'} ${status ?? ''}`];
  });
}

function keyOf({ what, ...ids }: Missing): string {
  if (what === 'delivery') return missingKey(what, ids.delivery ?? '');
  const parts = what === 'content' || what === 'ratings' ? [ids.delivery, ids.content] : [ids.broadcast];
  return missingKey(what, ...parts.filter((id) => id !== undefined));
}
