import type { Configuration } from '../../domain/configuration/configuration.ts';
import { addCount, createCounts } from '../../domain/counts-by-word.ts';
import type { DigestDelivery } from '../../domain/digest.ts';
import type { Engagement } from '../../ledger/runs/collections.ts';
import type { KeptReading } from '../../ledger/runs/digests.ts';
import type { Coverage } from '../../reporting-service/coverage.ts';
import type { Collected } from '../collected.ts';

/** Whether the deliveries' own lists hold everybody that a delivery was for, and of which types the content items' do. */
export interface Audience {
  deliveries: boolean;
  contents: ReadonlySet<string>;
}

/** The least share of rows of people who did neither in the lists of an audience, in percent. */
const leastUntouched = 5;
/** Fewer rows, and fewer people who did neither, decide nothing. */
const fewest = { rows: 100, untouched: 10 };
/** How much longer lists of content items are than the deliveries' own, where they are an audience, in percent. */
const leastLonger = 2;
/** What was decided is kept until so many runs in a row say otherwise. */
const runsAgainst = 3;

interface ItemList {
  type: string;
  item: Engagement;
  ofDelivery: Engagement | undefined;
}

/**
 * Who is on the lists of each kind, decided over all lists of a run: one alone may be longer because somebody engaged while
 * the run was reading. The interface says of neither that people who did nothing are on it (sections 4.4 and 4.6), and of
 * those of content items that they differ by type: where most are an audience, those of one type may not be. What earlier runs
 * decided is `kept`; what later ones have to know is returned.
 */
export function audienceIn(
  { recipients, broadcasts, contents }: Pick<Collected, 'recipients' | 'broadcasts' | 'contents'>,
  { deliveryRecipients, contentRecipients }: Configuration['service'],
  kept: ReadonlyMap<string, KeptReading> = new Map(),
): { audience: Audience; readings: ReadonlyMap<string, KeptReading> } {
  const items = recipients.flatMap(({ delivery, engagement: ofDelivery }): ItemList[] => {
    const contentsOf = broadcasts.get(delivery.broadcast.id)?.broadcast?.contents ?? [];
    return contentsOf.flatMap(({ id, type }) => {
      const item = contents.get(delivery.id)?.get(id)?.engagement;
      return item === undefined ? [] : [{ type, item, ofDelivery }];
    });
  });
  const byType = Map.groupBy(items, ({ type }) => type);
  const readings = new Map(kept);
  const note = (kind: string, lists: readonly Engagement[], vote: boolean | null): void => {
    const reading = nextReading(kept.get(kind), vote, untouchedOn(lists));
    if (reading !== undefined) readings.set(kind, reading);
  };
  const lists = recipients.flatMap(({ engagement }) => engagement ?? []);
  note('deliveries', lists, voteOf(lists));
  const noteItems = (kind: string, list: readonly ItemList[]): void => {
    const engagements = list.map(({ item }) => item);
    note(kind, engagements, voteOfItems(list));
  };
  noteItems('contents', items);
  for (const [type, list] of byType) noteItems(typeKey(type), list);
  const isRead = (kind: string): boolean => readings.get(kind)?.isAudience === true;
  const isOfAudience = (type: string): boolean =>
    contentRecipients === 'auto' ? isRead('contents') && isRead(typeKey(type)) : contentRecipients === 'audience';
  return {
    audience: {
      deliveries: deliveryRecipients === 'auto' ? isRead('deliveries') : deliveryRecipients === 'audience',
      contents: new Set([...byType.keys()].filter(isOfAudience)),
    },
    readings,
  };
}

const typeKey = (type: string): string => `contents ${type}`;

/** `undefined` as long as nothing is decided: for that it takes so many people who did nothing. */
function nextReading(kept: KeptReading | undefined, vote: boolean | null, untouched: number): KeptReading | undefined {
  if (vote === null) return kept;
  if (kept === undefined) return untouched < fewest.untouched ? undefined : { isAudience: vote, against: 0 };
  const against = vote === kept.isAudience ? 0 : kept.against + 1;
  return against < runsAgainst ? { ...kept, against } : { isAudience: vote, against: 0 };
}

/** Whether lists hold an audience, with people who did nothing; `null` where too few rows say so. */
export function voteOf(lists: readonly Engagement[]): boolean | null {
  const listed = sum(lists, (list) => list.listed);
  const untouched = untouchedOn(lists);
  if (listed < fewest.rows) return null;
  if (100 * untouched < leastUntouched * listed) return false;
  return untouched < fewest.untouched ? null : true;
}

function untouchedOn(lists: readonly Engagement[]): number {
  return sum(lists, ({ untouched }) => untouched);
}

/** The same of content items' lists, which are longer together than their deliveries' own where they are audiences. */
export function voteOfItems(lists: ReadonlyArray<Omit<ItemList, 'type'>>): boolean | null {
  const vote = voteOf(lists.map(({ item }) => item));
  const compared = lists.filter(({ ofDelivery }) => ofDelivery !== undefined);
  const ofDeliveries = sum(compared, ({ ofDelivery }) => ofDelivery?.listed ?? 0);
  const isLonger = 100 * sum(compared, ({ item }) => item.listed) > (100 + leastLonger) * ofDeliveries;
  return vote === true ? isLonger : vote;
}

/** Who the lists were taken to hold, which only the whole of the answers decides; a list that nobody is on says nothing. */
export function readingsOf(audience: Audience, deliveries: readonly DigestDelivery[]): Coverage['readings'] {
  const readings = createCounts<Record<string, number>>();
  const read = (kind: string, listed: number | null, isAudience: boolean): void => {
    if (listed === null || listed === 0) return;
    addCount((readings[kind] ??= createCounts()), isAudience ? 'the audience' : 'those who engaged');
  };
  for (const { listed, contents } of deliveries) {
    read('delivery lists', listed, audience.deliveries);
    for (const item of contents ?? []) read('content lists', item.listed, audience.contents.has(item.type));
  }
  return readings;
}

function sum<T>(items: readonly T[], count: (item: T) => number): number {
  return items.reduce((total, item) => total + count(item), 0);
}
