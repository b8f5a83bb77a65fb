import type { DigestBroadcast, Digest } from '../../../../functions/domain/digest.ts';
import type { EditionAtAge } from '../editions.ts';
import { broadcastKey, groupKey, type KnownGroup } from '../groups.ts';
import type { Known } from '../known.ts';
import { differencesOf, isInstant, isOneOf } from './differences.ts';

/** In what the broadcasts of a digest differ from what is known, and in what those that need somebody do. */
export function faultsOfBroadcasts(known: Known, digest: Digest): string[] {
  const expected = new Map(known.groups.map((group) => [group.key, groupOf(group, digest)]));
  const actual = new Map(digest.broadcasts.map((broadcast) => [keyIn(broadcast), broadcast]));
  const isOnce = actual.size === digest.broadcasts.length;
  return [
    ...differencesOf(expected, actual, 'digest.broadcasts'),
    ...(isOnce ? [] : ['digest.broadcasts: one broadcast and kind is there twice']),
    ...faultsOfNeeds(known, digest),
  ];
}

function keyIn({ kind, id, deliveries }: DigestBroadcast): string {
  return groupKey(kind, id, deliveries[0] ?? '');
}

function groupOf(group: KnownGroup, digest: Digest): unknown {
  const { key: _key, deliveries, firstSign, contents, gaps, atAge, ...figures } = group;
  const ids = new Set(deliveries.map(({ id }) => id));
  const names = deliveries.flatMap(({ broadcast }) => broadcast.name ?? []);
  const [first] = deliveries;
  return {
    ...figures,
    id: first?.broadcast.id,
    name: (name: unknown) => (names.length === 0 ? name === null : typeof name === 'string' && names.includes(name)),
    createdAt: isInstant(first?.broadcast.createdAt ?? null),
    createdBy: first?.broadcast.createdBy,
    kind: first?.kind,
    firstSign: isInstant(firstSign),
    stillCounting: deliveries.some(({ stillCounting }) => stillCounting),
    atAge: atAge && {
      ...atAge,
      firstSign: isInstant(atAge.firstSign),
      usual: atAge.usual && { ...atAge.usual, editions: atAge.usual.editions.map(editionOf) },
      earlier: atAge.earlier && { ...atAge.earlier, editions: atAge.earlier.editions.map(editionOf) },
    },
    // Their order is that of the deliveries (compose.test.ts).
    deliveries: digest.deliveries.filter(({ id }) => ids.has(id)).map(({ id }) => id),
    contents: contents?.map(itemOf) ?? null,
    unavailable: isOneOf(gaps),
  };
}

function itemOf({ ratings, gaps, ...item }: NonNullable<KnownGroup['contents']>[number]): object {
  return { ...item, ratings: ratings === 'none' ? null : ratings, unavailable: isOneOf(gaps) };
}

function editionOf(edition: EditionAtAge): object {
  return { ...edition, firstSign: isInstant(edition.firstSign) };
}

/** The parts of a digest that say who needs somebody. */
interface Needs {
  needs: Array<{ deliveries: string[] }>;
}

function faultsOfNeeds({ needs }: Known, digest: Digest): string[] {
  const broadcasts = new Map(digest.deliveries.map(({ id, broadcast }) => [id, broadcastKey(broadcast.id, id)]));
  const actual = hasNeeds(digest) ? digest.needs : [];
  const keyOf = ({ deliveries: [first = ''] }: Needs['needs'][number]): string => broadcasts.get(first) ?? first;
  return differencesOf(
    new Map(needs.map(({ key, deliveries, ...need }) => [key, { ...need, deliveries: deliveries.toSorted() }])),
    new Map(actual.map((need) => [keyOf(need), { ...need, deliveries: need.deliveries.toSorted() }])),
    'digest.needs',
  );
}

function hasNeeds(digest: object): digest is Needs {
  return 'needs' in digest;
}
