import type { Temporal } from 'temporal-polyfill';
import {
  refusalsAmong,
  runMatterKinds,
  type MatterKind,
  type ReportedKind,
  type PublishedMatter,
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
} & (SuppressedAddresses | BouncedMails | Unobserved | { kind: ReportedKind; watched: WatchedRun });

/** Daily observations fail, one after the other. It is about no run. */
export interface Unobserved {
  kind: 'unobserved';
  daily: DailyObservations;
  watched: undefined;
}

/** So many daily observations that fail one after the other are a matter. */
const failuresInARow = 3;

/** How many addresses the events about a run's messages suppressed: some complained, the others bounced. Some only keep bouncing. */
export interface SuppressedAddresses {
  kind: 'suppressed';
  count: number;
  complaints: number;
  /** They are not suppressed. */
  softBounces: number;
  /** Its run may be too old to be watched. */
  watched: WatchedRun | undefined;
}

/** How many mails of a run bounced, and why that said nothing of their addresses: who they were to is not suppressed. */
export interface BouncedMails {
  kind: 'bounced';
  count: number;
  statuses: readonly string[];
  watched: WatchedRun | undefined;
}

/** Everything that operators should know at an instant. */
export function openMatters({ watched, left, suppressed, daily = null }: Look, now: Temporal.Instant): Matter[] {
  const matters: Matter[] = watched.flatMap((run) => mattersOf(run, now));
  for (const run of left) matters.push({ kind: 'not-configured', subject: run.report, watched: run, isRecent: true });
  if (daily !== null && daily.failures >= failuresInARow)
    matters.push({ kind: 'unobserved', subject: 'three days in a row', daily, watched: undefined, isRecent: true });
  for (const [run, all] of Map.groupBy(suppressed, (address) => address.run)) {
    const ofRun = watched.find(({ name }) => name === run);
    const refusals = refusalsAmong(all, ofRun?.run?.intended ?? Infinity);
    const addresses = all.filter((address) => !refusals.includes(address));
    const common = { subject: run, watched: ofRun, isRecent: all.some(({ at }) => isNew(at, now)) };
    const statuses = [...new Set(refusals.map(({ status }) => status || 'no status'))];
    if (refusals.length > 0) matters.push({ ...common, kind: 'bounced', count: refusals.length, statuses });
    if (addresses.length === 0) continue;
    matters.push({
      ...common,
      kind: 'suppressed',
      count: addresses.length,
      complaints: addresses.filter(({ reason }) => reason === 'complaint').length,
      softBounces: addresses.filter(({ reason }) => reason === 'soft-bounces').length,
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
