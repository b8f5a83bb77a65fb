import { comparableType } from '../domain/folding.ts';
import { isGoneForGood, type Unavailable } from '../domain/reasons.ts';
import type { Filter } from '../domain/report-filter.ts';
import { broadcastOf, isThere, reasonOf, whyUnavailable, type Account, type Bounds, type Delivery } from './account.ts';
import type { Standing } from './groups.ts';
import type { Digest, DigestBroadcast, Gap } from './schema.ts';
import { meetsFilter } from './slice.ts';

/** Everything that was unavailable of what a digest is about, each thing once, in a stable order. */
export function findGaps(
  found: {
    about: ReadonlyMap<string, readonly Delivery[]>;
    rows: ReadonlyArray<{ standing: Standing; row: DigestBroadcast }>;
    /** Nothing says whether the digest is about these. */
    unsaid: readonly Standing[];
    account: Account;
    bounds: Bounds;
    before: Digest | null;
  },
  { only }: { only: Filter | null },
): Gap[] {
  const { about, rows, unsaid, account, bounds, before } = found;
  const { unavailable } = account.observation;
  const readTypes = typesRead(account);
  const gaps = [
    ...unsaid.flatMap(({ deliveries }) => gapOfField(deliveries, only ?? {})),
    ...[...about.values()].flat().flatMap((delivery) => gapOfDelivery(delivery, account, bounds)),
    ...rows.flatMap(({ standing, row }) => gapsOfItems(standing, row, readTypes)),
  ];
  const named = new Set(before?.unavailable.map(idsOf));
  return [
    ...(unavailable === undefined ? [] : [{ what: 'deliveries' as const, ...nothing, ...unavailable }]),
    ...gaps.toSorted((a, b) => (idsOf(a) < idsOf(b) ? -1 : 1)),
  ].map((gap) => (named.has(idsOf(gap)) ? Object.assign(gap, { isNamed: true as const }) : gap));
}

const idsOf = ({ what, broadcast, delivery, content }: Gap): string =>
  JSON.stringify([broadcast?.id, delivery, content, what]);

const nothing = { broadcast: null, delivery: null, content: null };

function namesOf(deliveries: readonly Delivery[]): Pick<Gap, 'broadcast'> {
  const { id, name } = broadcastOf(deliveries);
  return { broadcast: { id, name } };
}

const whyUnread = (unread: Unavailable | undefined): Unavailable => reasonOf(unread ?? { reason: 'incomplete' });

function gapOfField(deliveries: readonly Delivery[], only: Filter): Gap[] {
  const broadcast = broadcastOf(deliveries);
  const field = meetsFilter(broadcast, only);
  if (typeof field !== 'string') return [];
  return [{ what: field, ...nothing, ...namesOf(deliveries), ...whyUnread(broadcast.unread) }];
}

/** What is gone and was never read is named in the period in which it was first listed, and is in no figure. */
function gapOfDelivery(delivery: Delivery, account: Account, { startMs, endMs }: Bounds): Gap[] {
  const { facts, id, wantedMs } = delivery;
  const { list, unread, firstListedMs } = facts;
  if (!isThere(delivery, endMs)) return [];
  const isNeverRead = list === null && wantedMs !== null && firstListedMs >= startMs;
  const isGone = isNeverRead && unread !== undefined && isGoneForGood(unread);
  const reason = whyUnavailable(delivery, account, endMs) ?? (isGone ? reasonOf(unread) : null);
  return reason === null ? [] : [{ what: 'delivery', ...nothing, ...namesOf([delivery]), delivery: id, ...reason }];
}

/** A list of a content item is missing only where one of its type could be read: else the service has none. */
function gapsOfItems({ deliveries }: Standing, row: DigestBroadcast, readTypes: ReadonlySet<string>): Gap[] {
  const { contents, unread } = broadcastOf(deliveries);
  const names = namesOf(deliveries);
  if (contents === null) return [{ what: 'broadcast', ...nothing, ...names, ...whyUnread(unread) }];
  return row.deliveries.flatMap((delivery) =>
    (delivery.unavailable === undefined ? (delivery.contents ?? []) : []).flatMap(({ id, type, unavailable }): Gap[] =>
      unavailable === undefined || !readTypes.has(comparableType(type))
        ? []
        : [{ what: 'content', ...names, delivery: delivery.id, content: id, ...unavailable }],
    ),
  );
}

/** Types of content items of which some list was read. */
function typesRead({ deliveries }: Account): ReadonlySet<string> {
  const types = new Set<string>();
  for (const { facts } of deliveries) {
    const typeOf = new Map(facts.broadcast.contents?.map(({ id, type }) => [id, type]));
    for (const { id, list } of facts.contents) if (list !== null) types.add(typeOf.get(id) ?? '');
  }
  return new Set([...types].map(comparableType));
}
