import { comparableType } from '../domain/folding.ts';
import { isGoneForGood, type Unavailable } from '../domain/reasons.ts';
import { broadcastOf, isThere, reasonOf, whyUnavailable, type Composing, type Delivery } from './deliveries.ts';
import type { Standing } from './rows.ts';
import type { DigestBroadcast, Gap } from './schema.ts';
import { meetsFilter } from './slice.ts';

/**
 * Everything that was unavailable of what a digest is about, each thing once.
 *
 * @param unsaid what nothing says of whether the digest is about it
 */
export function findGaps(
  rows: ReadonlyArray<{ standing: Standing; row: DigestBroadcast }>,
  unsaid: readonly Standing[],
  composing: Composing,
): Gap[] {
  const { about, account, before } = composing;
  const { unavailable } = account.observation;
  const ofList: Gap[] = unavailable === undefined ? [] : [{ what: 'deliveries', ...ofAccount, ...unavailable }];
  const gaps = [
    ...ofList,
    ...unsaid.flatMap(({ deliveries }) => gapOfField(deliveries, composing)),
    ...about.flat().flatMap((delivery) => gapOfDelivery(delivery, composing)),
    ...rows.flatMap(({ standing, row }) => gapsOfItems(standing, row, composing)),
  ];
  const named = new Set(before?.unavailable.map(idsOf));
  for (const gap of gaps) if (named.has(idsOf(gap))) gap.isNamed = true;
  return gaps;
}

const ofAccount = { broadcast: null, delivery: null, content: null };

const idsOf = ({ what, broadcast, delivery, content }: Gap): string =>
  JSON.stringify([broadcast?.id, delivery, content, what]);

/** What is missing of the broadcast that these are deliveries of. */
function gapOf(
  what: Gap['what'],
  deliveries: readonly Delivery[],
  why: Unavailable | undefined,
  part: Partial<Pick<Gap, 'delivery' | 'content'>> = {},
): Gap {
  const { id, name } = broadcastOf(deliveries);
  return { what, ...ofAccount, broadcast: { id, name }, ...part, ...reasonOf(why) };
}

function gapOfField(deliveries: readonly Delivery[], { options }: Composing): Gap[] {
  const broadcast = broadcastOf(deliveries);
  const field = meetsFilter(broadcast, options.only ?? {});
  return typeof field === 'string' ? [gapOf(field, deliveries, broadcast.unread)] : [];
}

/** What is gone and was never read is named in the period in which it was first listed, and is in no figure. */
function gapOfDelivery(delivery: Delivery, { account, startMs, endMs }: Composing): Gap[] {
  const { facts, id } = delivery;
  const { list, unread, firstListedMs } = facts;
  if (!isThere(delivery, endMs)) return [];
  const isNeverRead = list === null && firstListedMs >= startMs;
  const isGone = isNeverRead && unread !== undefined && isGoneForGood(unread);
  const why = whyUnavailable(delivery, account, endMs) ?? (isGone ? unread : null);
  return why === null ? [] : [gapOf('delivery', [delivery], why, { delivery: id })];
}

/**
 * A list of a content item is missing only where one of its type could be read, else the service has none; and only of a delivery
 * that somebody engaged with in the period: what a service has forgotten of long ago is no fault of this one.
 */
function gapsOfItems({ deliveries }: Standing, row: DigestBroadcast, { account }: Composing): Gap[] {
  const { contents, unread } = broadcastOf(deliveries);
  if (contents === null) return [gapOf('broadcast', deliveries, unread)];
  const known = row.deliveries.filter(
    ({ unavailable, inPeriod }) => unavailable === undefined && (inPeriod.seen !== 0 || inPeriod.responded !== 0),
  );
  return known.flatMap((delivery) =>
    (delivery.contents ?? []).flatMap(({ id, type, unavailable }) =>
      unavailable === undefined || !account.readTypes.has(comparableType(type))
        ? []
        : [gapOf('content', deliveries, unavailable, { delivery: delivery.id, content: id })],
    ),
  );
}
