import { readReport, removeNote, type KnownReport, type Note } from '../reports.ts';
import type { Table } from '../table.ts';
import { runKey, type Run } from './runs.ts';

// A note waits with its report. A run that has a digest takes it, and may be given another one until its sending begins: every
// mail of a run says the same. One that is skipped as empty takes none. A discarded digest leaves its note to the run's next.

/** The note that the mail of a run has, or would have if it were sent now; `null` where there is none. */
export async function readNoteOf(table: Table, report: { name: string }, run: Run | null): Promise<Note | null> {
  const isSettled = run?.begun !== undefined || run?.withheld === 'empty';
  const waiting = isSettled ? undefined : (await readReport(table, report))?.note;
  return waiting ?? run?.note ?? null;
}

/** Gives a run the note that waits, which then waits no more. A second call goes on where one was interrupted. */
export async function bindNote(table: Table, run: Run): Promise<void> {
  const report = { name: run.report };
  const note = await readNoteOf(table, report, run);
  if (note === null) return;
  const isOpen = { where: { begun: null }, condition: 'attribute_exists(#digest)' };
  const isBound = await table.update(runKey(run), { set: { note }, ...isOpen });
  if (isBound || note.at === run.note?.at) await removeNote(table, report, note);
}

/** The note that an operator can still change: the one that waits, else that of the latest run that is held. */
export function openNoteOf(known: KnownReport | null, runs: readonly Run[]): Note | null {
  return known?.note ?? runs.findLast(isHeldWithNote)?.note ?? null;
}

/** Takes back the notes of a report that can still be changed: the one that waits, and those of runs that are held. */
export async function withdrawNotes(table: Table, report: { name: string }, runs: readonly Run[]): Promise<void> {
  const note = (await readReport(table, report))?.note;
  if (note !== undefined) await removeNote(table, report, note);
  for (const run of runs.filter(isHeldWithNote))
    await table.update(runKey(run), { remove: ['note'], where: { withheld: 'held' } });
}

function isHeldWithNote({ withheld, note }: Run): boolean {
  return withheld === 'held' && note !== undefined;
}
