import { rowsOfList, isAskable, type Account, type AccountDelivery } from '../accounts/account.ts';
import { calendarBefore } from '../accounts/calendars.ts';
import { audienceOf, audiencesOf, reachOf, type Audiences } from './audience.ts';
import { isOfReport, listedNameOf, readBroadcast, saidIn, type KnownBroadcast } from './broadcasts.ts';
import { readContents, type KnownContent } from './contents.ts';
import { areUndatable, comparedWith, historyOf, isGoneAgain, lateOf, rowsSince, runsBefore } from './earlier.ts';
import type { DeliveryHistory, KnownComparison, NewRows } from './earlier.ts';
import { undatable } from './delivery-gaps.ts';
import { groupsOf, type KnownGroup } from './groups.ts';
import {
  countRows,
  isWithin,
  missingKey,
  readList,
  type Bounds,
  type Counted,
  type Engaged,
  type Gap,
} from './lists.ts';
import { totalsOf, type KnownTotals } from './period.ts';
import { growthsOf, type KnownGrowth } from './same-age.ts';

/** A delivery that the digest has to show, with what can be known of it. */
export interface KnownDelivery {
  id: string;
  status: string;
  kind: 'new' | 'silent' | 'active' | null;
  broadcast: KnownBroadcast;
  firstSign: number | null;
  /** How many earlier digests named it as seen by nobody. */
  timesNamed: number;
  stillCounting: boolean;
  counted: Counted | null;
  /** Why `counted` is not known. */
  gap: Gap | null;
  /** Too many of the rows that came have no readable date: what is within the period is not known. */
  isUndatable: boolean;
  /** This digest is the first that can say whether it reached enough people; or it may say that nobody has seen it. */
  isJudged: boolean;
  reach: number | null;
  audience: number | null;
  /** With the reach of each. */
  contents: Array<KnownContent & { reach: number | null }> | null;
}

/** Something that the digest has to name as missing, by `missingKey`, with the reasons that are true. */
export type KnownMissing = Map<string, Gap[]>;

/** All that can be known of an account's period. */
export interface Known extends KnownComparison {
  account: Account;
  /** The period's first instant. */
  start: number;
  /** Whether there is a digest: without the list there is none. `maybe`: the list broke off before it named anything. */
  digest: 'yes' | 'no' | 'maybe';
  /** `null` where something is missing that would change them. */
  totals: KnownTotals | null;
  undated: number;
  late: Engaged | null;
  deliveries: KnownDelivery[];
  groups: KnownGroup[];
  /** How each delivery grew, by its id. */
  growths: Map<string, KnownGrowth>;
  /** Ids of deliveries that nobody has engaged with: named often enough, or in a first digest not known to be recent. */
  unseenNotNamed: string[];
  unknownDate: string[];
  otherStatuses: Map<string, number>;
  missing: KnownMissing;
  /** The list had no row. */
  isEmpty: boolean;
  /** What the lists of wanted deliveries came to, and which listed deliveries' lists were not read. */
  read: Map<string, Counted>;
  unread: string[];
  /** When the broadcasts of the wanted deliveries were created, by the delivery. */
  created: Map<string, number | null>;
}

/** Hours for which a delivery is still counting, in every report of these tests. */
export const settleHours = 48;
const hourMs = 3_600_000;
const settleMs = settleHours * hourMs;

/** A delivery with a wanted status. */
interface Wanted extends Pick<
  KnownDelivery,
  'id' | 'status' | 'broadcast' | 'firstSign' | 'counted' | 'gap' | 'isUndatable'
> {
  row: AccountDelivery;
  /** When its broadcast was created, as far as this or an earlier run was told. */
  createdAt: number | null;
  rowsSince: NewRows;
  history: DeliveryHistory;
  /** It is gone for good, and a digest has said so. */
  isGoneAgain: boolean;
  /** Whether the report is about it, or the field in which nobody says so. */
  isOf: ReturnType<typeof isOfReport>;
}

type Other = Pick<Wanted, 'id' | 'status' | 'broadcast'>;

/** What everything is worked out from; `earlier` are the runs of earlier periods. */
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
 * @param earlier what was known for the report's earlier digests, in the order of the runs; by default this is the first
 */
export function knownOf(
  account: Account,
  { unanswered = new Map(), earlier = [] }: Partial<Pick<Sources, 'unanswered' | 'earlier'>> = {},
): Known {
  const { calendar, list } = account;
  const bounds: Bounds = {
    timeZone: calendar.timeZone,
    precedingStart: Date.parse(calendarBefore(calendar).start),
    start: Date.parse(calendar.start),
    end: Date.parse(calendar.end),
  };
  const runs = runsBefore(calendar, earlier);
  const sources = { account, bounds, unanswered, earlier: runs };
  const rows = rowsOfList(account);
  const { rows: listed, broken, cut } = readList('wrapper' in list ? { ...list, rows } : list);
  const { wanted, others, unsaid, hasStrays } = sortDeliveries(sources, listed.length);
  const { deliveries, audiences } = includedOf(wanted, others, sources);
  const growths = growthsOf(wanted, deliveries, { audiences, before: runs.at(-1)?.growths });
  const missing = missingOf(wanted, deliveries, sources);
  const gapsOfList = [
    ...(cut === null ? [] : [{ reason: 'cut-off' }]),
    ...(hasStrays ? [{ reason: 'unreadable' }] : []),
    ...(listed.length === 0 && runs.at(-1)?.isEmpty === false ? [{ reason: 'list-empty' }] : []),
  ];
  const lacksDates = areDatesLacking(wanted);
  const isNamedForDates = deliveries.some(({ isUndatable }) => isUndatable);
  if (lacksDates && !isNamedForDates) gapsOfList.push(undatable);
  for (const field of unsaid) missing.set(field, [{ reason: 'incomplete' }]);
  if (gapsOfList.length > 0) missing.set('deliveries', gapsOfList);
  const brokeOff = cut !== null && cut.reason !== 'cut-off';
  // The figures of the period need every list, and dates in most of the rows that came.
  const totals = unsaid.length === 0 && !isListLacking(missing) && !lacksDates ? totalsOf(deliveries, account) : null;
  return {
    account,
    start: bounds.start,
    digest: broken !== null ? 'no' : brokeOff && wanted.length === 0 && others.length === 0 ? 'maybe' : 'yes',
    totals,
    ...comparedWith(totals, account, earlier),
    undated: wanted.reduce((sum, { counted }) => sum + (counted?.undated ?? 0), 0),
    late: lateOf(totals, wanted, account, earlier),
    deliveries,
    groups: groupsOf(deliveries, wanted, { account, growths }),
    growths,
    unseenNotNamed: wanted.filter((each) => isUnseen(each, bounds) && each.history.isNamedNoMore).map(({ id }) => id),
    unknownDate: wanted.filter((each) => isOfUnknownDate(each, bounds)).map(({ id }) => id),
    otherStatuses: countsOf(others.map(({ status }) => status)),
    missing,
    isEmpty: listed.length === 0,
    read: new Map(wanted.flatMap(({ id, counted }) => (counted === null ? [] : [[id, counted] as const]))),
    unread: [...others, ...wanted.filter(({ counted }) => counted === null)].map(({ id }) => id),
    created: new Map(wanted.map(({ id, createdAt }) => [id, createdAt])),
  };
}

/** The deliveries of the first `count` rows, each once; a wanted status wins. */
function sortDeliveries(
  sources: Sources,
  count: number,
): { wanted: Wanted[]; others: Other[]; unsaid: string[]; hasStrays: boolean } {
  const { account } = sources;
  const { strayRows, deliveries } = account;
  const statuses = new Set(account.statuses.map((word) => word.toLowerCase()));
  const rows = [
    ...deliveries.map((delivery) => ({ delivery, status: delivery.status })),
    ...deliveries.flatMap((delivery) => (delivery.again ? [{ delivery, status: delivery.again.status }] : [])),
  ].slice(0, Math.max(0, count - strayRows.length));
  const wanted: Wanted[] = [];
  const others: Other[] = [];
  const meant: Array<Pick<Wanted, 'isOf' | 'broadcast'> & { name: string | null }> = [];
  for (const delivery of deliveries) {
    const words = rows.filter((each) => each.delivery === delivery).map(({ status }) => statusOf(status));
    const [first] = words;
    if (first === undefined) continue;
    const listedName = listedNameOf(delivery, account);
    const found = readBroadcast(delivery, sources);
    // What the list's own name rules out is not asked for.
    const unread = { ...found, createdBy: null, items: null };
    const broadcast = isOfReport(listedName, unread, account) === false ? unread : found;
    const name = listedName ?? broadcast.name;
    const isOf = isOfReport(name, broadcast, account);
    meant.push({ isOf, broadcast, name });
    if (isOf === false) continue;
    const status = words.find((word) => statuses.has(word.toLowerCase()));
    if (status === undefined) others.push({ id: delivery.id.text, broadcast, status: first });
    else wanted.push({ ...readDelivery(delivery, broadcast, sources), status, isOf });
  }
  const hasStrays = strayRows.length > 0 && count > 0;
  const open = [...new Set(meant.map(({ isOf }) => isOf))].filter((isOf) => typeof isOf === 'string');
  const unsaid = open.filter((field) =>
    meant.every(({ name, broadcast }) => saidIn(field, name, broadcast).every((text) => text === null)),
  );
  // What the report is about is not known.
  return unsaid.length > 0 ? { wanted: [], others: [], unsaid, hasStrays } : { wanted, others, unsaid, hasStrays };
}

function statusOf(status: unknown): string {
  return typeof status === 'string' ? status : 'unknown';
}

function countsOf(words: readonly string[]): Map<string, number> {
  return new Map(words.map((word) => [word, words.filter((other) => other === word).length]));
}

function readDelivery(
  row: AccountDelivery,
  broadcast: KnownBroadcast,
  { bounds, unanswered, earlier }: Sources,
): Omit<Wanted, 'status' | 'isOf'> {
  const id = row.id.text;
  const { rows, broken, cut } = readList(row.recipients);
  const history = historyOf(id, earlier);
  const createdAt = history.createdAt ?? broadcast.createdAt;
  const counted = countRows(rows, bounds, createdAt);
  const isMute = counted.listed > 0 && !counted.hasFields;
  const unread =
    unanswered.get(missingKey('delivery', id)) ?? broken ?? cut ?? (isMute ? { reason: 'unreadable' } : null);
  const gap = isAskable(row.id) ? unread : { reason: 'any' };
  const known = gap === null ? counted : null;
  const since = rowsSince(id, known, earlier);
  return {
    row,
    id,
    broadcast,
    createdAt,
    firstSign: known?.firstSign ?? null,
    counted: known,
    gap,
    rowsSince: since,
    isUndatable: areUndatable(since),
    history,
    isGoneAgain: gap !== null && isGoneAgain(missingKey('delivery', id), gap, earlier),
  };
}

/** Whether too many of the rows that came, over all deliveries, have no readable date. */
function areDatesLacking(wanted: readonly Wanted[]): boolean {
  const engaged = wanted.reduce((sum, each) => sum + each.rowsSince.engaged, 0);
  const undated = wanted.reduce((sum, each) => sum + each.rowsSince.undated, 0);
  return areUndatable({ engaged, undated });
}

/** Whether the list, or a delivery's list of recipients, could not be read. */
function isListLacking(missing: KnownMissing): boolean {
  return [...missing].some(
    ([key, gaps]) =>
      key === 'deliveries' || (key.startsWith('delivery ') && gaps.some(({ reason }) => reason !== undatable.reason)),
  );
}

function includedOf(
  wanted: readonly Wanted[],
  others: readonly Other[],
  sources: Sources,
): { deliveries: KnownDelivery[]; audiences: Audiences } {
  const { account, bounds, earlier } = sources;
  const grown = [...(earlier.at(-1)?.growths ?? [])].map(([id, growth]) => Object.assign({ id }, growth));
  // A run listed it a day ago, of which a clock change may take an hour; or it is all that there ever was of a broadcast.
  const isUnseenLong = ({ id, broadcast, createdAt, history }: Wanted): boolean => {
    if (Date.parse(account.calendar.at) - history.listedAt >= 22 * hourMs) return true;
    const ofSame = [...wanted, ...others, ...grown].filter((each) => each.broadcast.id === broadcast.id);
    const isOnly = broadcast.id !== '' && ofSame.every((each) => each.id === id);
    return isOnly && createdAt !== null && bounds.end - createdAt >= 24 * hourMs;
  };
  const included = wanted.flatMap((each) => {
    const kind = kindOf(each, bounds);
    if (kind === 'left out') return [];
    const { row, broadcast, createdAt, firstSign, history } = each;
    const since = kind === 'silent' ? createdAt : firstSign;
    const stillCounting = since !== null && bounds.end - since < settleMs;
    const isDue = kind === 'new' || (kind === 'active' && history.isPending);
    return [
      {
        ...each,
        kind,
        isJudged: kind === 'silent' ? isUnseenLong(each) : isDue && !stillCounting && !each.isUndatable,
        timesNamed: kind === 'silent' ? history.timesNamed : 0,
        stillCounting,
        contents: readContents(row, { ...broadcast, createdAt }, sources),
      },
    ];
  });
  const audiences = audiencesOf(wanted, included, account);
  const deliveries = included.map((each) =>
    Object.assign({}, each, {
      reach: reachOf(each.counted, audiences.deliveries),
      audience: audienceOf(each, audiences),
      contents: each.contents && withReach(each.contents, audiences.items),
    }),
  );
  return { deliveries, audiences };
}

function withReach(
  contents: readonly KnownContent[],
  isAudience: (type: string) => boolean,
): NonNullable<KnownDelivery['contents']> {
  return contents.map((content) =>
    Object.assign({}, content, { reach: reachOf(content.counted, isAudience(content.type)) }),
  );
}

/** Whether a digest includes a delivery, and as what. */
function kindOf(each: Wanted, bounds: Bounds): KnownDelivery['kind'] | 'left out' {
  const { counted, firstSign, history } = each;
  const { start, end } = bounds;
  if (isLater(each, bounds)) return 'left out';
  if (counted === null) return history.isKnownToBeOlder || each.isGoneAgain ? 'left out' : null;
  if (counted.seen + counted.responded === 0) {
    const isNamed = !history.isNamedNoMore && !history.wasShownEngaged && !history.wasOfUnknownDate;
    return isNamed && !isOfUnknownDate(each, bounds) ? 'silent' : 'left out';
  }
  if (isWithin(firstSign, start, end) && !history.wasNew) return 'new';
  if (each.isUndatable) return null;
  if (counted.inPeriod.seen + counted.inPeriod.responded > 0) return 'active';
  if (firstSign === null) return history.wasShown ? 'left out' : null;
  return history.isPending && end - firstSign >= settleMs ? 'active' : 'left out';
}

/** Whether a delivery is one of a later period. */
function isLater({ firstSign, createdAt }: Wanted, { end }: Bounds): boolean {
  if (firstSign !== null) return firstSign >= end;
  return createdAt !== null && createdAt >= end;
}

function isUnseen(each: Wanted, bounds: Bounds): boolean {
  const { counted } = each;
  return !isLater(each, bounds) && counted !== null && counted.seen + counted.responded === 0;
}

/** In a report's first digest, what nobody has seen and was not created in this period or the one before. */
function isOfUnknownDate(each: Wanted, bounds: Bounds): boolean {
  const isRecent = isWithin(each.createdAt, bounds.precedingStart, bounds.end);
  return each.history.isFirstDigest && isUnseen(each, bounds) && !isRecent;
}

function broadcastKey(id: string, broadcast: KnownBroadcast): string {
  return broadcast.id === '' ? missingKey('broadcast', '', id) : missingKey('broadcast', broadcast.id);
}

function missingOf(
  wanted: readonly Wanted[],
  included: readonly KnownDelivery[],
  { bounds, earlier }: Sources,
): KnownMissing {
  const missing: KnownMissing = new Map();
  const add = (gap: Gap | null, key: string): void => {
    if (gap !== null && !isGoneAgain(key, gap, earlier)) missing.set(key, [...(missing.get(key) ?? []), gap]);
  };
  for (const each of wanted) {
    // Nobody engages with a broadcast before there is one.
    if (!isLater(each, bounds)) add(each.gap, missingKey('delivery', each.id));
  }
  const open = new Map(wanted.map(({ id, isOf }) => [id, isOf]));
  for (const { id, broadcast, contents, isUndatable } of included) {
    if (isUndatable) add(undatable, missingKey('delivery', id));
    add(broadcast.gap, broadcastKey(id, broadcast));
    const field = open.get(id);
    if (broadcast.gap === null && typeof field === 'string')
      add({ reason: 'incomplete' }, missingKey(field, broadcast.id));
    for (const content of contents ?? []) {
      add(content.gap, missingKey('content', id, content.id));
      add(content.ratingsGap, missingKey('ratings', id, content.id));
    }
  }
  return missing;
}
