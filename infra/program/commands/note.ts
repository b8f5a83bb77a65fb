import { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { text } from '../../../functions/domain/configuration/fields.ts';
import { longestNote } from '../../../functions/digest/schema.ts';
import { putNote, readReport, type Note } from '../../../functions/ledger/reports.ts';
import { openNoteOf, withdrawNotes } from '../../../functions/ledger/runs/notes.ts';
import { readRunsFrom } from '../../../functions/ledger/runs/runs.ts';
import { commandLine, done, sayInstant, type CommandResult } from '../command-line/answer.ts';
import { UsageError } from '../command-line/flags.ts';
import { describePause } from './report.ts';
import { recordOperation } from '../targets/operate.ts';
import type { LedgerTarget } from '../targets/target.ts';

/** The note that a report's next digest has, in words; nothing where there is none. */
export function describeNote({ name, schedule }: ReportConfiguration, note: Note | null): string[] {
  if (note === null) return [];
  const since = `${note.by}, ${sayInstant(note.at, schedule.timeZone)}`;
  return [`The next digest of "${name}" has this note (${since}): ${note.text}`];
}

/** Sets the note of a report's next digest, in place of any other, or takes it back; then, or without either, shows it. */
export async function noteCommand(
  target: LedgerTarget,
  report: ReportConfiguration,
  given: string | undefined,
  { clear }: { clear: boolean },
): Promise<CommandResult> {
  const { table, operator: by } = target;
  const { name } = report;
  const parsed = v.safeParse(v.optional(text(longestNote)), given?.trim());
  if (!parsed.success) throw new UsageError(`The note: ${parsed.issues[0].message}`);
  if (clear && given !== undefined) throw new UsageError('Give the text of a note, or --clear.');
  const readRuns = () => readRunsFrom(table, report, '0000');
  if (clear || parsed.output !== undefined) {
    await recordOperation(target, name, { what: 'note', detail: clear ? 'taken back' : 'set' });
  }
  if (clear) await withdrawNotes(table, report, await readRuns());
  if (parsed.output !== undefined) {
    await putNote(table, report, { text: parsed.output, by, at: Temporal.Now.instant().toString() });
  }
  const note = openNoteOf(await readReport(table, report), await readRuns());
  if (note === null) return done({ report: name, note }, [`The next digest of "${name}" has no note.`]);
  const back = `To take it back: ${commandLine(['note', name, '--clear'], target.flags)}`;
  return done({ report: name, note }, [...describeNote(report, note), back, ...(await describePause(table, report))]);
}
