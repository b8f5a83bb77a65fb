import { rowsOfList, isAskable, type Account, type AccountDelivery } from '../accounts/account.ts';
import { readBroadcast, type KnownBroadcast } from './broadcasts.ts';
import { readContents, type KnownContent } from './contents.ts';
import { comparedWith, isNamedNoMore, unseenSince, type KnownComparison } from './earlier.ts';
import { groupsOf, type KnownGroup } from './groups.ts';
import { countRows, missingKey, readList, type Bounds, type Counted, type Gap } from './lists.ts';
import { beginningOf, previousOf, totalsOf, type KnownTotals } from './period.ts';

/** A delivery that the digest has to show, with what can be known of it. */
export interface KnownDelivery {
  id: string;
  status: string;
  kind: 'new' | 'silent' | 'active' | null;
  broadcast: KnownBroadcast;
  firstSign: number | null;
  /** The start of the first earlier period whose digest named it as seen by nobody. */
  unseenSince: number | null;
  stillCounting: boolean;
  counted: Counted | null;
  /** Why `counted` is not known. */
  gap: Gap | null;
  contents: KnownContent[] | null;
}

/** Something that the digest has to name as missing, by `missingKey`, with the reasons that are true. */
export type KnownMissing = Map<string, Gap[]>;

/** All that can be known of an account's period. */
export interface Known extends KnownComparison {
  /** The period's first instant. */
  start: number;
  /** Whether there is a digest: without the list there is none. `maybe`: the list broke off before it named anything. */
  digest: 'yes' | 'no' | 'maybe';
  /** `null` where something is missing that would change them. */
  totals: KnownTotals | null;
  undated: number;
  deliveries: KnownDelivery[];
  groups: KnownGroup[];
  /** Ids of deliveries that nobody has engaged with and that are not named, or no more. */
  unseenNotNamed: string[];
  otherStatuses: Map<string, number>;
  missing: KnownMissing;
  /** The instant within the period at which the list of deliveries begins. */
  listedSince: number | null;
}

/** Hours for which a delivery is still counting, in every report of these tests. */
export const settleHours = 48;

/** A delivery with a wanted status. */
interface Wanted extends Omit<KnownDelivery, 'kind' | 'contents' | 'stillCounting'> {
  row: AccountDelivery;
  kind: KnownDelivery['kind'] | 'left out';
}

/** What everything is worked out from. */
export interface Sources {
  account: Account;
  bounds: Bounds;
  unanswered: ReadonlyMap<string, Gap>;
  earlier: readonly Known[];
}

/**
 * Works out what an account's answers say.
 *
 * @param unanswered things that it never answered, by `missingKey`; none by default
 * @param earlier what was known for the report's earlier digests, one for each period up to this one; by default this is the first
 */
export function knownOf(
  account: Account,
  { unanswered = new Map(), earlier = [] }: Partial<Pick<Sources, 'unanswered' | 'earlier'>> = {},
): Known {
  const { calendar, list } = account;
  const bounds: Bounds = {
    timeZone: calendar.timeZone,
    precedingStart: Date.parse(calendar.precedingStart),
    start: Date.parse(calendar.start),
    end: Date.parse(calendar.end),
  };
  const sources = { account, bounds, unanswered, earlier };
  const rows = rowsOfList(account);
  const { rows: listed, broken, cut } = readList('wrapper' in list ? { ...list, rows } : list);
  const { wanted, otherStatuses, hasStrays } = sortDeliveries(sources, listed.length);
  const deliveries = wanted.flatMap((each) => includedOf(each, sources));
  const missing = missingOf(wanted, deliveries, bounds);
  const gapsOfList = [
    ...(cut === null ? [] : [{ reason: 'cut-off' }]),
    ...(hasStrays ? [{ reason: 'unreadable' }] : []),
  ];
  if (gapsOfList.length > 0) missing.set('deliveries', gapsOfList);
  const beginning = beginningOf(wanted);
  if (beginning !== null && beginning >= bounds.end) {
    missing.set('deliveries', [...gapsOfList, { reason: 'list-too-short' }]);
  }
  const isComplete = ![...missing.keys()].some((key) => key === 'deliveries' || key.startsWith('delivery '));
  const namesSomething = wanted.length > 0 || otherStatuses.size > 0;
  const brokeOff = cut !== null && cut.reason !== 'cut-off';
  const totals = isComplete ? totalsOf(deliveries, account) : null;
  const recounted = earlier.length === 0 ? previousOf(wanted, bounds, account) : null;
  return {
    start: bounds.start,
    digest: broken !== null ? 'no' : brokeOff && !namesSomething ? 'maybe' : 'yes',
    totals,
    ...comparedWith(totals, earlier, recounted),
    undated: wanted.reduce((sum, { counted }) => sum + (counted?.undated ?? 0), 0),
    deliveries,
    groups: groupsOf(deliveries, wanted, account),
    unseenNotNamed: wanted.filter((each) => each.kind === 'left out' && isUnseen(each, bounds)).map(({ id }) => id),
    otherStatuses,
    missing,
    listedSince: beginning !== null && beginning > bounds.start && beginning < bounds.end ? beginning : null,
  };
}

/** The deliveries of the first `count` rows, each once; a wanted status wins. */
function sortDeliveries(
  sources: Sources,
  count: number,
): { wanted: Wanted[]; otherStatuses: Map<string, number>; hasStrays: boolean } {
  const { account } = sources;
  const { strayRows, deliveries, statuses, broadcastName } = account;
  const again = deliveries.filter((delivery) => delivery.again !== undefined);
  const statusesOf = (delivery: AccountDelivery): string[] => {
    const place = strayRows.length + deliveries.indexOf(delivery);
    const placeAgain = strayRows.length + deliveries.length + again.indexOf(delivery);
    return [
      ...(place < count ? [statusOf(delivery.status)] : []),
      ...(delivery.again !== undefined && placeAgain < count ? [statusOf(delivery.again.status)] : []),
    ];
  };
  const wanted: Wanted[] = [];
  const otherStatuses = new Map<string, number>();
  for (const delivery of deliveries) {
    const [first, ...others] = statusesOf(delivery);
    const name = account.broadcasts[delivery.of]?.name ?? '';
    if (first === undefined) continue;
    if (broadcastName !== null && !name.toLowerCase().includes(broadcastName.toLowerCase())) continue;
    const status = [first, ...others].find((word) => statuses.includes(word));
    if (status === undefined) otherStatuses.set(first, (otherStatuses.get(first) ?? 0) + 1);
    else wanted.push(readDelivery(delivery, status, sources));
  }
  return { wanted, otherStatuses, hasStrays: strayRows.length > 0 && count > 0 };
}

function statusOf(status: unknown): string {
  return typeof status === 'string' ? status : 'unknown';
}

function readDelivery(row: AccountDelivery, status: string, sources: Sources): Wanted {
  const { bounds, unanswered, earlier } = sources;
  const id = row.id.text;
  const broadcast = readBroadcast(row, sources);
  const { rows, broken, cut } = readList(row.recipients);
  const counted = countRows(rows, bounds);
  const isMute = counted.listed > 0 && !counted.hasFields;
  const unread =
    unanswered.get(missingKey('delivery', id)) ?? broken ?? cut ?? (isMute ? { reason: 'unreadable' } : null);
  const gap = isAskable(row.id) ? unread : { reason: 'any' };
  const known = gap === null ? counted : null;
  const firstSign = known?.firstSign ?? broadcast.createdAt;
  const kind = kindOf({ id, counted: known, firstSign }, bounds, earlier);
  const since = kind === 'silent' ? unseenSince(id, earlier) : null;
  return { row, id, status, kind, broadcast, firstSign, unseenSince: since, counted: known, gap };
}

function includedOf({ row, kind, ...delivery }: Wanted, sources: Sources): KnownDelivery[] {
  const { counted, firstSign, broadcast } = delivery;
  if (kind === 'left out') return [];
  const stillCounting = firstSign !== null && sources.bounds.end - firstSign < settleHours * 3_600_000;
  const contents = broadcast.items && readContents(row, broadcast.items, counted, sources);
  return [{ ...delivery, kind, stillCounting, contents }];
}

function kindOf(
  { id, counted, firstSign }: Pick<Wanted, 'id' | 'counted' | 'firstSign'>,
  bounds: Bounds,
  earlier: readonly Known[],
): Wanted['kind'] {
  if (firstSign !== null && firstSign >= bounds.end) return 'left out';
  if (counted === null) return null;
  if (counted.seen === 0 && counted.responded === 0) {
    const isOld =
      earlier.length === 0 ? firstSign !== null && firstSign < bounds.precedingStart : isNamedNoMore(id, earlier);
    return isOld ? 'left out' : 'silent';
  }
  if (firstSign === null) return null;
  if (firstSign >= bounds.start) return 'new';
  return counted.inPeriod.seen + counted.inPeriod.responded > 0 ? 'active' : 'left out';
}

function isUnseen({ counted, firstSign }: Wanted, { end }: Bounds): boolean {
  const isThere = firstSign === null || firstSign < end;
  return isThere && counted !== null && counted.seen === 0 && counted.responded === 0;
}

function missingOf(wanted: readonly Wanted[], included: readonly KnownDelivery[], bounds: Bounds): KnownMissing {
  const missing: KnownMissing = new Map();
  for (const { id, gap, broadcast } of wanted) {
    // Nobody engages with a broadcast before there is one.
    const cameLater = broadcast.createdAt !== null && broadcast.createdAt >= bounds.end;
    if (gap !== null && !cameLater) missing.set(missingKey('delivery', id), [gap]);
  }
  for (const { id, broadcast, contents } of included) {
    const key = broadcast.id === '' ? missingKey('broadcast', '', id) : missingKey('broadcast', broadcast.id);
    if (broadcast.gap !== null) missing.set(key, [broadcast.gap]);
    for (const content of contents ?? []) {
      if (content.gap !== null) missing.set(missingKey('content', id, content.id), [content.gap]);
      if (content.ratingsGap !== null) missing.set(missingKey('ratings', id, content.id), [content.ratingsGap]);
    }
  }
  return missing;
}
