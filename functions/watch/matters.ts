import type { Temporal } from 'temporal-polyfill';
import { runName, type Period } from '../domain/period.ts';
import { runMatterKinds, wholeDeployment, type MatterKey, type Notice, type RunMatterKind } from '../ledger/notices.ts';
import type { Run } from '../ledger/runs/runs.ts';
import { hoursBetween, type InspectedReport, type InspectedRun } from './inspect.ts';

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
      return { name: run, report: name, period, scheduledTime, holdHours, ...each, ...which };
    });
    if (due === null || ofPeriod.length > 0) return found;
    const neverBegan = { run: null, unknown: null, isDue: true, isLatest: false };
    return [...found, { name: runName(name, due.period), report: name, ...due, holdHours, ...neverBegan }];
  });
}

/** A matter begins within so many days of its run's last work: an old ledger is no news. */
const newForDays = 7;

/** A matter that is open now. */
export interface Matter extends MatterKey {
  kind: RunMatterKind | 'not-set-up' | 'not-configured';
  watched: WatchedRun;
  /** Whether it is new enough to begin. */
  isRecent: boolean;
}

/**
 * Everything that operators should know at an instant, from what the ledger knows, but for suppressed addresses. `left` are
 * the last runs of reports that are not configured.
 */
export function findMatters(
  watched: readonly WatchedRun[],
  now: Temporal.Instant,
  left: readonly WatchedRun[] = [],
): Matter[] {
  const last = lastEnded(watched);
  const isSetUp = !lacksCredentials(last?.run);
  const ofReports = left.map((each): Matter => ({
    kind: 'not-configured',
    subject: each.report,
    watched: each,
    isRecent: true,
  }));
  const matters = [...watched.flatMap((each) => mattersOf(each, { now, isSetUp })), ...ofReports];
  if (isSetUp || last === undefined) return matters;
  return [{ kind: 'not-set-up', subject: wholeDeployment, watched: last, isRecent: true }, ...matters];
}

/** Whether an open matter may be over one day: then its run is looked at until it is. */
export function mayBeOver({ kind, overAt }: Pick<Notice, 'kind' | 'overAt'>): boolean {
  if (overAt !== undefined || kind === 'suppressed' || kind === 'not-configured') return false;
  return kind === 'not-set-up' || matterRules[kind].ends !== undefined;
}

/** The run by which an open matter is over; `null` where it is not. */
export function endOf(notice: Notice, watched: readonly WatchedRun[]): WatchedRun | null {
  const { kind, subject } = notice;
  if (!mayBeOver(notice) || kind === 'suppressed' || kind === 'not-configured') return null;
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

/** The run that ended last, of all reports. */
function lastEnded(watched: readonly WatchedRun[]): WatchedRun | undefined {
  return watched
    .filter(({ run }) => run?.finishedAt !== undefined)
    .toSorted((a, b) => Date.parse(b.run?.finishedAt ?? '') - Date.parse(a.run?.finishedAt ?? ''))[0];
}

/** The instant of a look, and what holds for all runs at it. */
interface Moment {
  now: Temporal.Instant;
  /** Whether the credentials were there when a run last ended. */
  isSetUp: boolean;
}

/** When a matter of a run begins and when it is over. In between it stays as it is. */
interface Rule {
  begins: (run: Run, watched: WatchedRun, moment: Moment) => boolean;
  /** Without it the matter is never over: there is nothing more to say about it. */
  ends?: (run: Run, watched: WatchedRun) => boolean;
  /** Whether it begins at any age of its run, because somebody still waits. */
  atAnyAge?: true;
}

const isDone = ({ state }: Run): boolean => state === 'done';
const isHeld = ({ state }: Run): boolean => state === 'held';
/** Whether its work has ended: nobody is sending its messages at the moment. */
const isAtRest = ({ state, error }: Run): boolean => state !== 'sending' || error !== undefined;

/** The rules of all matters of runs. */
const matterRules: Readonly<Record<RunMatterKind, Rule>> = {
  failed: {
    begins: (run, { isLatest }, { isSetUp }) =>
      run.state === 'failed' && (!lacksCredentials(run) || (isSetUp && isLatest)),
    ends: isDone,
  },
  stopped: { begins: ({ state, error }) => state === 'sending' && error !== undefined, ends: isDone },
  // One that failed, is held or has stopped is a matter of its own.
  overdue: {
    begins: ({ state, error }, { isDue }) =>
      isDue && ['planned', 'kept', 'sending'].includes(state) && error === undefined,
    ends: isDone,
    atAnyAge: true,
  },
  held: { begins: isHeld, ends: (run) => !isHeld(run), atAnyAge: true },
  'held-too-long': {
    begins: (run, { holdHours }, { now }) =>
      isHeld(run) && run.finishedAt !== undefined && hoursBetween(run.finishedAt, now) >= holdHours,
    ends: (run) => !isHeld(run),
    atAnyAge: true,
  },
  unbalanced: {
    begins: ({ summary }) => summary?.balanced === false,
    ends: ({ summary }) => summary?.balanced === true,
  },
  refused: {
    begins: (run) => isDone(run) && (run.summary?.failed ?? 0) > 0,
    ends: (run) => isDone(run) && run.summary?.failed === 0,
  },
  unknown: {
    begins: (_run, { unknown }) => unknown !== null && unknown.forADay > 0,
    ends: (run, { unknown }) => isAtRest(run) && (unknown?.count ?? run.summary?.unknown) === 0,
  },
  // Its notice when it was held said what is missing.
  incomplete: { begins: (run) => isDone(run) && (run.missing ?? 0) > 0 && run.released === undefined },
};

/** Whether a run failed because the secret has no credentials. */
function lacksCredentials(run: Run | null | undefined): boolean {
  return run?.state === 'failed' && run.error?.code === 'credentials-missing';
}
