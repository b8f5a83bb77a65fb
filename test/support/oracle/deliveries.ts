import type { Account, AccountDelivery } from '../accounts/account.ts';
import { isExcepted, isOfReport, listedBroadcast, readBroadcast, textsIn, type KnownBroadcast } from './broadcasts.ts';
import type { Known } from './known.ts';
import { missingKey, readList, unreadable, type Gap } from './lists.ts';
import { hasWord, memoryOf, type Memory } from './memory.ts';
import { areUnreadable, countRows, firstSignOf, isWithin, type Bounds, type Counted } from './rows.ts';

/** What everything is worked out from; `earlier` are the runs of earlier periods. */
export interface Sources {
  account: Account;
  bounds: Bounds;
  unanswered: ReadonlyMap<string, Gap>;
  earlier: readonly Known[];
}

/** A listed delivery whose engagement is collected. */
export interface Wanted {
  id: string;
  row: AccountDelivery;
  status: string;
  /** Its status is one that the report wants; else it was when an earlier run listed it. */
  isWantedNow: boolean;
  broadcast: KnownBroadcast;
  /** Whether the report is about it, or the field in which nobody says so. */
  isOf: ReturnType<typeof isOfReport>;
  /** When its broadcast was created, as far as this or an earlier run was told. */
  createdAt: number | null;
  counted: Counted | null;
  /** Why `counted` is not known. */
  gap: Gap | null;
  /** Why its views are not known, where the rest is. */
  viewsGap: Gap | null;
  firstSign: number | null;
  since: NewRows;
  /** Too many of the rows that came have no readable date: what is within the period is not known. */
  isUndatable: boolean;
  memory: Memory;
}

/** Rows that came since a delivery was read the last time. */
interface NewRows {
  engaged: number;
  undated: number;
}

/** What a list of deliveries comes to. */
export interface Sorted {
  wanted: Wanted[];
  /** The words of the listed deliveries whose engagement is not collected. */
  others: string[];
  /** The ids of the listed deliveries that the report is about. */
  ofReport: string[];
  /** Fields that the report filters by and that no broadcast says. */
  unsaid: string[];
}

/** The listed deliveries, each once; a wanted status wins. */
export function sortDeliveries(sources: Sources): Sorted {
  const { account, earlier } = sources;
  const listed = account.deliveries.map((row) => {
    const { name } = listedBroadcast(row, account);
    const broadcast = readBroadcast(row, sources);
    // What the list's own name rules out is not asked for.
    const unread = { ...broadcast, createdBy: null, items: null };
    const told = isOfReport(name, unread, account) === false ? unread : broadcast;
    return { row, broadcast: told, name, isOf: isOfReport(name, told, account) };
  });
  const meant = listed.filter(({ isOf }) => isOf !== false);
  const asked = listed.filter(({ name, broadcast }) => !isExcepted(name, broadcast, account));
  const open = [...new Set(meant.map(({ isOf }) => isOf))].filter((isOf) => typeof isOf === 'string');
  const unsaid = open.filter((field) =>
    asked.every(({ name, broadcast }) => textsIn(field, name, broadcast).every((text) => text === null)),
  );
  // Where nobody says what the filter asks, nothing is known of what the report is about.
  const sorted = (unsaid.length > 0 ? [] : meant).map(({ row, broadcast, isOf }): Listed => {
    const { id, status, again = status } = row;
    const word = [status, again].find((candidate) => hasWord(account.statuses, candidate));
    const memory = memoryOf(id, earlier, account);
    return { id, row, status: word ?? again, isWantedNow: word !== undefined, broadcast, isOf, memory };
  });
  return {
    wanted: sorted.filter(isCounted).map((delivery) => readDelivery(delivery, sources)),
    others: sorted.filter((delivery) => !isCounted(delivery)).map(({ status }) => status),
    ofReport: sorted.map(({ id }) => id),
    unsaid,
  };
}

function isCounted({ isWantedNow, memory }: Listed): boolean {
  return isWantedNow || memory.wasWanted;
}

const documented = { seen: true, responded: true };

type Listed = Pick<Wanted, 'id' | 'row' | 'status' | 'isWantedNow' | 'broadcast' | 'isOf' | 'memory'>;

/** Reads the recipients of a delivery, in a run whose lists have these fields; by default both. */
export function readDelivery(listed: Listed, { bounds, unanswered }: Sources, fields = documented): Wanted {
  const { id, row, broadcast, memory } = listed;
  const list = readList(row.recipients);
  const createdAt = memory.createdAt ?? broadcast.createdAt;
  const read = countRows(list.rows, bounds, createdAt);
  const isMute = areUnreadable(read.rows, fields);
  const gap = unanswered.get(missingKey('delivery', id)) ?? list.gap ?? (isMute ? unreadable : null);
  const counted = gap === null ? read : null;
  const since = {
    engaged: Math.max(0, (counted?.engaged ?? 0) - (memory.lastRead?.engaged ?? 0)),
    undated: Math.max(0, (counted?.undated ?? 0) - (memory.lastRead?.undated ?? 0)),
  };
  return {
    ...listed,
    createdAt,
    counted,
    gap,
    viewsGap: counted !== null && counted.seen === null ? unreadable : null,
    firstSign: counted && (memory.firstSign ?? firstSignOf(counted.rows, createdAt)),
    since,
    isUndatable: areUndatable(since),
  };
}

/** Whether more than a tenth and more than two have no readable date: those that have one say too little. */
export function areUndatable({ engaged, undated }: NewRows): boolean {
  return undated > 2 && 10 * undated > engaged;
}

/** Whether a delivery is one of a later period. */
export function isLater({ firstSign, createdAt }: Wanted, { end }: Bounds): boolean {
  if (firstSign !== null) return firstSign >= end;
  return createdAt !== null && createdAt >= end;
}

export function isUnseen(delivery: Wanted, bounds: Bounds): boolean {
  return !isLater(delivery, bounds) && delivery.counted?.engaged === 0;
}

/** In a report's first digest, what nobody has seen and was not created in this period or the one before. */
export function isOfUnknownDate(delivery: Wanted, bounds: Bounds): boolean {
  const isRecent = isWithin(delivery.createdAt, bounds.previousStart, bounds.end);
  return delivery.memory.isFirstDigest && isUnseen(delivery, bounds) && !isRecent;
}
