import { periodBefore } from '../../../functions/domain/period.ts';
import type { Run } from '../../../functions/ledger/runs/runs.ts';
import { watchedRuns, type WatchedRun } from '../../../functions/watch/inspect.ts';

export const scheduledTime = '2026-11-16T08:00:00Z';
const period = periodBefore('week', 'Europe/London', scheduledTime);

/** The run for 9 to 15 November 2026, done on Monday at 08:05, both subscribers mailed; `over` is what a test is about. */
export function runOf(over: Partial<Run> = {}): Run {
  return {
    run: 'weekly_2026-W46',
    report: 'weekly',
    period,
    state: 'done',
    scheduledTime,
    plannedAt: '2026-11-16T08:00:01Z',
    finishedAt: '2026-11-16T08:05:00Z',
    intended: 2,
    sentNow: 2,
    missing: 0,
    summary: { balanced: true, sent: 2, failed: 0, unknown: 0 },
    ...over,
  };
}

/** What the watch sees beside a run, and the name of its report. */
export type Beside = { unknown?: WatchedRun['unknown']; isDue?: boolean; name?: string };

/** The runs of the weekly report: one or none. */
export function runsWith(run: Run | null, beside: Beside = {}): WatchedRun[] {
  const { unknown = null, isDue = false, name = 'weekly' } = beside;
  const runs = run === null ? [] : [{ ...run, unknown }];
  return watchedRuns({ name, holdHours: 24 }, isDue ? { scheduledTime, period } : null, runs);
}
