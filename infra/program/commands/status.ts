import { Temporal } from 'temporal-polyfill';
import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { runName } from '../../../functions/domain/period.ts';
import { nextDue } from '../../../functions/domain/schedule.ts';
import { readReport } from '../../../functions/ledger/reports.ts';
import { hasOlderDigest } from '../../../functions/ledger/runs/digests.ts';
import { openNoteOf, readRunsFrom } from '../../../functions/ledger/runs/runs.ts';
import { readReceipt } from '../../../functions/run/receipt/receipt.ts';
import { unfinishedLanguages } from '../../build/locales.ts';
import { columns, commandLine, done, sayInstant, type CommandResult } from '../command-line/answer.ts';
import { defineCommand, onTarget, openExisting } from '../command-line/command.ts';
import { describeDiscarded, describeOutcome, describeUnknown } from '../runs/outcome.ts';
import { describeNote, describeOpenMatters, switchOf } from '../runs/report-state.ts';
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
  const reports = await Array.fromAsync(configuration.reports, (report) => readStatus(target, report, now));
  const open = await describeOpenMatters(target, configuration.reports, now);
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
async function readStatus({ table, flags }: LedgerTarget, report: ReportConfiguration, now: Temporal.Instant) {
  const { name, schedule } = report;
  const known = await readReport(table, report);
  const runs = await readRunsFrom(table, report, '0000');
  const last = runs.at(-1) ?? null;
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
      outcome: describeOutcome(last, await readReceipt(table, last, now.epochMilliseconds)),
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
    ...(last === null ? [] : [...describeDiscarded(last, flags), ...(await describeUnknown(table, last, flags))]),
  ];
  return { status, row, note: describeNote(report, status.note), matters };
}
