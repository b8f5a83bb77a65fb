import type { Temporal } from 'temporal-polyfill';
import {
  runMatterKinds,
  type MatterKind,
  type PublishedMatter,
  type RunMatterKind,
  type Suppressed,
} from '../ledger/notices.ts';
import type { Run } from '../ledger/runs/runs.ts';
import { hoursBetween, type WatchedRun } from './inspect.ts';

/** What the ledger knows at one look. */
export interface Look {
  /** The runs of the reports that are configured. */
  watched: readonly WatchedRun[];
  /** The last runs of those that are not. */
  left: readonly WatchedRun[];
  /** The reports that are configured and off, and when the ledger first saw them. */
  off: ReadonlyArray<{ report: string; firstSeenAt: string }>;
  suppressed: readonly Suppressed[];
}

/** A matter begins within so many days of its run's last work, or of the event: an old ledger is no news. */
const newForDays = 7;

/** For so many days a report may be off before that is a matter: it is being set up. */
const offForDays = 7;

interface OpenMatter {
  /** As in a matter that was published. */
  subject: string;
  /** Whether it is new enough to begin. */
  isRecent: boolean;
}

/** That events about a run's messages suppressed addresses, and how many; the others bounced. */
export interface SuppressedMatter extends OpenMatter {
  kind: 'suppressed';
  count: number;
  complaints: number;
  /** Its run may be too old to be watched. */
  watched: WatchedRun | undefined;
}

/** A matter that is open. */
export type Matter =
  | SuppressedMatter
  | (OpenMatter & { kind: 'off'; watched: undefined })
  | (OpenMatter & { kind: Exclude<MatterKind, 'suppressed' | 'off'>; watched: WatchedRun });

/** Everything that operators should know at an instant. */
export function openMatters({ watched, left, off, suppressed }: Look, now: Temporal.Instant): Matter[] {
  const matters: Matter[] = watched.flatMap((each) => mattersOf(each, now));
  for (const { report, firstSeenAt } of off)
    if (hoursBetween(firstSeenAt, now) >= offForDays * 24)
      matters.push({ kind: 'off', subject: report, watched: undefined, isRecent: true });
  for (const each of left)
    matters.push({ kind: 'not-configured', subject: each.report, watched: each, isRecent: true });
  for (const [run, ofRun] of Map.groupBy(suppressed, (each) => each.run)) {
    matters.push({
      kind: 'suppressed',
      subject: run,
      count: ofRun.length,
      complaints: ofRun.filter(({ reason }) => reason === 'complaint').length,
      watched: watched.find(({ name }) => name === run),
      isRecent: ofRun.some(({ at }) => isNew(at, now)),
    });
  }
  return matters;
}

function mattersOf(watched: WatchedRun, now: Temporal.Instant): Matter[] {
  const { name, run, isDue } = watched;
  if (run === null) return isDue ? [{ kind: 'overdue', subject: name, watched, isRecent: true }] : [];
  const isRecent = isNew(run.finishedAt ?? run.plannedAt, now);
  return runMatterKinds
    .filter((kind) => matterRules[kind].begins(run, watched, now))
    .map((kind) => ({ kind, subject: name, watched, isRecent: isRecent || matterRules[kind].atAnyAge === true }));
}

function isNew(since: string, now: Temporal.Instant): boolean {
  return hoursBetween(since, now) <= newForDays * 24;
}

/** The run by which a matter is over; `null` where it is not. */
export function endOf({ kind, subject }: PublishedMatter, watched: readonly WatchedRun[]): WatchedRun | null {
  const found = watched.find(({ name }) => name === subject);
  const run = found?.run ?? null;
  return found !== undefined && run !== null && endRuleOf(kind)?.(run, found) === true ? found : null;
}

/** When a matter of a run is over; `undefined` for one that never is, or is not about a run. */
export function endRuleOf(kind: MatterKind): Rule['ends'] {
  const rules: Partial<Record<MatterKind, Rule>> = matterRules;
  return rules[kind]?.ends;
}

/** When a matter of a run begins and when it is over. In between it stays as it is. */
interface Rule {
  begins: (run: Run, watched: WatchedRun, now: Temporal.Instant) => boolean;
  /** Without it the matter is never over: there is nothing more to say about it. */
  ends?: (run: Run, watched: WatchedRun) => boolean;
  /** Whether it begins at any age of its run, because somebody still waits. */
  atAnyAge?: true;
}

const isDone = ({ state }: Run): boolean => state === 'done';
const isHeld = ({ state }: Run): boolean => state === 'held';
/** Whether its work has ended: nobody is sending its messages at the moment. */
const isAtRest = ({ state, error }: Run): boolean => state !== 'sending' || error !== undefined;

/** Whether a run waits for SES's daily quota. One that waits longer than it would is not being worked on any more. */
function waitsForQuota({ state, error, waitsUntil }: Run, now: Temporal.Instant): boolean {
  return state === 'sending' && error === undefined && waitsUntil !== undefined && hoursBetween(waitsUntil, now) < 1;
}

/** The rules of all matters of runs. */
const matterRules: Readonly<Record<RunMatterKind, Rule>> = {
  failed: { begins: ({ state }) => state === 'failed', ends: isDone },
  stopped: { begins: ({ state, error }) => state === 'sending' && error !== undefined, ends: isDone },
  waiting: { begins: (run, _watched, now) => waitsForQuota(run, now), ends: isDone },
  // One that failed, is held, has stopped or waits is a matter of its own.
  overdue: {
    begins: (run, { isDue }, now) =>
      isDue &&
      ['planned', 'kept', 'sending'].includes(run.state) &&
      run.error === undefined &&
      !waitsForQuota(run, now),
    ends: isDone,
    atAnyAge: true,
  },
  held: { begins: isHeld, ends: (run) => !isHeld(run), atAnyAge: true },
  'held-too-long': {
    begins: (run, { holdHours }, now) =>
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
