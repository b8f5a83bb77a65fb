import { Temporal } from 'temporal-polyfill';
import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { runName } from '../../../functions/domain/period.ts';
import { nextDue } from '../../../functions/domain/schedule.ts';
import { readReport } from '../../../functions/ledger/reports.ts';
import { openNoteOf } from '../../../functions/ledger/runs/notes.ts';
import { readRunsFrom } from '../../../functions/ledger/runs/runs.ts';
import { readReceipt } from '../../../functions/run/receipt/receipt.ts';
import { describeOpenMatters } from '../runs/open-matters.ts';
import { columns, commandLine, done, sayInstant, type CommandResult } from '../command-line/answer.ts';
import { describeDiscarded, describeOutcome, describeUnknown } from '../runs/outcome.ts';
import type { LedgerTarget } from '../targets/target.ts';
import { describeNote } from './note.ts';
import { switchOf } from './report.ts';

/** How many of a report's next runs are listed. */
const listedRuns = 3;

/**
 * A line a report: off or paused, next run by its own clock, last run, held. Then what needs a hand, with the command.
 */
export async function statusCommand(target: LedgerTarget, now = Temporal.Now.instant()): Promise<CommandResult> {
  const { configuration } = target;
  const statuses = await Array.fromAsync(configuration.reports, (report) => readStatus(target, report, now));
  const reports = statuses.map(({ status }) => status);
  const open = await describeOpenMatters(target, configuration.reports, now);
  const matters = [...open, ...statuses.flatMap((report) => report.matters)];
  const notes = statuses.flatMap(({ note }) => note);
  const lines = [
    ...columns(['report', 'next', 'last run', 'outcome', ''], statuses.map(describeStatus)),
    '',
    ...(notes.length === 0 ? [] : [...notes, '']),
    ...(matters.length === 0 ? ['Nothing needs attention.'] : matters),
  ];
  return done({ reports }, lines);
}

type ReadStatus = Awaited<ReturnType<typeof readStatus>>;

/** How a report is doing, and what there is to say if it is off, or of its last run if its digest was discarded. Instants are ISO 8601. */
async function readStatus({ table, flags }: LedgerTarget, report: ReportConfiguration, now: Temporal.Instant) {
  const { name, schedule } = report;
  const known = await readReport(table, report);
  const runs = await readRunsFrom(table, report, '0000');
  const last = runs.at(-1) ?? null;
  const upcoming = nextDue(schedule, now, listedRuns);
  const next = upcoming.map(({ scheduledTime, period }) => ({ run: runName(name, period), scheduledTime, period }));
  const status = {
    report: name,
    ...switchOf(known),
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
    held: runs.filter(({ state }) => state === 'held').map(({ run }) => run),
  };
  const switchOn = `Report "${name}" is off: never switched on. To switch it on: ${commandLine(['resume', name], flags)}`;
  const noMatch =
    `Report "${name}": of the broadcasts that the service listed for ${last?.run}, it was about none. ` +
    `To see why: ${commandLine(['doctor', name], flags)}`;
  const matters = [
    ...(status.off ? [switchOn] : []),
    ...(last?.noMatch && report.warningOf === undefined ? [noMatch] : []),
    ...(last === null ? [] : [...describeDiscarded(last, flags), ...(await describeUnknown(table, last, flags))]),
  ];
  return { status, timeZone: schedule.timeZone, note: describeNote(report, status.note), matters };
}

function describeStatus({ status, timeZone }: ReadStatus): string[] {
  const { report, off, paused, next, last, held } = status;
  const [earliest] = next;
  const nextAt = earliest === undefined ? '' : sayInstant(earliest.scheduledTime, timeZone);
  const whenOn = paused === null ? nextAt : `paused by ${paused.by}, ${sayInstant(paused.since, timeZone)}`;
  return [
    report,
    off ? 'off: never switched on' : whenOn,
    last === null ? 'none yet' : last.run,
    last === null ? '' : `${last.state}: ${last.outcome}, ${sayInstant(last.at, timeZone)}`,
    held.length === 0 ? '' : `held: ${held.join(', ')}`,
  ];
}
