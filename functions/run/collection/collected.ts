import type { Configuration, ReportConfiguration } from '../../domain/configuration/configuration.ts';
import { isNamedFor, isWantedStatus } from '../../domain/report-filter.ts';
import {
  readDeliveryList,
  readFound,
  type CollectionKey,
  type DeliveryList,
  type Engagement,
  type Found,
  type ListedDelivery,
  type Phase,
} from '../../ledger/runs/collections.ts';
import type { History } from '../../ledger/runs/digests.ts';
import type { Table } from '../../ledger/table.ts';
import type { Period } from '../../domain/period.ts';
import { readEarlier, type Earlier } from '../earlier-figures.ts';
import { includeFor, type Reading } from '../inclusion.ts';

/** All that a collection found, and what earlier digests said of the same things. */
export interface Collected {
  list: DeliveryList;
  /** The deliveries of the report: those with a wanted status, and the others. */
  wanted: readonly ListedDelivery[];
  others: readonly ListedDelivery[];
  recipients: ReadonlyArray<Found<'recipients'>>;
  broadcasts: ReadonlyMap<string, Found<'broadcasts'>>;
  /** Deliveries of which nothing says whether the report, which filters by name, is about them. */
  nameless: ReadonlySet<string>;
  /** By delivery, then by content item. */
  contents: ReadonlyMap<string, ReadonlyMap<string, Found<'contents'>>>;
  /** Whether the deliveries' own lists hold everybody that a delivery was for, and of which types the content items' do. */
  audience: { deliveries: boolean; contents: ReadonlySet<string> };
  /** What the latest earlier digest left to know; `null` where there is none. */
  history: History | null;
}

/**
 * Opens a collection for reading while it goes on: each call gives what was found so far. A document is read, unzipped and
 * checked once, however many calls there are, and so is what earlier digests left.
 */
export function openReader(
  table: Table,
  key: CollectionKey,
  by: { report: ReportConfiguration; service: Configuration['service']; period: Period },
): () => Promise<Reading> {
  const broadcasts = followFound(table, key, 'broadcasts');
  const recipients = followFound(table, key, 'recipients');
  const contents = followFound(table, key, 'contents');
  let before: (Earlier & { history: History | null; list: DeliveryList }) | null = null;
  return async () => {
    before ??= {
      ...(await readEarlier(table, by.report, by.period)),
      list: await readDeliveryList(table, key),
    };
    const { list, history, ...earlier } = before;
    const found = { broadcasts: await broadcasts(), recipients: await recipients(), contents: await contents() };
    const collected = collectedOf({ list, history, ...found }, by);
    return includeFor(collected, by.period, { ...earlier, settleHours: by.report.settleHours });
  };
}

/** Reads what a phase has found so far, each document once. */
function followFound<P extends Phase>(table: Table, key: CollectionKey, phase: P): () => Promise<Array<Found<P>>> {
  const all: Array<Found<P>> = [];
  let last: string | undefined;
  return async () => {
    for await (const { sk, value } of readFound(table, key, phase, last)) {
      all.push(...value);
      last = sk;
    }
    return all;
  };
}

/** What was found, sorted by what the report wants of it. */
export function collectedOf(
  found: Pick<Collected, 'list' | 'recipients' | 'history'> & {
    broadcasts: ReadonlyArray<Found<'broadcasts'>>;
    contents: ReadonlyArray<Found<'contents'>>;
  },
  { report, service }: { report: ReportConfiguration; service: Configuration['service'] },
): Collected {
  const { list, recipients, history } = found;
  const broadcasts = new Map(found.broadcasts.map((broadcast) => [broadcast.id, broadcast]));
  // Where the list does not say a broadcast's name, the broadcast does; one without any may be of the report.
  const nameOf = ({ broadcast: { id, name } }: ListedDelivery) => name ?? broadcasts.get(id)?.broadcast?.name ?? null;
  const isOfReport = (delivery: ListedDelivery) => isNamedFor(report, nameOf(delivery) ?? report.broadcastName ?? '');
  const deliveries = list.deliveries.filter(isOfReport);
  const byDelivery = Map.groupBy(found.contents, ({ delivery }) => delivery);
  const contents = new Map(
    [...byDelivery].map(([delivery, all]) => [delivery, new Map(all.map((each) => [each.content, each]))]),
  );
  return {
    list,
    wanted: deliveries.filter(({ status }) => isWantedStatus(status, report)),
    others: deliveries.filter(({ status }) => !isWantedStatus(status, report)),
    recipients,
    broadcasts,
    nameless: new Set(
      report.broadcastName === undefined ? [] : deliveries.flatMap((each) => (nameOf(each) === null ? [each.id] : [])),
    ),
    contents,
    audience: audienceIn({ recipients, broadcasts, contents }, service),
    history,
  };
}

/** The least share of rows of people who did neither in the lists of an audience, in percent. */
const leastUntouched = 5;
/** How much longer lists of content items are than the deliveries' own, where they are an audience, in percent. */
const leastLonger = 2;

/** A content item's list beside the list of its delivery. */
interface ItemList {
  type: string;
  item: Engagement;
  own: Engagement | undefined;
}

/**
 * Who is on the lists of either kind, decided once over all of them: one alone may be longer because somebody engaged while
 * the run was reading. The interface says of neither that people who did nothing are on it (sections 4.4 and 4.6), and of
 * those of content items that they differ by type: where most are an audience, those of one type may not be.
 */
function audienceIn(
  { recipients, broadcasts, contents }: Pick<Collected, 'recipients' | 'broadcasts' | 'contents'>,
  { deliveryRecipients, contentRecipients }: Configuration['service'],
): Collected['audience'] {
  const items = recipients.flatMap(({ delivery, engagement: own }): ItemList[] => {
    const ofDelivery = contents.get(delivery.id);
    const contentsOf = broadcasts.get(delivery.broadcast.id)?.broadcast?.contents ?? [];
    return contentsOf.flatMap(({ id, type }) => {
      const item = ofDelivery?.get(id)?.engagement;
      return item === undefined ? [] : [{ type, item, own }];
    });
  });
  const types = new Set(items.map(({ type }) => type));
  const ofType = (type: string): ItemList[] => items.filter((each) => each.type === type);
  const found = areAudiences(items) ? [...types].filter((type) => areAudiences(ofType(type))) : [];
  const read = { auto: found, audience: [...types], engaged: [] }[contentRecipients];
  const own = recipients.flatMap(({ engagement }) => engagement ?? []);
  return {
    deliveries: deliveryRecipients === 'auto' ? haveUntouched(own) : deliveryRecipients === 'audience',
    contents: new Set(read),
  };
}

/** Whether lists of content items are audiences: longer together than their deliveries' own, with people who did nothing. */
export function areAudiences(lists: ReadonlyArray<Pick<ItemList, 'item' | 'own'>>): boolean {
  const compared = lists.flatMap(({ item, own }) => (own === undefined ? [] : [{ item, own }]));
  const own = sum(compared, (each) => each.own.listed);
  const longer = 100 * sum(compared, ({ item }) => item.listed) > (100 + leastLonger) * own;
  return longer && haveUntouched(lists.map(({ item }) => item));
}

/** Whether lists have enough rows of people who did nothing to be audiences. */
export function haveUntouched(lists: readonly Engagement[]): boolean {
  const listed = sum(lists, (list) => list.listed);
  return listed > 0 && 100 * sum(lists, ({ untouched }) => untouched) >= leastUntouched * listed;
}

function sum<T>(all: readonly T[], of: (one: T) => number): number {
  return all.reduce((total, one) => total + of(one), 0);
}
