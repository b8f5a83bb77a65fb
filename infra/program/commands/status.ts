import { Temporal } from 'temporal-polyfill';
import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { runName } from '../../../functions/domain/period.ts';
import { nextDue, type Due } from '../../../functions/domain/schedule.ts';
import { readActions } from '../../../functions/ledger/runs/actions.ts';
import { readReport, type KnownReport } from '../../../functions/ledger/reports.ts';
import { readRunsFrom, type Run } from '../../../functions/ledger/runs/runs.ts';
import { readReceipt } from '../../../functions/run/receipt/receipt.ts';
import { lastDueRun } from '../../../functions/watch/inspect.ts';
import { watchedRuns } from '../../../functions/watch/matters.ts';
import { describeOpenMatters } from '../runs/open-matters.ts';
import { columns, done, sayInstant, type CommandResult } from '../command-line/answer.ts';
import { describeDiscarded, outcomeOf } from '../runs/outcome.ts';
import type { LedgerTarget } from '../targets/target.ts';
import { pauseOf } from './report.ts';

/** How a report is doing. Instants are ISO 8601. */
interface ReportStatus {
  report: string;
  /** Since when and by whom its schedule is paused; `null` where it is not. */
  paused: { since: string; by: string } | null;
  /** Its next runs, the earliest first. */
  next: Array<Due & { run: string }>;
  /** The run of the latest period, and what became of it; `null` where the report has not run yet. */
  last: { run: string; state: Run['state']; outcome: string; at: string } | null;
  /** The runs that wait for a release. */
  held: string[];
  /** The instant that has no finished run although its hours of grace are over; `null` where there is none. */
  due: string | null;
}

/** How many of a report's next runs are listed. */
const listedRuns = 3;

/**
 * A line a report: paused, next run by its own clock, last run, held, due. Then the next runs with their periods, and what
 * needs a hand, with the command.
 */
export async function statusCommand(target: LedgerTarget, now = Temporal.Now.instant()): Promise<CommandResult> {
  const { configuration, table, flags } = target;
  const read: ReadStatus[] = [];
  for (const report of configuration.reports) read.push(await readStatus(target, report, now));
  const reports = read.map(({ status }) => status);
  const upcoming = reports.flatMap(({ paused, next }) => (paused === null ? next : []));
  const open = await describeOpenMatters(table, configuration.reports, { flags, now });
  const matters = [...open, ...read.flatMap(({ discarded }) => discarded)];
  const lines = [
    ...columns(['report', 'next', 'last run', 'outcome', ''], read.map(describeStatus)),
    '',
    ...columns(['next run', 'at', 'period'], upcoming.map(describeUpcoming)),
    '',
    ...(matters.length === 0 ? ['Nothing needs attention.'] : matters),
  ];
  return done({ reports }, lines);
}

/** A report's status, its time zone, and what there is to say of its last run if its digest was discarded. */
interface ReadStatus {
  status: ReportStatus;
  timeZone: string;
  discarded: string[];
}

async function readStatus(
  { table, flags }: LedgerTarget,
  report: ReportConfiguration,
  now: Temporal.Instant,
): Promise<ReadStatus> {
  const known = await readReport(table, report);
  const runs = await readRunsFrom(table, report, '0000');
  const last = runs.at(-1);
  const status = {
    report: report.name,
    paused: pauseOf(known),
    next: nextDue(report.schedule, now, listedRuns).map(({ scheduledTime, period }) => ({
      run: runName(report.name, period),
      scheduledTime,
      period,
    })),
    last:
      last === undefined
        ? null
        : {
            run: last.run,
            state: last.state,
            outcome: outcomeOf(last, await readReceipt(table, last, now.epochMilliseconds)),
            at: last.finishedAt ?? last.plannedAt,
          },
    held: runs.filter(({ state }) => state === 'held').map(({ run }) => run),
    due: known === null ? null : dueWithoutRun(report, { known, runs, now }),
  };
  const discarded =
    last?.discarded === undefined ? [] : describeDiscarded(last, await readActions(table, report), flags);
  return { status, timeZone: report.schedule.timeZone, discarded };
}

/** As the watch sees it. */
function dueWithoutRun(
  report: ReportConfiguration,
  { known, runs, now }: { known: KnownReport; runs: readonly Run[]; now: Temporal.Instant },
): string | null {
  const inspected = runs.map((run) => ({ run, unknown: null }));
  const watched = watchedRuns([{ report, due: lastDueRun(report, known, now), runs: inspected }]);
  return watched.find(({ isDue }) => isDue)?.scheduledTime ?? null;
}

function describeUpcoming({ run, scheduledTime, period }: ReportStatus['next'][number]): string[] {
  const lastDate = Temporal.PlainDate.from(period.end).subtract({ days: 1 });
  return [run, sayInstant(scheduledTime, period.timeZone), `${period.startDate} to ${lastDate.toString()}`];
}

function describeStatus({ status, timeZone }: ReadStatus): string[] {
  const { report, paused, next, last, held, due } = status;
  const remarks = [
    ...(held.length === 0 ? [] : [`held: ${held.join(', ')}`]),
    ...(due === null ? [] : [`due since ${sayInstant(due, timeZone)}`]),
  ];
  return [
    report,
    paused !== null
      ? `paused by ${paused.by}, ${sayInstant(paused.since, timeZone)}`
      : next
          .slice(0, 1)
          .map(({ scheduledTime }) => sayInstant(scheduledTime, timeZone))
          .join(),
    last === null ? 'none yet' : last.run,
    last === null ? '' : `${last.state}: ${last.outcome}, ${sayInstant(last.at, timeZone)}`,
    remarks.join('; '),
  ];
}
