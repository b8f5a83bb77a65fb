import type { Temporal } from 'temporal-polyfill';
import type { RunMatterKind } from '../ledger/notices.ts';
import type { Run } from '../ledger/runs/runs.ts';
import { hoursBetween } from './hours-between.ts';
import type { WatchedRun } from './watched-runs.ts';

/** The instant of a look, and what holds for all runs at it. */
export interface Moment {
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
export const matterRules: Readonly<Record<RunMatterKind, Rule>> = {
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
export function lacksCredentials(run: Run | null | undefined): boolean {
  return run?.state === 'failed' && run.error?.code === 'credentials-missing';
}
