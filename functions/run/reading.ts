import type { Configuration, ReportConfiguration } from '../domain/configuration/configuration.ts';
import type { DeliveryKind } from '../domain/digest.ts';
import { saysViews } from '../domain/figures.ts';
import { oldestJudgedHours } from '../domain/judging.ts';
import { boundsOf, type Period, type PeriodBounds } from '../domain/period.ts';
import { isGoneForGood } from '../domain/reasons.ts';
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
import { boundsFor, selectDue } from '../warnings/due.ts';
import { readBeside, type Beside } from '../warnings/judged-report.ts';
import { accountOf, readEarlier, type Earlier } from './earlier-figures.ts';

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
  /** No digest of an earlier period was made for this report of this account. */
  firstRun: boolean;
  /** Hours after its first sign from which on a delivery is judged. */
  settleHours: number;
  /** When the collection began, in epoch milliseconds. */
  collectedAt: number;
}

/** A delivery that the digest includes, and why it does. */
export interface IncludedDelivery {
  found: Found<'recipients'>;
  /** `null` where its engagement, or when that was, could not be read. */
  kind: DeliveryKind | null;
  /** Its first sign, or at least its broadcast's creation, is too young to judge it. */
  stillCounting: boolean;
  /** This digest is the first that may say whether it reached too few; or it may say that nobody has seen it. */
  isDue: boolean;
  /**
   * Why its figures of the period are not known although its list could be read: too many of the rows that came since the last
   * digest have a date that cannot be read, or the service does not say who saw it.
   */
  gap: 'dates-unreadable' | 'unreadable' | null;
}

/** What a collection has found so far, what earlier digests of the report left, and what this one includes. */
export interface Reading extends Earlier, Beside {
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
  let before: (Beside & Awaited<ReturnType<typeof readEarlier>> & { list: DeliveryList }) | null = null;
  return async () => {
    const { end: until } = boundsFor(report, period, collectedAt);
    const account = accountOf(service);
    before ??= {
      ...(await readEarlier(table, report, { ...period, account })),
      ...(await readBeside(table, report, { period, until, account })),
      list: await readDeliveryList(table, key),
    };
    const { list, history, ...earlier } = before;
    const found = { broadcasts: await broadcasts(), recipients: await recipients(), contents: await contents() };
    const collected = collectedOf({ list, history, ...found }, report);
    return includeFor(collected, period, { ...earlier, report, collectedAt });
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
  const { recipients, contents } = readableOf(found);
  const byDelivery = Map.groupBy(contents, ({ delivery }) => delivery);
  // What was delivered once counts in figures, whatever became of its status; nothing is warned of it.
  const isCounted = ({ id, status }: ListedDelivery): boolean => {
    const { wantedAs } = found.history?.deliveries.get(id) ?? {};
    const wasWanted = wantedAs !== undefined && isWantedStatus(wantedAs, report);
    return isWantedStatus(status, report) || (report.warningOf === undefined && wasWanted);
  };
  return {
    ...found,
    recipients,
    wanted: deliveries.filter(isCounted),
    others: deliveries.filter((delivery) => !isCounted(delivery)),
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

const unreadable = { unavailable: { reason: 'unreadable' } } as const;

/**
 * The lists that can be read. None can that has rows, where one of the two dates has another name in the whole run; nor can the
 * recipients of a delivery that are none while the lists of its content items have people who saw it or responded.
 */
function readableOf({ recipients, contents }: { [P in 'recipients' | 'contents']: ReadonlyArray<Found<P>> }) {
  const lists = [...recipients, ...contents].flatMap(({ engagement }) => engagement ?? []);
  const isMissing = (['seenAt', 'respondedAt'] as const).some((field) =>
    lists.every(({ listed, lacking }) => (lacking?.[field] ?? 0) === listed),
  );
  const engagedWith = new Set(contents.flatMap(({ delivery, engagement }) => (engagement?.engaged ? [delivery] : [])));
  const isUnreadable = (list: Found<'recipients'>['engagement']): boolean =>
    isMissing && list !== undefined && list.listed > 0;
  const isEmptied = ({ delivery, engagement }: Found<'recipients'>): boolean =>
    engagement?.listed === 0 && engagedWith.has(delivery.id);
  return {
    recipients: recipients.map((list): Found<'recipients'> =>
      isEmptied(list) || isUnreadable(list.engagement) ? { delivery: list.delivery, ...unreadable } : list,
    ),
    contents: contents.map((list): Found<'contents'> =>
      isUnreadable(list.engagement) ? { delivery: list.delivery, content: list.content, ...unreadable } : list,
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

/** What of a report's settings decides whether a delivery is judged. */
type Judged = Pick<ReportConfiguration, 'settleHours' | 'statuses'>;

/** What the digest of a period includes. Gone for good, a delivery is in one digest, and then in the coverage alone. */
export function includeFor(
  collected: Collected,
  period: Period,
  { report, collectedAt, ...before }: Earlier & Beside & Pick<DigestBounds, 'collectedAt'> & { report: Judged },
): Reading {
  const { settleHours } = report;
  const { wanted, recipients, history } = collected;
  const firstRun = history === null;
  const bounds = { ...boundsOf(period), firstRun, settleHours, collectedAt };
  const { judgedReport, hasLater } = before;
  if (judgedReport !== undefined) {
    if (hasLater) return { ...before, collected, bounds, toRead: [], included: [] };
    const { toRead, due } = selectDue(wanted, recipients, history, judgedReport);
    const dueNow = due.map(({ found, kind }) => ({ found, kind, gap: null, stillCounting: false, isDue: false }));
    return { ...before, collected, bounds, toRead, included: dueNow };
  }
  const included = recipients.flatMap((found) => {
    const { delivery, unavailable } = found;
    const isGone = unavailable !== undefined && isGoneForGood(unavailable);
    if (isGone && history?.gone.has(keyOf('delivery', delivery.id))) return [];
    return includeDelivery(found, collected, { bounds, report, warningHistory: before.warningHistory ?? null }) ?? [];
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
 * Whether and why the digest includes a delivery; `null` where it does not. No delivery is older than its broadcast's creation,
 * where that is known, but one broadcast may be delivered over months.
 *
 * - new: its first sign lies in the period, and no digest of an earlier period counted it as new;
 * - silent: nobody has engaged, its status is a wanted one now, and fewer than four digests named it. In a report's first run
 *   only if its broadcast was created in this period or the one before, and what that run left out stays out: nothing says
 *   when it was sent;
 * - active: any other with engagement within the period, whose judgement falls due, or that no run could read before: to a first
 *   one that would be everything;
 * - what cannot be read is included, unless it is known to be older.
 */
function includeDelivery(
  found: Found<'recipients'>,
  collected: Collected,
  { bounds, report, warningHistory }: { bounds: DigestBounds; report: Judged; warningHistory: History | null },
): IncludedDelivery | null {
  const { delivery, engagement } = found;
  const history = collected.history?.deliveries.get(delivery.id);
  const createdAt = createdAtOf(delivery, collected);
  const { start, end, firstRun } = bounds;
  if ((engagement?.firstSign ?? createdAt ?? start) >= end) return null;
  const unread: IncludedDelivery = { found, kind: null, stillCounting: false, isDue: false, gap: null };
  if (engagement === undefined) return isKnownToBeOlder(history) ? null : unread;
  const isWanted = isWantedStatus(delivery.status, report);
  const { engaged, firstSign, inPeriod } = engagement;
  if (engaged === 0) {
    if (!isWanted || !isNamedNow(createdAt, history, bounds)) return null;
    const isDue = hasBeenListed([history, warningHistory?.deliveries.get(delivery.id)], bounds);
    return { ...unread, kind: 'silent', stillCounting: isYoung(createdAt, bounds), isDue };
  }
  const gap = gapOf(found, collected.history);
  if (firstSign === null) return gap !== null || !history?.shown ? { ...unread, gap } : null;
  const stillCounting = isYoung(firstSign, bounds);
  const isNew = firstSign >= start && !history?.new;
  const isDue = isWanted && !history?.judged && !stillCounting && isWithinJudging(firstSign, end) && gap === null;
  const included = { found, stillCounting, isDue, gap };
  if (isNew) return { kind: 'new', ...included };
  if (gap === 'dates-unreadable') return { kind: null, ...included };
  const isUnknown = history?.counted === undefined && !firstRun;
  return isDue || isUnknown || inPeriod.seen + inPeriod.responded > 0 ? { kind: 'active', ...included } : null;
}

/** Why the figures of the period are not known of a list that could be read; `null` where they are. */
function gapOf(list: Found<'recipients'>, history: History | null): IncludedDelivery['gap'] {
  if (areDatesUnreadable([list], history)) return 'dates-unreadable';
  return list.engagement !== undefined && !saysViews(list.engagement) ? 'unreadable' : null;
}

/** Whether the last run that could read a delivery counted engagement dated before the end of its period. */
export function isKnownToBeOlder(history: DeliveryHistory | undefined): boolean {
  const { seen = 0, responded = 0 } = history?.counted ?? {};
  return seen + responded > 0;
}

/** Whether so many digests have said that nobody has seen a delivery that no further one does. */
export function isNamedEnough(history: DeliveryHistory | undefined): boolean {
  return (history?.namedIn?.length ?? 0) >= mostNamings;
}

function isNamedNow(createdAt: number | null, history: DeliveryHistory | undefined, bounds: DigestBounds): boolean {
  if (history?.engaged || history?.leftOut || isNamedEnough(history)) return false;
  return !bounds.firstRun || (createdAt !== null && createdAt >= bounds.precedingStart);
}

const hourMs = 3_600_000;
/** Runs begin some minutes off, and a clock change takes an hour. */
const earlierByMs = 2 * hourMs;

/** Whether an earlier run, of the report or of its warnings, listed a delivery with a wanted status, `settleHours` ago or more. */
function hasBeenListed(
  histories: ReadonlyArray<DeliveryHistory | undefined>,
  { collectedAt, settleHours }: DigestBounds,
): boolean {
  return histories.some((history) => {
    const wantedAt = history?.wantedAt ?? collectedAt;
    return wantedAt < collectedAt && collectedAt - wantedAt >= settleHours * hourMs - earlierByMs;
  });
}

/** Whether a first sign is not too old to judge a delivery at the end of a period. */
export function isWithinJudging(firstSign: number, end: number): boolean {
  return end - firstSign <= oldestJudgedHours * hourMs;
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
  const { engaged, undated } = rowsSince(recipients, history);
  return undated > toleratedRows && 100 * undated > toleratedPercent * engaged;
}

/** The rows with engagement that came to some lists since the last run that could read them, and those without a readable date. */
export function rowsSince(
  recipients: Collected['recipients'],
  history: History | null,
): { engaged: number; undated: number } {
  let [engaged, undated] = [0, 0];
  for (const { delivery, engagement } of recipients) {
    const counted = history?.deliveries.get(delivery.id)?.counted;
    engaged += Math.max(0, (engagement?.engaged ?? 0) - (counted?.engaged ?? 0));
    undated += Math.max(0, (engagement?.undated ?? 0) - (counted?.undated ?? 0));
  }
  return { engaged, undated };
}
