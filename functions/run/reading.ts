import type { Configuration, ReportConfiguration } from '../domain/configuration/configuration.ts';
import type { DeliveryKind } from '../domain/digest.ts';
import { boundsOf, precedingPeriod, type Period, type PeriodBounds } from '../domain/period.ts';
import { isGoneForGood } from '../domain/reasons.ts';
import { boundsFor } from '../domain/warning.ts';
import { isUnsaid, isWantedStatus, meetsFilter, type FilterField, type Said } from '../domain/report-filter.ts';
import {
  readDeliveryList,
  readFound,
  type CollectionKey,
  type DeliveryList,
  type Found,
  type ListedDelivery,
  type Phase,
} from '../ledger/runs/collections.ts';
import type { DeliveryHistory, History } from '../ledger/runs/digests.ts';
import type { Table } from '../ledger/table.ts';
import { includeForCheck } from './check.ts';
import { accountOf, readBefore, type Earlier } from './earlier-figures.ts';

/** All that a collection found, and what earlier digests said of the same things. */
export interface Collected {
  list: DeliveryList;
  /** The deliveries of the report: those with a wanted status, and the others. */
  wanted: readonly ListedDelivery[];
  others: readonly ListedDelivery[];
  recipients: ReadonlyArray<Found<'recipients'>>;
  broadcasts: ReadonlyMap<string, Found<'broadcasts'>>;
  /** Deliveries of which nothing says whether the report is about their broadcast, with the field that is missing. */
  undecided: ReadonlyMap<string, FilterField>;
  /** Deliveries of which nothing says whether the report leaves out their broadcast: it does not. */
  maybeExcepted: ReadonlySet<string>;
  /** How many deliveries the report leaves out. */
  leftOut: number;
  /** Fields that the report filters by and that no broadcast says: what it is about is not known, and it has no delivery. */
  unsaid: readonly FilterField[];
  /** By delivery, then by content item. */
  contents: ReadonlyMap<string, ReadonlyMap<string, Found<'contents'>>>;
  /** What the latest earlier digest left to know; `null` where there is none. */
  history: History | null;
}

/** What decides, beside a delivery's own answers, whether a digest includes it. */
export interface DigestBounds extends PeriodBounds {
  precedingStart: number;
  /** No digest of an earlier period was made for this report of this account. */
  firstRun: boolean;
  /** Hours after its first sign from which on a delivery is judged. */
  settleHours: number;
  /** When the collection began, in epoch milliseconds. */
  collectedAt: number;
  /** The deliveries of each broadcast that are or were listed, in any status; once they are gone, those that were seen. */
  everListed: ReadonlyMap<string, ReadonlyArray<{ id: string }>>;
}

/** A delivery that the digest includes, and why it does. */
export interface IncludedDelivery {
  found: Found<'recipients'>;
  /** `null` where its engagement, or when that was, could not be read. */
  kind: DeliveryKind | null;
  /** Its first sign, or at least its broadcast's creation, is too young to judge it. */
  stillCounting: boolean;
  /** This digest is the first that can say whether it reached enough people; or it may say that nobody has seen it. */
  judged: boolean;
  /** Too many of the rows that came since the last digest have a date that cannot be read. */
  datesUnreadable: boolean;
}

/** What a collection has found so far, what earlier digests of the report left, and what this one includes. */
export interface Reading extends Earlier {
  collected: Collected;
  included: IncludedDelivery[];
  /** The deliveries whose recipients are asked for. */
  toRead: readonly ListedDelivery[];
  /** What decided that. */
  bounds: DigestBounds;
}

/**
 * Opens a collection for reading while it goes on: each call gives what was found so far. A document is read, unzipped and
 * checked once, however many calls there are, and so is what earlier digests left.
 */
export function openReader(
  table: Table,
  key: CollectionKey,
  {
    report,
    service,
    period,
    collectedAt,
  }: { report: ReportConfiguration; service: Configuration['service']; period: Period; collectedAt: number },
): () => Promise<Reading> {
  const broadcasts = followFound(table, key, 'broadcasts');
  const recipients = followFound(table, key, 'recipients');
  const contents = followFound(table, key, 'contents');
  let before: (Awaited<ReturnType<typeof readBefore>> & { list: DeliveryList }) | null = null;
  return async () => {
    const { end: until } = boundsFor(report, period, collectedAt);
    const account = accountOf(service);
    before ??= {
      ...(await readBefore(table, report, { period, until, account })),
      list: await readDeliveryList(table, key),
    };
    const { list, history, ...earlier } = before;
    const found = { broadcasts: await broadcasts(), recipients: await recipients(), contents: await contents() };
    const collected = collectedOf({ list, history, ...found }, report);
    return includeFor(collected, period, { ...earlier, settleHours: report.settleHours, collectedAt });
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
  found: Pick<Collected, 'list' | 'history'> & { [P in Phase]: ReadonlyArray<Found<P>> },
  report: ReportConfiguration,
): Collected {
  const broadcasts = new Map(found.broadcasts.map((broadcast) => [broadcast.id, broadcast]));
  const listed = found.list.deliveries.map((delivery) => {
    const said = saidOf(delivery, broadcasts);
    const isExcepted = report.except === undefined ? false : meetsFilter(said, report.except);
    return { delivery, said, isOf: meetsFilter(said, report.only ?? {}), isExcepted };
  });
  const candidates = listed.filter(({ isExcepted }) => isExcepted !== true);
  const undecided = new Map(
    candidates.flatMap(({ delivery: { id }, isOf }) => (typeof isOf === 'string' ? [[id, isOf]] : [])),
  );
  const isAsked = candidates.every(
    ({ delivery: { id, broadcast } }) => !undecided.has(id) || broadcast.id === '' || broadcasts.has(broadcast.id),
  );
  const unsaid = [...new Set(undecided.values())].filter(
    (field) => isAsked && candidates.every(({ said }) => isUnsaid(field, said)),
  );
  const deliveries =
    unsaid.length > 0 ? [] : candidates.filter(({ isOf }) => isOf !== false).map(({ delivery }) => delivery);
  const byDelivery = Map.groupBy(found.contents, ({ delivery }) => delivery);
  return {
    ...found,
    wanted: deliveries.filter(({ status }) => isWantedStatus(status, report)),
    others: deliveries.filter(({ status }) => !isWantedStatus(status, report)),
    broadcasts,
    undecided,
    maybeExcepted: new Set(
      candidates.flatMap(({ delivery: { id }, isExcepted }) => (isExcepted === false ? [] : [id])),
    ),
    leftOut: listed.filter(({ isOf, isExcepted }) => isOf !== false && isExcepted === true).length,
    unsaid,
    contents: new Map(
      [...byDelivery].map(([delivery, all]) => [delivery, new Map(all.map((each) => [each.content, each]))]),
    ),
  };
}

/** What the list and its own answer say of a delivery's broadcast. */
function saidOf({ broadcast: { id, name } }: ListedDelivery, broadcasts: Collected['broadcasts']): Said {
  const detail = broadcasts.get(id)?.broadcast;
  return {
    createdBy: [detail?.createdBy ?? ''],
    broadcastName: [name ?? detail?.name ?? ''],
    contentType: detail?.contents.map(({ type }) => type) ?? [''],
  };
}

/** What the digest of a period includes. Gone for good, a delivery is in one digest, and then in the coverage alone. */
export function includeFor(
  collected: Collected,
  period: Period,
  { settleHours, collectedAt, ...before }: Earlier & Pick<DigestBounds, 'settleHours' | 'collectedAt'>,
): Reading {
  const { wanted, others, recipients, history } = collected;
  const { start: precedingStart } = boundsOf(precedingPeriod(period));
  const known = [...(history?.deliveries ?? [])].flatMap(([id, { growth }]) => (growth ? [{ ...growth, id }] : []));
  const everListed = Map.groupBy([...wanted, ...others, ...known], ({ broadcast }) => broadcast.id);
  const firstRun = history === null;
  const bounds = { ...boundsOf(period), precedingStart, firstRun, settleHours, collectedAt, everListed };
  if (before.watched !== undefined) {
    const judged = before.hasLater ? { toRead: [], included: [] } : includeForCheck(collected, before.watched);
    return { ...before, collected, bounds, ...judged };
  }
  const included = recipients.flatMap((found) => {
    const { delivery, unavailable } = found;
    const isGone = unavailable !== undefined && isGoneForGood(unavailable);
    if (isGone && history?.gone.has(keyOf('delivery', delivery.id))) return [];
    return includeDelivery(found, collected, bounds) ?? [];
  });
  return { ...before, collected, included, toRead: wanted, bounds };
}

/** When a delivery's broadcast was created, as an earlier run knew it or by its answer; `null` where that is not known. */
export function createdAtOf(
  { id, broadcast }: ListedDelivery,
  { broadcasts, history }: Pick<Collected, 'broadcasts' | 'history'>,
): number | null {
  return history?.deliveries.get(id)?.createdAt ?? broadcasts.get(broadcast.id)?.broadcast?.createdAt ?? null;
}

/** The key of a thing of the service, under which the history knows that it is gone. */
export function keyOf(...parts: string[]): string {
  return JSON.stringify(parts);
}

/** The most digests that name a delivery as seen by nobody. */
const mostNamings = 4;

/**
 * Whether and why the digest includes a delivery with a wanted status; `null` where it does not. No delivery is
 * older than its broadcast's creation, where that is known, but one broadcast may be delivered over months.
 *
 * - new: its first sign lies in the period, and no digest of an earlier period counted it as new;
 * - silent: nobody has engaged, and fewer than four digests named it. In a report's first run only if its broadcast was
 *   created in this period or the one before, and what that run left out stays out: nothing says when it was sent. A digest
 *   names only what it judges;
 * - active: any other with engagement within the period, and what can be judged for the first time: it was still counting
 *   in the last digest, or listed and not read;
 * - what cannot be read is included, unless it is known to be older.
 */
function includeDelivery(
  found: Found<'recipients'>,
  collected: Collected,
  bounds: DigestBounds,
): IncludedDelivery | null {
  const { delivery, engagement } = found;
  const history = collected.history?.deliveries.get(delivery.id);
  const createdAt = createdAtOf(delivery, collected);
  const { start, end } = bounds;
  if ((engagement?.firstSign ?? createdAt ?? start) >= end) return null;
  const unread = { found, kind: null, stillCounting: false, judged: false, datesUnreadable: false };
  if (engagement === undefined) return isKnownToBeOlder(history) ? null : unread;
  const { seen, responded, firstSign, inPeriod } = engagement;
  if (seen + responded === 0) {
    if (!isNamedNow(createdAt, history, bounds)) return null;
    const judged = isLongUnseen(delivery, collected, bounds);
    return { ...unread, kind: 'silent', stillCounting: isYoung(createdAt, bounds), judged };
  }
  const datesUnreadable = areDatesUnreadable([found], collected.history);
  if (firstSign === null) return datesUnreadable || !history?.shown ? { ...unread, datesUnreadable } : null;
  const stillCounting = isYoung(firstSign, bounds);
  const isNew = firstSign >= start && !history?.new;
  const judged = (isNew || history?.pending === true) && !stillCounting && !datesUnreadable;
  const said = { found, stillCounting, judged, datesUnreadable };
  if (isNew || datesUnreadable) return { kind: isNew ? 'new' : null, ...said };
  return judged || inPeriod.seen + inPeriod.responded > 0 ? { kind: 'active', ...said } : null;
}

/** Whether the last run that could read a delivery counted engagement dated before the end of its period. */
export function isKnownToBeOlder(history: DeliveryHistory | undefined): boolean {
  const { seen = 0, responded = 0 } = history?.counted ?? {};
  return seen + responded > 0;
}

function isNamedNow(createdAt: number | null, history: DeliveryHistory | undefined, bounds: DigestBounds): boolean {
  if (history?.engaged || history?.leftOut || (history?.namedIn?.length ?? 0) >= mostNamings) return false;
  return !bounds.firstRun || (createdAt !== null && createdAt >= bounds.precedingStart);
}

const hourMs = 3_600_000;
/** A daily run's day may have 23 hours, and begins some minutes off. */
const dayBetweenRunsMs = 22 * hourMs;

/** Whether it may be said that nobody has seen a delivery: it is known to be listed for a day, or to be its broadcast's only one. */
function isLongUnseen(delivery: ListedDelivery, collected: Collected, bounds: DigestBounds): boolean {
  const { id, broadcast } = delivery;
  const { listedIn = bounds.collectedAt, listedAt = listedIn } = collected.history?.deliveries.get(id) ?? {};
  if (bounds.collectedAt - listedAt >= dayBetweenRunsMs) return true;
  const createdAt = createdAtOf(delivery, collected);
  if (createdAt === null || bounds.end - createdAt < 24 * hourMs || broadcast.id === '') return false;
  return bounds.everListed.get(broadcast.id)?.every((each) => each.id === id) === true;
}

function isYoung(instant: number | null, { end, settleHours }: DigestBounds): boolean {
  return instant !== null && end - instant < settleHours * hourMs;
}

/** A share and a number of rows without a readable date up to which a figure of the period is given, with a note. */
const toleratedPercent = 10;
const toleratedRows = 2;

/**
 * Whether too many of the rows that came to some lists since the last run that could read them lack a readable date for any
 * figure of the period: it would be smaller than the truth.
 */
export function areDatesUnreadable(recipients: Collected['recipients'], history: History | null): boolean {
  let [engaged, undated] = [0, 0];
  for (const { delivery, engagement } of recipients) {
    const counted = history?.deliveries.get(delivery.id)?.counted;
    engaged += Math.max(0, (engagement?.engaged ?? 0) - (counted?.engaged ?? 0));
    undated += Math.max(0, (engagement?.undated ?? 0) - (counted?.undated ?? 0));
  }
  return undated > toleratedRows && 100 * undated > toleratedPercent * engaged;
}
