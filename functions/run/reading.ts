import { accountOf } from '../domain/configuration/account.ts';
import type { Configuration, ReportConfiguration } from '../domain/configuration/configuration.ts';
import type { DeliveryKind } from '../domain/digest.ts';
import { saysViews } from '../domain/figures.ts';
import { oldestJudgedHours } from '../domain/judging.ts';
import { boundsOf, hourMs, type Period, type PeriodBounds } from '../domain/period.ts';
import { isGoneForGood } from '../domain/reasons.ts';
import { isWantedStatus } from '../domain/report-filter.ts';
import { offScheduleMs } from '../domain/schedule.ts';
import {
  readDeliveryList,
  readFound,
  type CollectionKey,
  type Found,
  type ListedDelivery,
} from '../ledger/runs/collections.ts';
import type { DeliveryHistory, History } from '../ledger/runs/digests.ts';
import type { Table } from '../ledger/table.ts';
import { boundsFor, selectDue } from '../warnings/due.ts';
import { readBeside, type Beside } from '../warnings/judged-report.ts';
import { areDatesUnreadable, collectedOf, createdAtOf, keyOf, type Collected } from './collected.ts';
import { readEarlier, type Earlier } from './earlier-figures.ts';

interface DigestBounds extends PeriodBounds {
  /** No digest of an earlier period was made for this report of this account. */
  firstRun: boolean;
  /** Hours after its first sign from which on a delivery is judged. */
  settleHours: number;
  /** When the collection began, in epoch milliseconds. */
  collectedAt: number;
}

/** The recipients of a delivery that the digest includes, and why it does. */
export interface IncludedDelivery extends Found<'recipients'> {
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
  bounds: DigestBounds;
}

/** Reads what a collection has found so far, beside what earlier digests left. */
export async function readCollection(
  table: Table,
  key: CollectionKey,
  options: { report: ReportConfiguration; service: Configuration['service']; period: Period; collectedAt: number },
): Promise<Reading> {
  const { report, service, period, collectedAt } = options;
  const { end: until } = boundsFor(report, period, collectedAt);
  const account = accountOf(service);
  const [{ history, ...earlier }, beside, list, broadcasts, recipients, contents] = await Promise.all([
    readEarlier(table, report, { ...period, account }),
    readBeside(table, report, { period, until, account }),
    readDeliveryList(table, key),
    readFound(table, key, 'broadcasts'),
    readFound(table, key, 'recipients'),
    readFound(table, key, 'contents'),
  ]);
  return includeFor(collectedOf({ list, broadcasts, recipients, contents, history }, report), period, {
    ...earlier,
    ...beside,
    report,
    collectedAt,
  });
}

type Judged = Pick<ReportConfiguration, 'settleHours' | 'statuses'>;

/** What the digest of a period includes. Gone for good, a delivery is in one digest, and then in the coverage alone. */
export function includeFor(
  collected: Collected,
  period: Period,
  { report, collectedAt, ...before }: Earlier & Beside & Pick<DigestBounds, 'collectedAt'> & { report: Judged },
): Reading {
  const { wanted, recipients, history } = collected;
  const { settleHours } = report;
  const bounds = { ...boundsOf(period), firstRun: history === null, settleHours, collectedAt };
  const { judgedReport, hasLater, warningHistory = null } = before;
  if (judgedReport !== undefined) {
    if (hasLater) return { ...before, collected, bounds, toRead: [], included: [] };
    const { toRead, due } = selectDue(wanted, recipients, history, judgedReport);
    const included = due.map((list) => Object.assign({ gap: null, stillCounting: false, isDue: false }, list));
    return { ...before, collected, bounds, toRead, included };
  }
  const included = recipients.flatMap(
    (list) => includeDelivery(list, collected, { bounds, report, warningHistory }) ?? [],
  );
  return { ...before, collected, included, toRead: wanted, bounds };
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
 * - active: any other with engagement within the period, whose judgement falls due, or, after the first run, that no run could
 *   read before;
 * - what cannot be read is included, unless it is known to be older.
 */
function includeDelivery(
  list: Found<'recipients'>,
  collected: Collected,
  { bounds, report, warningHistory }: { bounds: DigestBounds; report: Judged; warningHistory: History | null },
): IncludedDelivery | null {
  const { delivery, engagement, unavailable } = list;
  const history = collected.history?.deliveries.get(delivery.id);
  const createdAt = createdAtOf(delivery, collected);
  const { start, end, firstRun } = bounds;
  if ((engagement?.firstSign ?? createdAt ?? start) >= end) return null;
  const unread: IncludedDelivery = { ...list, kind: null, stillCounting: false, isDue: false, gap: null };
  if (engagement === undefined) {
    const isGone = unavailable !== undefined && isGoneForGood(unavailable);
    const isNamedGone = isGone && collected.history?.gone.has(keyOf('delivery', delivery.id));
    return isNamedGone || isKnownToBeOlder(history) ? null : unread;
  }
  const isWanted = isWantedStatus(delivery.status, report);
  const { engaged, firstSign, inPeriod } = engagement;
  if (engaged === 0) {
    if (!isWanted || !isNamedNow(createdAt, history, bounds)) return null;
    const isDue = hasBeenListed([history, warningHistory?.deliveries.get(delivery.id)], bounds);
    return { ...unread, kind: 'silent', stillCounting: isYoung(createdAt, bounds), isDue };
  }
  const gap = gapOf(list, collected.history);
  if (firstSign === null) return gap !== null || !history?.shown ? { ...unread, gap } : null;
  const stillCounting = isYoung(firstSign, bounds);
  const isDue = isWanted && !history?.judged && !stillCounting && isWithinJudging(firstSign, end) && gap === null;
  const included = { ...list, stillCounting, isDue, gap };
  if (firstSign >= start && !history?.new) return { kind: 'new', ...included };
  if (gap === 'dates-unreadable') return { kind: null, ...included };
  const isUnknown = history?.counted === undefined && !firstRun;
  return isDue || isUnknown || inPeriod.seen + inPeriod.responded > 0 ? { kind: 'active', ...included } : null;
}

function gapOf(list: Found<'recipients'>, history: History | null): IncludedDelivery['gap'] {
  if (areDatesUnreadable({ recipients: [list], history })) return 'dates-unreadable';
  return list.engagement !== undefined && !saysViews(list.engagement) ? 'unreadable' : null;
}

/** Whether the last run that could read a delivery counted engagement dated before the end of its period. */
function isKnownToBeOlder(history: DeliveryHistory | undefined): boolean {
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

/** Whether an earlier run, of the report or of its warnings, listed a delivery with a wanted status, `settleHours` ago or more. */
function hasBeenListed(
  histories: ReadonlyArray<DeliveryHistory | undefined>,
  { collectedAt, settleHours }: DigestBounds,
): boolean {
  return histories.some((history) => {
    const wantedAt = history?.wantedAt ?? collectedAt;
    return wantedAt < collectedAt && collectedAt - wantedAt >= settleHours * hourMs - offScheduleMs;
  });
}

/** Whether a first sign is not too old to judge a delivery at the end of a period. */
export function isWithinJudging(firstSign: number, end: number): boolean {
  return end - firstSign <= oldestJudgedHours * hourMs;
}

function isYoung(instant: number | null, { end, settleHours }: DigestBounds): boolean {
  return instant !== null && end - instant < settleHours * hourMs;
}
