import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { periodSchema, type Period } from '../../domain/period.ts';
import type { ObservationKey } from '../observations.ts';
import { noteSchema, type Note } from '../../domain/note.ts';
import { readReport, removeNote, type KnownReport, type Named } from '../reports.ts';
import type { Key, Table } from '../table.ts';

/** How far a run has got. Every later trigger continues from there. */
export const runStateSchema = v.picklist(['planned', 'kept', 'held', 'sending', 'done', 'failed']);
export type RunState = v.InferOutput<typeof runStateSchema>;

const runSchema = v.object({
  /** Its name, after the report as it was called when the run was planned. */
  run: v.string(),
  report: v.string(),
  period: periodSchema,
  state: runStateSchema,
  /** The instant that the first trigger meant, in UTC: its own, or the latest that the schedule was due. */
  scheduledTime: v.string(),
  plannedAt: v.string(),
  intended: v.optional(v.number(), 0),
  digest: v.optional(v.string()),
  /** The observation that its digest is composed of, or was last to be. */
  observation: v.optional(v.object({ account: v.string(), observation: v.string() })),
  /** Identifies the last time that sending began: a new value each time. */
  begun: v.optional(v.string()),
  /** Why the run's messages are not sent although there is a digest: it is empty, or the run is held. */
  withheld: v.optional(v.picklist(['empty', 'held'])),
  /** SES's daily quota was used up: until then the run waits for it. */
  waitsUntil: v.optional(v.string()),
  error: v.optional(v.object({ code: v.string(), message: v.string() })),
  /** How many messages the last trigger sent. */
  sentNow: v.optional(v.number(), 0),
  finishedAt: v.optional(v.string()),
  /** How long its triggers worked on it, from their plan to their receipt: not while it was held. */
  workedMs: v.optional(v.number()),
  /** Who triggered the run first: its schedule, or an operator. */
  plannedBy: v.optional(v.picklist(['schedule', 'operator'])),
  /** How many things the digest names as missing. */
  missing: v.optional(v.number()),
  /** The report is about nothing that is known: what comes nearest to its filter. */
  nearest: v.optional(v.array(v.string())),
  /** What the communications team says with the digest. Once sending has begun it stays as it is. */
  note: v.optional(noteSchema),
  /** What the receipt said when the last trigger ended. SES's later events may have settled more since. */
  summary: v.optional(v.object({ balanced: v.boolean(), sent: v.number(), failed: v.number(), unknown: v.number() })),
  /** The release of a held run: by which execution, and when. */
  released: v.optional(v.object({ execution: v.string(), at: v.string() })),
  /** The last digest that was discarded, by which execution, and when: the next is composed of an observation since then. */
  discarded: v.optional(v.object({ execution: v.string(), at: v.string(), digest: v.string() })),
});

export type Run = v.InferOutput<typeof runSchema>;

interface RunKey {
  report: string;
  /** Two kinds of period may start on the same date. */
  period: Pick<Period, 'startDate' | 'kind'>;
}

/** The key of a run. Those of a report sort by their periods' starts. */
export function runKey({ report, period: { startDate, kind } }: RunKey): Key {
  return { pk: `RUNS#${report}`, sk: `${startDate}#${kind}` };
}

/** Inserts a planned run, unless it is there already. Returns whether it did. */
export function insertRun(
  table: Table,
  run: Pick<Run, 'run' | 'report' | 'period' | 'scheduledTime' | 'plannedAt' | 'plannedBy'>,
  expiresAt: number,
): Promise<boolean> {
  return table.insert(runKey(run), { ...run, state: 'planned', expiresAt });
}

/** The run of a report for a period; `null` where there is none. */
export async function readRun(table: Table, report: string, period: RunKey['period']): Promise<Run | null> {
  return v.parse(v.nullable(runSchema), await table.get(runKey({ report, period })));
}

/** A run's own item. Throws where it is gone: it was written when the run was planned. */
export async function requireRun(table: Table, report: string, period: RunKey['period']): Promise<Run> {
  const run = await readRun(table, report, period);
  if (run === null)
    throw new Error(`The ledger has no run of report "${report}" for ${runKey({ report, period }).sk}.`);
  return run;
}

/** The runs of a report for the periods that start on `from` or later, and not after `to`, oldest first. */
export async function readRunsFrom(table: Table, { name }: Named, from: string, to = '9999') {
  // A sort key is longer than its date, and comes after it.
  return await Array.fromAsync(table.query(`RUNS#${name}`, { from, to: `${to}~` }), (item) => v.parse(runSchema, item));
}

/** Whether somebody was sent a run's digest: a run that is being sent, or failed, may have mailed some of its subscribers. */
export function wasSent({ withheld, summary, state }: Run): boolean {
  return withheld === undefined && ((summary?.sent ?? 0) > 0 || state === 'sending' || state === 'done');
}

/** Raises the number of subscribers whose row was planned. */
export async function recordIntended(table: Table, run: RunKey, intended: number): Promise<void> {
  await table.update(runKey(run), {
    set: { intended },
    condition: 'attribute_not_exists(#intended) OR #intended < :intended',
    values: { ':intended': intended },
  });
}

/** Records the observation that a run's digest is composed of. */
export async function recordObservation(table: Table, run: RunKey, { account, observation }: ObservationKey) {
  await table.update(runKey(run), { set: { observation: { account, observation } }, where: { digest: null } });
}

/**
 * Makes `digest` the run's digest, unless it has one already. Returns whether it did. From then on every trigger of the run
 * sends this one. `missing` is the number of things that the digest names as missing.
 */
export function keepDigest(
  table: Table,
  run: RunKey,
  digest: string,
  facts: Pick<Run, 'withheld' | 'missing' | 'nearest'>,
): Promise<boolean> {
  const state: RunState = facts.withheld === 'held' ? 'held' : 'kept';
  return table.update(runKey(run), { set: { digest, state, ...facts }, remove: ['error'], where: { digest: null } });
}

/** Records that a run's messages are being sent, if its digest is still the one that was read. Returns whether it is. */
export function recordSending(table: Table, run: Run): Promise<boolean> {
  return table.update(runKey(run), {
    set: { state: 'sending', begun: randomUUID() },
    remove: ['error'],
    where: { digest: run.digest ?? '', withheld: null },
  });
}

/** Records until when a run that is being sent waits for SES's daily quota. */
export async function recordWait(table: Table, run: RunKey, waitsUntil: string): Promise<void> {
  await table.update(runKey(run), { set: { waitsUntil } });
}

/** Holds a run that has a digest and whose sending has not begun. Returns whether it did. */
export function holdRun(table: Table, run: RunKey): Promise<boolean> {
  return table.update(runKey(run), {
    set: { state: 'held', withheld: 'held' },
    where: { withheld: null, state: ['kept', 'failed'] },
    condition: 'attribute_exists(#digest)',
  });
}

/** Releases a run that is held with this digest. Returns whether it was. */
export function releaseHeldRun(table: Table, run: Run, released: NonNullable<Run['released']>): Promise<boolean> {
  return table.update(runKey(run), {
    set: { state: 'kept', released },
    remove: ['withheld', 'error'],
    where: { withheld: 'held', digest: run.digest ?? '' },
  });
}

/**
 * Discards the digest of a run, if no sending has begun since it was read. Returns whether it did. A caller that reads the run,
 * finds nobody sending it, and then counts what was sent can rely on that count.
 */
export function discardKeptDigest(table: Table, run: Run, discarded: NonNullable<Run['discarded']>): Promise<boolean> {
  // What a run's item says of its digest.
  const ofDigest = ['digest', 'missing', 'nearest', 'withheld', 'released', 'observation'];
  return table.update(runKey(run), {
    set: { state: 'planned', sentNow: 0, discarded },
    remove: [...ofDigest, 'begun', 'error', 'finishedAt', 'workedMs', 'summary'],
    where: { digest: discarded.digest, begun: run.begun },
  });
}

/**
 * Records the outcome of a trigger; whether it did: a run that is done stays done, also where a later trigger fails, and one
 * whose digest was discarded since it was read stays planned.
 */
export function recordOutcome(
  table: Table,
  run: RunKey & { digest?: string | undefined },
  outcome: Pick<Run, 'state' | 'sentNow' | 'summary' | 'error' | 'workedMs'> & { finishedAt: string },
): Promise<boolean> {
  const notDone = { condition: '#state <> :done', values: { ':done': 'done' } };
  return table.update(runKey(run), {
    set: outcome,
    remove: ['waitsUntil', ...(outcome.error === undefined ? ['error'] : [])],
    ...(outcome.state === 'failed' ? notDone : { where: { digest: run.digest } }),
  });
}

// A note waits with its report. A run that has a digest takes it, and may be given another one until its sending begins: every
// mail of a run says the same. One that is skipped as empty takes none. A discarded digest leaves its note to the run's next.

/** The note that the mail of a run has, or would have if it were sent now; `null` where there is none. */
export async function readNoteOf(table: Table, report: string, run: Run | null): Promise<Note | null> {
  const isSettled = run?.begun !== undefined || run?.withheld === 'empty';
  const waiting = isSettled ? undefined : (await readReport(table, { name: report }))?.note;
  return waiting ?? run?.note ?? null;
}

/** Gives a run the note that waits, which then waits no more. A second call goes on where one was interrupted. */
export async function bindNote(table: Table, run: Run): Promise<void> {
  const note = await readNoteOf(table, run.report, run);
  if (note === null) return;
  const isOpen = { where: { begun: null }, condition: 'attribute_exists(#digest)' };
  const isBound = await table.update(runKey(run), { set: { note }, ...isOpen });
  if (isBound || note.at === run.note?.at) await removeNote(table, { name: run.report }, note);
}

/** The note that an operator can still change: the one that waits, else that of the latest run that is held. */
export function openNoteOf(known: KnownReport | null, runs: readonly Run[]): Note | null {
  return known?.note ?? runs.findLast(isHeldWithNote)?.note ?? null;
}

/** Takes back the notes of a report that can still be changed: the one that waits, and those of runs that are held. */
export async function withdrawNotes(table: Table, report: Named, runs: readonly Run[]): Promise<void> {
  const note = (await readReport(table, report))?.note;
  if (note !== undefined) await removeNote(table, report, note);
  for (const run of runs.filter(isHeldWithNote))
    await table.update(runKey(run), { remove: ['note'], where: { withheld: 'held' } });
}

function isHeldWithNote({ withheld, note }: Run): boolean {
  return withheld === 'held' && note !== undefined;
}
