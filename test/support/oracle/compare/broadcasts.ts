import type { BroadcastContent, DigestBroadcast, Digest } from '../../../../functions/domain/digest.ts';
import { differencesOf, epochOf, isOneOf } from './differences.ts';
import { groupKey, type KnownGroup } from '../groups.ts';
import type { Known } from '../known.ts';

/** In what the broadcasts of a digest differ from what is known. */
export function faultsOfBroadcasts(known: Known, digest: Digest): string[] {
  const expected = new Map(known.groups.map((group) => [group.key, groupOf(group, digest)]));
  const found = new Map(digest.broadcasts.map((each) => [keyIn(each), groupIn(each)]));
  const isOnce = found.size === digest.broadcasts.length;
  return [
    ...differencesOf(expected, found, 'digest.broadcasts'),
    ...(isOnce ? [] : ['digest.broadcasts: one broadcast and kind is there twice']),
  ];
}

function keyIn({ kind, id, deliveries }: DigestBroadcast): string {
  return groupKey(kind, id, deliveries[0] ?? '');
}

function groupOf(group: KnownGroup, digest: Digest): unknown {
  const { deliveries, asks, audience, counted, inPeriod, firstSign, timesNamed, listedDeliveries } = group;
  const { contents, gaps, atAge } = group;
  const ids = new Set(deliveries.map(({ id }) => id));
  const names = deliveries.flatMap(({ broadcast }) => broadcast.name ?? []);
  const [first] = deliveries;
  return {
    id: first?.broadcast.id,
    name: (name: unknown) => (names.length === 0 ? name === null : typeof name === 'string' && names.includes(name)),
    createdAt: first?.broadcast.createdAt ?? null,
    createdBy: first?.broadcast.createdBy ?? null,
    kind: first?.kind,
    asks,
    audience,
    seen: counted?.seen ?? null,
    responded: counted?.responded ?? null,
    answered: counted?.answered ?? null,
    inPeriod,
    firstSign,
    stillCounting: deliveries.some(({ stillCounting }) => stillCounting),
    atAge,
    timesNamed,
    // Their order is that of the deliveries (compose.test.ts).
    deliveries: digest.deliveries.filter(({ id }) => ids.has(id)).map(({ id }) => id),
    listedDeliveries,
    contents:
      contents?.map(({ id, type, counted: count, ratings, gaps: ofItem }) => ({
        id,
        type,
        seen: count?.seen ?? null,
        responded: count?.responded ?? null,
        ratings,
        unavailable: isOneOf(ofItem),
      })) ?? null,
    unavailable: isOneOf(gaps),
  };
}

function groupIn(group: DigestBroadcast): unknown {
  const { createdAt, firstSign, atAge, contents, unavailable, ...rest } = group;
  return {
    ...rest,
    createdAt: epochOf(createdAt),
    firstSign: epochOf(firstSign),
    atAge: JSON.parse(JSON.stringify(atAge), (key, value) => (key === 'firstSign' ? epochOf(value) : value)),
    contents: contents?.map(itemIn) ?? null,
    unavailable: unavailable ?? null,
  };
}

function itemIn({ ratings, unavailable, ...rest }: BroadcastContent): unknown {
  return { ...rest, ratings: ratings === undefined ? 'none' : ratings, unavailable: unavailable ?? null };
}
