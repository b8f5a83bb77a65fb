import { Temporal } from 'temporal-polyfill';
import { runName } from '../../../functions/domain/period.ts';
import { nextDue } from '../../../functions/domain/schedule.ts';
import { hasOlderDigest } from '../../../functions/ledger/runs/digests.ts';
import { readMessages } from '../../../functions/ledger/runs/messages.ts';
import { openNoteOf } from '../../../functions/ledger/runs/runs.ts';
import { balanceOf } from '../../../functions/run/receipt/receipt.ts';
import { unfinishedLanguages } from '../../build/locales.ts';
import { columns, commandLine, done, sayInstant, type CommandResult } from '../command-line/result.ts';
import { defineCommand, onTarget, openExisting } from '../command-line/command.ts';
import { describeDiscarded, describeOutcome, describeUnknown } from '../runs/outcome.ts';
import { describeNote, describeOpenMatters, readStates, switchOf, type ReportState } from '../runs/describe-report.ts';
import type { LedgerTarget } from '../targets/target.ts';

export default defineCommand({
  does: 'how every report is doing, and what needs attention',
  example: 'status',
  work: onTarget(openExisting, (target) => statusCommand(target)),
});

/** How many of a report's next runs are listed. */
const listedRuns = 3;

/**
 * A line a report: off or paused, next run by its own clock, last run, held. Then what needs a hand, with the command.
 */
export async function statusCommand(target: LedgerTarget, now = Temporal.Now.instant()): Promise<CommandResult> {
  const { configuration } = target;
  const states = await readStates(target.table, configuration.reports);
  const reports = await Array.fromAsync(states, (state) => readStatus(target, state, now));
  const open = await describeOpenMatters(target, states, now);
  const languages = unfinishedLanguages(configuration.reports.map(({ locale }) => locale));
  const matters = [...open, ...languages, ...reports.flatMap((report) => report.matters)];
  const notes = reports.flatMap(({ note }) => note);
  return done({ reports: reports.map(({ status }) => status) }, [
    ...columns(['report', 'next', 'last run', 'outcome', ''], reports, ({ row }) => row),
    '',
    ...(notes.length === 0 ? [] : [...notes, '']),
    ...(matters.length === 0 ? ['Nothing needs attention.'] : matters),
  ]);
}

/** How a report is doing, and what there is to say if it is off, or of its last run if its digest was discarded. Instants are ISO 8601. */
async function readStatus({ table, flags }: LedgerTarget, { report, known, runs }: ReportState, now: Temporal.Instant) {
  const { name, schedule } = report;
  const last = runs.at(-1) ?? null;
  const rows = last === null ? [] : await readMessages(table, last.run);
  const { off, paused } = switchOf(known);
  const next = nextDue(schedule, now, listedRuns).map((due) => Object.assign({ run: runName(name, due.period) }, due));
  const held = runs.filter(({ state }) => state === 'held').map(({ run }) => run);
  const status = {
    report: name,
    off,
    paused,
    next,
    /** The run of the latest period, and what became of it. */
    last: last && {
      run: last.run,
      state: last.state,
      outcome: describeOutcome(last, balanceOf(last, rows)),
      at: last.finishedAt ?? last.plannedAt,
    },
    /** What the next digest, or the one that is held, has of the communications team. */
    note: openNoteOf(known, runs),
    /** The runs that wait for a release. */
    held,
  };
  const say = (instant: string): string => sayInstant(instant, schedule.timeZone);
  const [nextAt = ''] = next.map(({ scheduledTime }) => say(scheduledTime));
  const whenOn = paused === null ? nextAt : `paused by ${paused.by}, ${say(paused.since)}`;
  const row = [
    name,
    off ? 'off: never switched on' : whenOn,
    last === null ? 'none yet' : last.run,
    status.last === null ? '' : `${status.last.state}: ${status.last.outcome}, ${say(status.last.at)}`,
    held.length === 0 ? '' : `held: ${held.join(', ')}`,
  ];
  const switchOn = `Report "${name}" is off: never switched on. To switch it on: ${commandLine(['resume', name], flags)}`;
  const noMatch = `Report "${name}" was about no broadcast for ${last?.run}. To see why: ${commandLine(['doctor', name], flags)}`;
  const older = runs.filter((run) => hasOlderDigest(run) && run.state !== 'done').map(({ run }) => run);
  const matters = [
    ...(off ? [switchOn] : []),
    ...(last?.nearest !== undefined && report.warningOf === undefined ? [noMatch] : []),
    ...older.map(
      (run) => `The release before composed ${run}: where nobody was sent it, discard it, and run it again.`,
    ),
    ...(last === null ? [] : [...describeDiscarded(last, flags), ...describeUnknown(last, rows, flags)]),
  ];
  return { status, row, note: describeNote(report, status.note), matters };
}
