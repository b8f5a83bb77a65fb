import type { Digest, DigestContent, DigestDelivery, Missing } from '../../../../functions/domain/digest.ts';
import { faultsOfBroadcasts } from './broadcasts.ts';
import { differencesOf, epochOf } from './differences.ts';
import type { KnownContent } from '../contents.ts';
import { missingKey, type Counted, type Gap } from '../lists.ts';
import type { Known, KnownDelivery } from '../known.ts';

/** In what a digest differs from what is known. */
export function faultsOfDigest(known: Known, digest: Digest): string[] {
  return [
    ...differencesOf(totalsOf(known), totalsIn(digest), 'digest.totals'),
    ...differencesOf(byId(known.deliveries, deliveryOf), byId(digest.deliveries, deliveryIn), 'digest.deliveries'),
    ...differencesOf(known.otherStatuses, new Map(Object.entries(digest.otherStatuses)), 'digest.otherStatuses'),
    ...faultsOfMissing(known, digest.missing),
    ...faultsOfOrder(digest),
    ...differencesOf(known.listedSince, epochOf(digest.listedSince ?? null), 'digest.listedSince'),
    ...differencesOf(trendOf(known), trendIn(digest), 'digest.trend'),
    ...faultsOfBroadcasts(known, digest),
  ];
}

function byId<T extends { id: string }>(all: readonly T[], view: (one: T) => unknown): Map<string, unknown> {
  return new Map(all.map((one) => [one.id, view(one)]));
}

function totalsOf({ totals, previous, basis, undated }: Known): unknown {
  const none = { deliveries: null, broadcasts: null, seen: null, responded: null, asked: null, responseRate: null };
  return { ...(totals ?? none), undated, previous, basis, unavailable: totals === null };
}

function totalsIn({ totals }: Digest): unknown {
  const { comparison, unavailable, ...figures } = totals;
  return { ...figures, basis: comparison.basis, unavailable: unavailable !== undefined };
}

function trendOf({ trend }: Known): unknown {
  return trend.map((each) => ({
    seen: each?.seen ?? null,
    responded: each?.responded ?? null,
    broadcasts: each?.broadcasts ?? null,
    asked: each?.asked ?? null,
    responseRate: each?.responseRate ?? null,
    complete: each !== null,
  }));
}

function trendIn({ trend = [] }: Digest): unknown {
  return trend.map(({ seen, responded, broadcasts, asked, responseRate, complete }) => ({
    seen,
    responded,
    broadcasts,
    asked,
    responseRate,
    complete,
  }));
}

function deliveryOf(delivery: KnownDelivery): unknown {
  const { status, kind, broadcast, firstSign, stillCounting, counted, gap, contents } = delivery;
  const { id, name, createdAt, createdBy } = broadcast;
  return {
    status,
    kind,
    broadcast: { id, name, createdAt, createdBy },
    firstSign,
    stillCounting,
    ...figuresOf(counted),
    contents: contents?.map((content) => contentOf(content)) ?? null,
    unavailable: gapOf(gap ?? broadcast.gap),
  };
}

function deliveryIn(delivery: DigestDelivery): unknown {
  const { status, kind, broadcast, firstSign, stillCounting, contents, unavailable } = delivery;
  return {
    status,
    kind,
    broadcast: { ...broadcast, createdAt: epochOf(broadcast.createdAt) },
    firstSign: epochOf(firstSign),
    stillCounting,
    ...figuresIn(delivery),
    contents: contents?.map((content) => contentIn(content)) ?? null,
    unavailable: unavailable ?? null,
  };
}

function contentOf({ id, type, counted, gap, reach, ratings }: KnownContent): unknown {
  return { id, type, ...figuresOf(counted), reach, ratings, unavailable: gapOf(gap) };
}

function contentIn(content: DigestContent): unknown {
  const { id, type, reach, ratings, unavailable } = content;
  const rated = ratings && {
    ...ratings,
    unreadable: ratings.unreadable ?? 0,
    histogram: new Map(Object.entries(ratings.histogram)),
  };
  return { id, type, ...figuresIn(content), reach, ratings: rated ?? null, unavailable: unavailable ?? null };
}

function gapOf(gap: Gap | null): unknown {
  if (gap?.reason !== 'any') return gap;
  return (actual: unknown) => typeof actual === 'object' && actual !== null;
}

const unread = {
  listed: null,
  seen: null,
  responded: null,
  responseRate: null,
  inPeriod: null,
  medianResponseSeconds: null,
  undated: 0,
  lackingFields: 0,
};

function figuresOf(counted: Counted | null): object {
  if (counted === null) return unread;
  const { listed, seen, responded, responseRate, inPeriod, medianResponseSeconds, undated, lackingFields } = counted;
  return { listed, seen, responded, responseRate, inPeriod, medianResponseSeconds, undated, lackingFields };
}

function figuresIn(figures: DigestDelivery | DigestContent): object {
  const { listed, seen, responded, responseRate, inPeriod, medianResponseSeconds, undated } = figures;
  const { lackingFields = 0 } = figures;
  return { listed, seen, responded, responseRate, inPeriod, medianResponseSeconds, undated, lackingFields };
}

/** Each gap is named with one of its true reasons, and nothing else is. */
function faultsOfMissing(known: Known, missing: readonly Missing[]): string[] {
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
    ...unnamed.map(([key, [gap]]) => `digest.missing ${key}: expected ${gap?.reason}, found nothing`),
  ];
}

function keyOf({ what, delivery = '', broadcast = '', content = '' }: Missing): string {
  if (what === 'deliveries') return 'deliveries';
  if (what === 'delivery') return missingKey(what, delivery);
  if (what === 'broadcast') return broadcast === '' ? missingKey(what, '', delivery) : missingKey(what, broadcast);
  return missingKey(what, delivery, content);
}

/** New, silent, active, unread; each by views in the period, then responses, then id. */
function faultsOfOrder({ deliveries }: Digest): string[] {
  const kinds = ['new', 'silent', 'active', null];
  const ranks = deliveries.map(({ id, kind, inPeriod }) => ({
    id,
    ranks: [kinds.indexOf(kind), -(inPeriod?.seen ?? 0), -(inPeriod?.responded ?? 0)],
  }));
  const isBefore = (one: (typeof ranks)[number], other: (typeof ranks)[number]): boolean => {
    const place = one.ranks.findIndex((rank, index) => rank !== other.ranks[index]);
    return place === -1 ? one.id < other.id : (one.ranks[place] ?? 0) < (other.ranks[place] ?? 0);
  };
  const isWrong = ranks.some((rank, index) => {
    const before = ranks[index - 1];
    return before !== undefined && !isBefore(before, rank);
  });
  return isWrong ? [`digest.deliveries: not in the mail's order: ${ranks.map(({ id }) => id).join(', ')}`] : [];
}
