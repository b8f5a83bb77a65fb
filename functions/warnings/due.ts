import { Temporal } from 'temporal-polyfill';
import type { ReportConfiguration } from '../domain/configuration/configuration.ts';
import { boundsOf, hourMs, type Period, type PeriodBounds } from '../domain/period.ts';
import { nextDue, offScheduleMs } from '../domain/schedule.ts';
import type { Found, ListedDelivery } from '../ledger/runs/collections.ts';
import type { History } from '../ledger/runs/digests.ts';
import type { JudgedReport } from './judged-report.ts';

/** What fell due is judged for so long: whatever is older is no early warning. */
const triedMs = 72 * hourMs;

/**
 * The bounds within which a report counts what it collects from `collectedAt` on, in epoch milliseconds: those of the period; a
 * warning counts up to its own instant of the day after, whenever it is triggered, and never into the future.
 */
export function boundsFor(
  { schedule, warningOf }: Pick<ReportConfiguration, 'schedule' | 'warningOf'>,
  period: Period,
  collectedAt: number,
): PeriodBounds {
  const bounds = boundsOf(period);
  if (warningOf === undefined) return bounds;
  const [due] = nextDue(schedule, Temporal.Instant.from(period.end), 1);
  return { ...bounds, end: Math.min(Date.parse(due?.scheduledTime ?? period.end), collectedAt) };
}

/**
 * How far a warning is with a delivery: its first sign is not known before its recipients are read; it has not reached the age; it
 * is to be judged; it would have been, too long ago; or it was judged, or had reached the age before the warning began.
 */
export type Stage = 'unknown' | 'young' | 'due' | 'late' | 'done';

/**
 * The stage of a delivery. It counts from its first sign, or, where nobody has seen it, from the first run that listed it; and what
 * an earlier run left waiting, from that run.
 *
 * @param history what the warning's latest run left
 * @param recipients its list, once it was asked for
 */
export function stageOf(
  { id }: ListedDelivery,
  report: JudgedReport,
  history: History | null,
  recipients: Found<'recipients'> | undefined,
): Stage {
  const { until, settings } = report;
  const noted = history?.deliveries.get(id);
  const { done = false, waiting } = noted?.warning ?? {};
  if (done) return 'done';
  const known = noted?.firstSign ?? report.history?.deliveries.get(id)?.firstSign ?? null;
  const firstSign = recipients?.engagement === undefined ? known : recipients.engagement.firstSign;
  if (firstSign === null && recipients === undefined) return 'unknown';
  const begins = firstSign ?? listedAtOf(id, report, history) - offScheduleMs;
  const due = waiting ?? begins + settings.afterHours * hourMs;
  if (due > until) return 'young';
  if (waiting === undefined && due <= sinceOf(report, history)) return 'done';
  return until - due > triedMs ? 'late' : 'due';
}

/** What had reached the age by then is never judged: a first run names nothing old. */
export function sinceOf({ since, until }: JudgedReport, history: History | null): number {
  return history?.warning?.since ?? Math.min(until, since ?? until);
}

/**
 * When an earlier run of the report or of its warning first listed a delivery with a wanted status; `Infinity` where none did, or
 * only the very first of either, which says nothing of when it was sent.
 */
function listedAtOf(id: string, report: JudgedReport, history: History | null): number {
  const { listedAt = Infinity } = history?.deliveries.get(id)?.warning ?? {};
  const { leftOut = false, wantedAt = Infinity } = report.history?.deliveries.get(id) ?? {};
  return Math.min(
    listedAt > (history?.warning?.firstRun ?? Infinity) ? listedAt : Infinity,
    leftOut ? Infinity : wantedAt,
  );
}

interface Due extends Found<'recipients'> {
  /** `null` where they could not be read, or it is too late for that. */
  kind: 'new' | 'silent' | null;
}

/** What a warning asks for, and what falls due once it knows the recipients of that. */
export function selectDue(
  wanted: readonly ListedDelivery[],
  recipients: ReadonlyArray<Found<'recipients'>>,
  history: History | null,
  report: JudgedReport,
): { toRead: ListedDelivery[]; due: Due[] } {
  const lists = new Map(recipients.map((list) => [list.delivery.id, list]));
  const toRead = wanted.filter((delivery) =>
    ['unknown', 'due'].includes(stageOf(delivery, report, history, undefined)),
  );
  const due = wanted.flatMap((delivery): Due[] => {
    const list = lists.get(delivery.id);
    const stage = stageOf(delivery, report, history, list);
    if (stage === 'late' || (stage === 'due' && list === undefined)) return [{ delivery, kind: null }];
    if (stage !== 'due' || list === undefined) return [];
    const { engagement } = list;
    return [{ ...list, kind: engagement === undefined ? null : engagement.engaged === 0 ? 'silent' : 'new' }];
  });
  return { toRead, due };
}
