import * as v from 'valibot';
import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { text } from '../../../functions/domain/configuration/fields.ts';
import { longestNote } from '../../../functions/domain/note.ts';
import { putNote, readReport } from '../../../functions/ledger/reports.ts';
import { openNoteOf, readRunsFrom, withdrawNotes } from '../../../functions/ledger/runs/runs.ts';
import { commandLine, done, UsageError } from '../command-line/result.ts';
import { defineCommand, flag, onReport } from '../command-line/command.ts';
import { describeNote, describePause } from '../runs/describe-report.ts';
import { recordOperation, type LedgerTarget } from '../targets/target.ts';

export default defineCommand({
  words: '<REPORT> [TEXT]',
  does: 'what the communications team says with the next digest; without a text it is shown',
  more: `At most ${longestNote} characters. Tests and dry runs show it; the run that sends takes it.`,
  example: 'note weekly "The plant room had no screens last week."',
  flags: [flag('--clear', 'take the note back')],
  work: onReport(noteCommand),
});

/** Sets the note of a report's next digest, in place of any other, or takes it back; then, or without either, shows it. */
export async function noteCommand(
  target: LedgerTarget,
  report: ReportConfiguration,
  { clear }: { clear: boolean },
  given?: string,
) {
  const { table, operator: by } = target;
  const { name } = report;
  const parsed = v.safeParse(v.optional(text(longestNote)), given?.trim());
  if (!parsed.success) throw new UsageError(`The note: ${parsed.issues[0].message}`);
  if (clear && given !== undefined) throw new UsageError('Give the text of a note, or --clear.');
  const readRuns = () => readRunsFrom(table, report, '0000');
  if (clear || parsed.output !== undefined)
    await recordOperation(target, name, { what: 'note', detail: clear ? 'taken back' : 'set' });
  if (clear) await withdrawNotes(table, report, await readRuns());
  if (parsed.output !== undefined)
    await putNote(table, report, { text: parsed.output, by, at: new Date().toISOString() });
  const note = openNoteOf(await readReport(table, report), await readRuns());
  if (note === null) return done({ report: name, note }, [`The next digest of "${name}" has no note.`]);
  const back = `To take it back: ${commandLine(['note', name, '--clear'], target.flags)}`;
  return done({ report: name, note }, [...describeNote(report, note), back, ...(await describePause(table, report))]);
}
