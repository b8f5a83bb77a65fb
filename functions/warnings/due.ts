import { Temporal } from 'temporal-polyfill';
import type { ReportConfiguration } from '../domain/configuration/configuration.ts';
import { boundsOf, type Period, type PeriodBounds } from '../domain/period.ts';
import { nextDue } from '../domain/schedule.ts';
import type { Found, ListedDelivery } from '../ledger/runs/collections.ts';
import type { History } from '../ledger/runs/digests.ts';
import type { JudgedReport } from './judged-report.ts';

const hourMs = 3_600_000;
/** What could not be judged is tried again for so long: whatever is older is no early warning. */
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
 * is to be judged; it would have been, too long ago; or it was judged, or was as old when the first run looked.
 */
export type Stage = 'unknown' | 'young' | 'due' | 'late' | 'done';

/**
 * The stage of a delivery. Where nobody has seen it, it counts from the run that first listed it; where that was the first run,
 * from its first sign alone.
 *
 * @param history what the warning's latest run left
 * @param found its recipients, once they were asked for
 */
export function stageOf(
  { id }: ListedDelivery,
  { until, settings, history: historyOfReport }: JudgedReport,
  history: History | null,
  found: Found<'recipients'> | undefined,
): Stage {
  const { warning, growth } = history?.deliveries.get(id) ?? {};
  if (warning?.done) return 'done';
  const known = growth?.firstSign ?? historyOfReport?.deliveries.get(id)?.growth?.firstSign ?? null;
  const firstSign = found?.engagement === undefined ? known : found.engagement.firstSign;
  if (firstSign === null && found === undefined) return 'unknown';
  const { listedAt = history === null ? null : until } = warning ?? {};
  const begins = firstSign ?? listedAt ?? Infinity;
  const due = begins + settings.afterHours * hourMs;
  if (due > until) return 'young';
  if (due <= (history?.warning?.since ?? until)) return 'done';
  return until - due > triedMs ? 'late' : 'due';
}

/** What a warning judges of a delivery: what was found of it, and whether that can be judged. */
interface Judged {
  found: Found<'recipients'>;
  /** `null` where its recipients could not be read, or it is too late for that. */
  kind: 'new' | 'silent' | null;
  /** It was seen, and it is not known how often at the age that the warning judges. */
  datesUnreadable: boolean;
}

/** What a warning asks for, and what it judges once it knows the recipients of that. */
export function selectDue(
  wanted: readonly ListedDelivery[],
  recipients: ReadonlyArray<Found<'recipients'>>,
  history: History | null,
  report: JudgedReport,
): { toRead: ListedDelivery[]; judged: Judged[] } {
  const read = new Map(recipients.map((found) => [found.delivery.id, found]));
  const toRead = wanted.filter((delivery) =>
    ['unknown', 'due'].includes(stageOf(delivery, report, history, undefined)),
  );
  const judged = wanted.flatMap((delivery): Judged[] => {
    const { id } = delivery;
    const stage = stageOf(delivery, report, history, read.get(id));
    if (stage !== 'due' && stage !== 'late') return [];
    const found = read.get(id) ?? { delivery };
    const { engagement, curve } = found;
    const kind = engagement === undefined ? null : engagement.seen + engagement.responded === 0 ? 'silent' : 'new';
    const hasAge = curve?.some(([hours]) => hours === report.settings.afterHours) === true;
    return [{ found, kind, datesUnreadable: kind === 'new' && !hasAge }];
  });
  return { toRead, judged };
}
