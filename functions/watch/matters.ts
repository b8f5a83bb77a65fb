import type { Temporal } from 'temporal-polyfill';
import { runMatterKinds, wholeDeployment, type MatterKey, type Notice, type RunMatterKind } from '../ledger/notices.ts';
import { hoursBetween } from './hours-between.ts';
import type { InspectedReport } from './inspect.ts';
import { lacksCredentials, matterRules, type Moment } from './matter-rules.ts';
import { lastEnded, watchedRuns, type WatchedRun } from './watched-runs.ts';

/** A matter begins within so many days of its run's last work: an old ledger is no news. */
const newForDays = 7;

/** A matter that is open now. */
export interface Matter extends MatterKey {
  kind: RunMatterKind | 'not-set-up';
  watched: WatchedRun;
  /** Whether it is new enough to begin. */
  isRecent: boolean;
}

/** Everything that operators should know at an instant, from what the ledger knows, but for suppressed addresses. */
export function findMatters(reports: readonly InspectedReport[], now: Temporal.Instant): Matter[] {
  const watched = watchedRuns(reports);
  const last = lastEnded(watched);
  const isSetUp = !lacksCredentials(last?.run);
  const matters = watched.flatMap((each) => mattersOf(each, { now, isSetUp }));
  if (isSetUp || last === undefined) return matters;
  return [{ kind: 'not-set-up', subject: wholeDeployment, watched: last, isRecent: true }, ...matters];
}

/** Whether an open matter may be over one day: then its run is looked at until it is. */
export function mayBeOver({ kind, overAt }: Pick<Notice, 'kind' | 'overAt'>): boolean {
  if (overAt !== undefined || kind === 'suppressed') return false;
  return kind === 'not-set-up' || matterRules[kind].ends !== undefined;
}

/** The run by which an open matter is over; `null` where it is not. */
export function endOf(notice: Notice, watched: readonly WatchedRun[]): WatchedRun | null {
  const { kind, subject } = notice;
  if (!mayBeOver(notice) || kind === 'suppressed') return null;
  if (kind === 'not-set-up') {
    const last = lastEnded(watched);
    return last === undefined || lacksCredentials(last.run) ? null : last;
  }
  const found = watched.find(({ name }) => name === subject);
  const run = found?.run ?? null;
  return found !== undefined && run !== null && matterRules[kind].ends?.(run, found) === true ? found : null;
}

function mattersOf(watched: WatchedRun, moment: Moment): Matter[] {
  const { name, run, isDue } = watched;
  if (run === null) return isDue ? [{ kind: 'overdue', subject: name, watched, isRecent: true }] : [];
  const { plannedAt, finishedAt = plannedAt } = run;
  const isNew = hoursBetween(finishedAt, moment.now) <= newForDays * 24;
  return runMatterKinds
    .filter((kind) => matterRules[kind].begins(run, watched, moment))
    .map((kind) => ({ kind, subject: name, watched, isRecent: isNew || matterRules[kind].atAnyAge === true }));
}
