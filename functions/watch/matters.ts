import type { Temporal } from 'temporal-polyfill';
import { countWords, type Counts } from '../domain/counts-by-word.ts';
import {
  runMatterKinds,
  type MatterKind,
  type PublishedMatter,
  type ReportedKind,
  type RunMatterKind,
  type Suppressed,
} from '../ledger/notices.ts';
import type { DailyObservations } from '../ledger/observations.ts';
import type { Run } from '../ledger/runs/runs.ts';
import { hoursBetween, type WatchedRun } from './inspect.ts';

/** What the ledger knows at one look. */
export interface Look {
  /** The runs of the reports that are configured. */
  watched: readonly WatchedRun[];
  /** The last runs of those that are not. */
  left: readonly WatchedRun[];
  suppressed: readonly Suppressed[];
  /** How the daily observations fail; `null` where the last one did not. */
  daily?: DailyObservations | null;
}

/** A matter begins within so many days of its run's last work, or of the event: an old ledger is no news. */
const newForDays = 7;

/** A matter that is open. */
export type Matter = {
  /** As in a matter that was published. */
  subject: string;
  /** Whether it is new enough to begin. */
  isRecent: boolean;
} & (AddressesOfRun | Unobserved | { kind: ReportedKind; watched: WatchedRun });

/** Daily observations fail, one after the other. It is about no run. */
export interface Unobserved {
  kind: 'unobserved';
  daily: DailyObservations;
  watched: undefined;
}

/** So many daily observations that fail one after the other are a matter. */
const failuresInARow = 3;

/** Of how many addresses the events about a run's messages say what: by the reason, or by the status with which many bounced alike. */
export interface AddressesOfRun {
  kind: 'suppressed' | 'alike';
  subject: string;
  count?: number;
  counts: Readonly<Counts>;
  /** Its run may be too old to be watched. */
  watched: WatchedRun | undefined;
}

/** Everything that operators should know at an instant. */
export function openMatters({ watched, left, suppressed, daily = null }: Look, now: Temporal.Instant): Matter[] {
  const matters: Matter[] = watched.flatMap((run) => mattersOf(run, now));
  for (const run of left) matters.push({ kind: 'not-configured', subject: run.report, watched: run, isRecent: true });
  if (daily !== null && daily.failures >= failuresInARow)
    matters.push({ kind: 'unobserved', subject: 'three days in a row', daily, watched: undefined, isRecent: true });
  // Of a bounce about which nothing is decided yet there is nothing to say.
  const decided = suppressed.filter(({ bounce, verdict }) => bounce === undefined || verdict !== undefined);
  const about = (addresses: readonly Suppressed[], wordOf: (address: Suppressed) => string) => ({
    counts: countWords(addresses.map(wordOf)),
    watched: watched.find(({ name }) => name === addresses[0]?.run),
    isRecent: addresses.some(({ at }) => isNew(at, now)),
  });
  for (const [subject, addresses] of Map.groupBy(decided, ({ run }) => run)) {
    const { true: alike, false: others } = Object.groupBy(addresses, ({ verdict }) => `${verdict === 'alike'}`);
    if (others !== undefined)
      matters.push({ kind: 'suppressed', subject, count: others.length, ...about(others, ({ reason }) => reason) });
    if (alike !== undefined)
      matters.push({ kind: 'alike', subject, ...about(alike, ({ bounce }) => bounce?.status ?? '') });
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
  const watchedRun = watched.find(({ name }) => name === subject);
  if (watchedRun === undefined || watchedRun.run === null) return null;
  return endRuleOf(kind)?.(watchedRun.run, watchedRun) === true ? watchedRun : null;
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

const matterRules: Readonly<Record<RunMatterKind, Rule>> = {
  // A run that is being sent and has an error was given up.
  failed: {
    begins: ({ state, error }) => state === 'failed' || (state === 'sending' && error !== undefined),
    ends: isDone,
  },
  // One that failed or is held is a matter of its own.
  overdue: {
    begins: ({ state, error }, { isDue }) =>
      isDue && ['planned', 'kept', 'sending'].includes(state) && error === undefined,
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
