import { runName, type Period } from '../domain/period.ts';
import type { Run } from '../ledger/runs/runs.ts';
import type { InspectedReport, InspectedRun } from './inspect.ts';

/** A run as the watch sees it. */
export interface WatchedRun {
  /** Its name; of a run that never began, the one that it would have. */
  name: string;
  /** The present name of its report. */
  report: string;
  period: Period;
  scheduledTime: string;
  holdHours: number;
  /** What the ledger knows of it; `null` where it never began. */
  run: Run | null;
  unknown: InspectedRun['unknown'];
  /** Whether it should be done by now, and no run of its period is done or held. */
  isDue: boolean;
  /** Whether its report has no later run. */
  isLatest: boolean;
}

/** The runs of all reports, and those that are due and never began. */
export function watchedRuns(reports: readonly InspectedReport[]): WatchedRun[] {
  return reports.flatMap(({ report, due, runs }) => {
    const { name, holdHours } = report;
    const ofPeriod = runs.filter(({ run }) => run.period.name === due?.period.name);
    const missed = ofPeriod.some(({ run }) => run.state === 'done' || run.state === 'held') ? undefined : ofPeriod[0];
    const latestEnd = Math.max(...runs.map(({ run }) => Date.parse(run.period.end)));
    const found = runs.map((each): WatchedRun => {
      const { run, period, scheduledTime } = each.run;
      const which = { isDue: each === missed, isLatest: Date.parse(period.end) === latestEnd };
      return {
        name: run,
        report: name,
        period,
        scheduledTime,
        holdHours,
        run: each.run,
        unknown: each.unknown,
        ...which,
      };
    });
    if (due === null || ofPeriod.length > 0) return found;
    const neverBegan = { run: null, unknown: null, isDue: true, isLatest: false };
    return [...found, { name: runName(name, due.period), report: name, ...due, holdHours, ...neverBegan }];
  });
}

/** The run that ended last, of all reports. */
export function lastEnded(watched: readonly WatchedRun[]): WatchedRun | undefined {
  return watched
    .filter(({ run }) => run?.finishedAt !== undefined)
    .toSorted((a, b) => Date.parse(b.run?.finishedAt ?? '') - Date.parse(a.run?.finishedAt ?? ''))[0];
}
