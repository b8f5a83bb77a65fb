import { Temporal } from 'temporal-polyfill';
import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { runName } from '../../../functions/domain/period.ts';
import { nextDue } from '../../../functions/domain/schedule.ts';
import { readReport } from '../../../functions/ledger/reports.ts';
import { readActions } from '../../../functions/ledger/runs/actions.ts';
import { openNoteOf, readRunsFrom } from '../../../functions/ledger/runs/runs.ts';
import { countRequests } from '../../../functions/reporting-service/coverage.ts';
import { hasOlderDigest } from '../../../functions/ledger/runs/digests.ts';
import { readReceipt } from '../../../functions/run/receipt/receipt.ts';
import { readSuppressed } from '../../../functions/ledger/notices.ts';
import { inspectLeftReports, inspectReport, type WatchedRun } from '../../../functions/watch/inspect.ts';
import { openMatters } from '../../../functions/watch/matters.ts';
import { beginText } from '../../../functions/watch/notice-text.ts';
import { unfinishedLanguages } from '../../build/locales.ts';
import { columns, commandLine, done, sayInstant, type CommandResult } from '../command-line/answer.ts';
import { describeDiscarded, describeOutcome, describeUnknown } from '../runs/outcome.ts';
import type { LedgerTarget } from '../targets/target.ts';
import { describeNote, switchOf } from './report.ts';

type Reports = readonly ReportConfiguration[];

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

/** At most so many runs of a report are listed, the latest first. */
const mostOfReport = 30;

/** Lists the past runs of one report, or of all: when, by whom or what, and how they ended; and which matters are open. */
export async function runsCommand(target: LedgerTarget, reports: Reports) {
  const runs = (await Array.fromAsync(reports, (report) => listRuns(target, report))).flat();
  const listed = runs.toSorted(
    (a, b) => b.startDate.localeCompare(a.startDate) || a.json.run.localeCompare(b.json.run),
  );
  const headings = ['run', 'state', 'outcome', 'planned', 'minutes', 'requests', 'balance', 'by'];
  return done({ runs: listed.map(({ json }) => json) }, [
    ...(listed.length === 0 ? ['Nothing has run yet.'] : columns(headings, listed, ({ row }) => row)),
    ...(await describeOpenMatters(target, reports)),
  ]);
}

/** The last runs of a report, each as data and as a row of the table, with the first date of its period. */
async function listRuns({ table }: LedgerTarget, report: ReportConfiguration) {
  const actions = await readActions(table, report.name);
  const runs = (await readRunsFrom(table, report, '0000')).slice(-mostOfReport);
  return await Promise.all(
    runs.map(async (known) => {
      const { run, state, period, plannedAt, plannedBy, finishedAt = null, workedMs } = known;
      const receipt = await readReceipt(table, known, Date.now());
      const { balance, coverage } = receipt;
      const outcome = describeOutcome(known, receipt);
      const minutes = workedMs === undefined ? null : workedMs / 60_000;
      const requests = countRequests(coverage);
      const ordered = actions.filter((action) => action.run === run && action.outcome?.state !== 'refused');
      const schedule = plannedBy === 'schedule' ? ['schedule'] : [];
      const by = [...new Set([...schedule, ...ordered.map((action) => action.by)])];
      const planned = sayInstant(plannedAt, period.timeZone);
      const isBalanced = balance.balanced ? 'balanced' : 'NOT BALANCED';
      return {
        json: { run, state, outcome, plannedAt, finishedAt, minutes, requests, balance, by },
        row: [run, state, outcome, planned, minutes?.toFixed(1) ?? '', String(requests), isBalanced, by.join(', ')],
        startDate: period.startDate,
      };
    }),
  );
}

/**
 * The matters of these reports that are open in a ledger, as lines in the words of the notices, whether or not a notice was
 * published.
 */
export async function describeOpenMatters(target: LedgerTarget, reports: Reports, now = Temporal.Now.instant()) {
  const { table, configuration, flags, stack } = target;
  const watched: WatchedRun[] = [];
  for (const report of reports) {
    // No watch has seen the reports of a local ledger, which has no schedule: nothing is due there.
    const known = await readReport(table, report);
    watched.push(...(await inspectReport(table, report, { known, now })));
  }
  // Nobody misses mail of a local ledger, such as the sample account's, which outlives many a cdk.json.
  const left = stack === null ? [] : await inspectLeftReports(table, configuration.reports, now);
  const open = openMatters({ watched, left, suppressed: await readSuppressed(table) }, now);
  const ofReports = open.filter((matter) => matter.isRecent && matter.watched !== undefined);
  return ofReports.flatMap((matter) => {
    const { subject, body } = beginText(matter, { ...configuration.operations, environment: undefined, flags });
    const lines = `Open: ${subject}\n${body}`.split('\n').filter((line) => line !== '');
    return lines.map((line, index) => (index === 0 ? line : `  ${line}`));
  });
}
