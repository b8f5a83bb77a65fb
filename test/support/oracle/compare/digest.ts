import type { Digest, DigestContent, DigestDelivery, Missing } from '../../../../functions/domain/digest.ts';
import type { Account } from '../../accounts/account.ts';
import { listedNameOf } from '../broadcasts.ts';
import { faultsOfBroadcasts } from './broadcasts.ts';
import { differencesOf, epochOf, isOneOf } from './differences.ts';
import { missingKey, type Answered, type Counted } from '../lists.ts';
import { gapsOf, inPeriodOf } from '../delivery-gaps.ts';
import type { Known, KnownDelivery } from '../known.ts';

type ContentWithReach = NonNullable<KnownDelivery['contents']>[number];

/** In what a digest differs from what is known. */
export function faultsOfDigest(known: Known, digest: Digest): string[] {
  return [
    ...differencesOf(totalsOf(known), totalsIn(digest), 'digest.totals'),
    ...differencesOf(byId(known.deliveries, deliveryOf), byId(digest.deliveries, deliveryIn), 'digest.deliveries'),
    ...differencesOf(known.otherStatuses, new Map(Object.entries(digest.otherStatuses)), 'digest.otherStatuses'),
    ...faultsOfMissing(known, digest.missing),
    ...differencesOf(versionedOf(known), versionedIn(digest), 'digest'),
    ...differencesOf(trendOf(known), trendIn(digest), 'digest.trend'),
    ...faultsOfBroadcasts(known, digest),
  ];
}

function byId<T extends { id: string }>(all: readonly T[], view: (one: T) => unknown): Map<string, unknown> {
  return new Map(all.map((one) => [one.id, view(one)]));
}

function versionedOf({ account: { only }, late, unknownDate, unseenNotNamed }: Known): unknown {
  const counts = { unknownDate: unknownDate.length, unseenNotNamed: unseenNotNamed.length };
  return { schemaVersion: 4, minimumGroup: 10, only, late, ...counts };
}

function versionedIn({ schemaVersion, minimumGroup, only, late, unknownDate, unseenNotNamed }: Digest): unknown {
  return { schemaVersion, minimumGroup, only, late, unknownDate, unseenNotNamed };
}

function totalsOf({ totals, previous, uncompared, undated }: Known): unknown {
  const none = { deliveries: null, broadcasts: null, seen: null, responded: null, asked: null, responseRate: null };
  return {
    ...(totals ?? none),
    undated,
    previous,
    comparison:
      uncompared === null
        ? { basis: 'kept' }
        : {
            basis: 'none',
            reason: (found: unknown) => uncompared.reasons.some((reason) => reason === found),
            lacking: uncompared.lacking,
          },
    unavailable: totals === null ? { reason: 'incomplete' } : null,
  };
}

function totalsIn({ totals }: Digest): unknown {
  const { comparison, unavailable = null, ...figures } = totals;
  if (comparison.basis === 'kept') return { ...figures, comparison, unavailable };
  const { start, end } = comparison.lacking;
  return {
    ...figures,
    comparison: { ...comparison, lacking: { start: epochOf(start), end: epochOf(end) } },
    unavailable,
  };
}

function trendOf({ trend }: Known): unknown {
  return trend.map(({ start, figures }) => ({
    start,
    seen: figures?.seen ?? null,
    responded: figures?.responded ?? null,
    broadcasts: figures?.broadcasts ?? null,
    asked: figures?.asked ?? null,
    responseRate: figures?.responseRate ?? null,
    complete: figures !== null,
  }));
}

function trendIn({ trend }: Digest): unknown {
  return trend.map((each) => ({ ...each, start: epochOf(each.start) }));
}

function deliveryOf(delivery: KnownDelivery): unknown {
  const { status, kind, broadcast, firstSign, stillCounting, isJudged, counted, reach, audience, contents } = delivery;
  const engaged = counted?.engagedRows ?? null;
  const { id, name, createdAt, createdBy } = broadcast;
  return {
    status,
    kind,
    broadcast: { id, name, createdAt, createdBy },
    firstSign,
    stillCounting,
    judged: isJudged,
    ...figuresOf(counted, inPeriodOf(delivery, counted)),
    reach,
    audience,
    engaged,
    untouched: audience === null || engaged === null ? null : audience - engaged,
    contents: contents?.map((content) => contentOf(content, delivery)) ?? null,
    unavailable: isOneOf(gapsOf(delivery)),
  };
}

function deliveryIn(delivery: DigestDelivery): unknown {
  const { status, kind, broadcast, firstSign, stillCounting, judged, contents, unavailable } = delivery;
  const { audience, engaged, untouched } = delivery;
  return {
    status,
    kind,
    broadcast: { ...broadcast, createdAt: epochOf(broadcast.createdAt) },
    firstSign: epochOf(firstSign),
    stillCounting,
    judged,
    ...figuresIn(delivery),
    audience,
    engaged,
    untouched,
    contents: contents?.map((content) => contentIn(content)) ?? null,
    unavailable: unavailable ?? null,
  };
}

function contentOf(content: ContentWithReach, delivery: KnownDelivery): unknown {
  const { id, type, counted, gap, reach, ratings } = content;
  const figures = figuresOf(counted, inPeriodOf(delivery, counted));
  return { id, type, ...figures, reach, ratings, unavailable: isOneOf(gap === null ? [] : [gap]) };
}

function contentIn(content: DigestContent): unknown {
  const { id, type, ratings, unavailable } = content;
  const rated = ratings && {
    ...ratings,
    unreadable: ratings.unreadable ?? 0,
    histogram: new Map(Object.entries(ratings.histogram)),
  };
  return { id, type, ...figuresIn(content), ratings: rated ?? null, unavailable: unavailable ?? null };
}

function figuresOf(counted: Counted | null, inPeriod: Answered | null): object {
  return {
    listed: counted?.listed ?? null,
    seen: counted?.seen ?? null,
    responded: counted?.responded ?? null,
    answered: counted?.answered ?? null,
    responseRate: counted?.responseRate ?? null,
    inPeriod,
    undated: counted?.undated ?? 0,
    lackingFields: counted?.lackingFields ?? 0,
  };
}

function figuresIn(figures: DigestDelivery | DigestContent): object {
  const { listed, seen, responded, answered, responseRate, reach, inPeriod, undated } = figures;
  const { lackingFields = 0 } = figures;
  const rates = { responseRate, reach };
  return { listed, seen, responded, answered, inPeriod, ...rates, undated, lackingFields };
}

/** Each gap is named with one of its true reasons and as the list names it, and nothing else is. */
function faultsOfMissing(known: Known, missing: readonly Missing[]): string[] {
  const misnamed = missing.filter((one) => !isNamed(one, known.account));
  const named = missing.map((one) => ({ key: keyOf(one), reason: one.reason, status: one.status }));
  const invented = named.flatMap(({ key, reason, status }) => {
    const gaps = known.missing.get(key) ?? [];
    const isTrue = gaps.some((gap) => gap.reason === 'any' || (gap.reason === reason && gap.status === status));
    const expected = gaps.length === 0 ? 'nothing' : gaps.map((gap) => gap.reason).join(' or ');
    return isTrue ? [] : [`digest.missing ${key}: expected ${expected}, found ${reason} ${status ?? ''}`];
  });
  const unnamed = [...known.missing].filter(([key]) => !named.some((one) => one.key === key));
  return [
    ...invented,
    ...misnamed.map((one) => `digest.missing ${keyOf(one)}: expected another name, found ${one.name}`),
    ...unnamed.map(([key, [gap]]) => `digest.missing ${key}: expected ${gap?.reason}, found nothing`),
  ];
}

function isNamed({ delivery, broadcast, name }: Missing, account: Account): boolean {
  const rows = account.deliveries.filter(({ id, of }) =>
    delivery === undefined ? account.broadcasts[of]?.id.text === broadcast : id.text === delivery,
  );
  return delivery === undefined && broadcast === undefined
    ? name === undefined
    : rows.some((row) => listedNameOf(row, account) === (name ?? null));
}

function keyOf({ what, delivery = '', broadcast = '', content = '' }: Missing): string {
  if (what === 'deliveries') return 'deliveries';
  if (broadcast === '' && delivery === '') return what;
  if (what === 'delivery') return missingKey(what, delivery);
  if (what === 'broadcast') return broadcast === '' ? missingKey(what, '', delivery) : missingKey(what, broadcast);
  return delivery === '' ? missingKey(what, broadcast) : missingKey(what, delivery, content);
}
