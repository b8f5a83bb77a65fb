import type { Digest, Missing } from '../../../../functions/domain/digest.ts';
import type { Account } from '../../accounts/account.ts';
import { listedNameOf } from '../broadcasts.ts';
import { gapsOf, inPeriodOf } from '../groups.ts';
import type { KnownDelivery } from '../included.ts';
import type { Known } from '../known.ts';
import { missingKey, type Gap } from '../lists.ts';
import { rateOf, type Counted } from '../rows.ts';
import { faultsOfBroadcasts } from './broadcasts.ts';
import { differencesOf, isInstant, isOneOf } from './differences.ts';

/** In what a digest differs from what is known. */
export function faultsOfDigest(known: Known, digest: Digest): string[] {
  const deliveries = new Map(known.deliveries.map((delivery) => [delivery.id, deliveryOf(delivery)]));
  const actual = new Map(digest.deliveries.map((delivery) => [delivery.id, delivery]));
  return [
    ...differencesOf(digestOf(known), digest, 'digest'),
    ...differencesOf(deliveries, actual, 'digest.deliveries'),
    ...faultsOfMissing(known, digest.missing),
    ...faultsOfBroadcasts(known, digest),
  ];
}

function digestOf(known: Known): object {
  const { account, deliveries, late, unknownDate, unseenNotNamed, otherStatuses, left, onlyNewest, noMatch } = known;
  const judgements = deliveries.flatMap(({ judgedBy }) => judgedBy ?? []);
  return {
    schemaVersion: 4,
    only: account.only,
    except: account.except,
    minimumGroup: account.minimumGroup,
    totals: comparedOf(known),
    trend: known.trend.map(({ start, figures }) => {
      const { deliveries: _deliveries, ...shown } = figures ?? nothing;
      return { ...shown, start: isInstant(start), complete: figures !== null };
    }),
    late,
    unknownDate: unknownDate.length,
    unseenNotNamed: unseenNotNamed.length,
    otherStatuses,
    judged: { of: judgements.length, deliveries: judgements.filter((by) => by !== 'nothing').length },
    left: { deliveries: left.deliveries, unjudged: left.unjudged, isOld: left.isOld },
    onlyNewest,
    noMatch: isSaid(noMatch),
  };
}

/** What is so is said, and nothing else. */
function isSaid(expected: boolean): (actual: unknown) => boolean {
  return (actual) => (actual ?? false) === expected;
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
      lacking: lacking && { start: isInstant(lacking.start), end: isInstant(lacking.end) },
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
    broadcast: { id, name, createdAt: isInstant(createdAt), createdBy },
    firstSign: isInstant(firstSign),
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

/** Each gap is named with one of its true reasons and as the list names it, and nothing else is. */
function faultsOfMissing(known: Known, missing: readonly Missing[]): string[] {
  const named = missing.map(({ reason, status, ...thing }) => ({ key: keyOf(thing), gap: { reason, status }, thing }));
  const invented = named.flatMap(({ key, gap }) => {
    const gaps: readonly Gap[] = known.missing.get(key) ?? [];
    if (gaps.length > 0 && isOneOf(gaps)(gap)) return [];
    const expected = gaps.map(({ reason }) => reason).join(' or ') || 'nothing';
    return [`digest.missing ${key}: expected ${expected}, found ${gap.reason} ${gap.status ?? ''}`];
  });
  const misnamed = named.filter(({ thing }) => !isNamed(thing, known.account));
  const unnamed = [...known.missing].filter(([key]) => !named.some((each) => each.key === key));
  return [
    ...invented,
    ...misnamed.map(({ key, thing }) => `digest.missing ${key}: expected another name, found ${thing.name}`),
    ...unnamed.map(([key, [gap]]) => `digest.missing ${key}: expected ${gap?.reason}, found nothing`),
  ];
}

type Thing = Omit<Missing, 'reason' | 'status'>;

function isNamed({ delivery, broadcast, name }: Thing, account: Account): boolean {
  const rows = account.deliveries.filter(({ id, of }) =>
    delivery === undefined ? account.broadcasts[of]?.id === broadcast : id === delivery,
  );
  return delivery === undefined && broadcast === undefined
    ? name === undefined
    : rows.some((row) => listedNameOf(row, account) === (name ?? null));
}

function keyOf({ what, delivery = '', broadcast = '', content = '' }: Thing): string {
  if (what === 'deliveries') return 'deliveries';
  if (broadcast === '' && delivery === '') return what;
  if (what === 'delivery') return missingKey(what, delivery);
  if (what === 'broadcast') return broadcast === '' ? missingKey(what, '', delivery) : missingKey(what, broadcast);
  return delivery === '' ? missingKey(what, broadcast) : missingKey(what, delivery, content);
}
