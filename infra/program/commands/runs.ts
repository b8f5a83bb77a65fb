import { Temporal } from 'temporal-polyfill';
import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { readActions } from '../../../functions/ledger/runs/actions.ts';
import { readReport } from '../../../functions/ledger/reports.ts';
import { readRunsFrom, type Run } from '../../../functions/ledger/runs/runs.ts';
import { countRequests } from '../../../functions/reporting-service/coverage.ts';
import { readReceipt, type Receipt } from '../../../functions/run/receipt/receipt.ts';
import { describeOpenMatters } from '../runs/open-matters.ts';
import { columns, done, sayInstant, type CommandResult } from '../command-line/answer.ts';
import { describeDiscarded, outcomeOf } from '../runs/run-record.ts';
import type { LedgerTarget } from '../targets/target.ts';

/** At most so many runs of a report are listed, the latest first. */
const mostOfReport = 30;

/** Lists the past runs of one report, or of all: when, by whom or what, and how they ended; and which matters are open. */
export async function runsCommand(
  target: LedgerTarget,
  reports: readonly ReportConfiguration[],
): Promise<CommandResult> {
  const rows = [];
  const pauses: string[] = [];
  for (const each of reports) {
    rows.push(...(await listRuns(target, each)));
    const known = await readReport(target.table, each);
    if (known?.pausedAt === undefined) continue;
    const since = sayInstant(known.pausedAt, each.schedule.timeZone);
    pauses.push(
      `"${each.name}" was paused by ${known.pausedBy ?? 'someone'}, ${since}: its schedule triggers nothing.`,
    );
  }
  const listed = rows.toSorted((a, b) => b.startDate.localeCompare(a.startDate) || a.run.localeCompare(b.run));
  const shown = columns(
    ['run', 'state', 'outcome', 'planned', 'minutes', 'requests', 'balance', 'by'],
    listed.map(({ run, state, outcome, plannedAt, timeZone, minutes, requests, balance, by }) => [
      run,
      state,
      outcome,
      sayInstant(plannedAt, timeZone),
      minutes === null ? '' : minutes.toFixed(1),
      String(requests),
      balance.balanced ? 'balanced' : 'NOT BALANCED',
      by.join(', '),
    ]),
  );
  const { table, flags } = target;
  const open = await describeOpenMatters(table, reports, { flags, now: Temporal.Now.instant() });
  const lines = [
    ...(listed.length === 0 ? ['Nothing has run yet.'] : shown),
    ...listed.flatMap(({ discarded }) => discarded),
    ...pauses,
    ...open,
  ];
  return done(
    { runs: listed.map(({ startDate: _startDate, timeZone: _timeZone, discarded: _discarded, ...run }) => run) },
    lines,
  );
}

interface ListedRun {
  run: string;
  startDate: string;
  timeZone: string;
  state: Run['state'];
  outcome: string;
  plannedAt: string;
  finishedAt: string | null;
  minutes: number | null;
  requests: number;
  balance: Receipt['balance'];
  by: string[];
  /** What to say of it if its digest was discarded. */
  discarded: string[];
}

async function listRuns({ table, flags }: LedgerTarget, report: ReportConfiguration): Promise<ListedRun[]> {
  const actions = await readActions(table, report);
  const runs = (await readRunsFrom(table, report, '0000')).slice(-mostOfReport);
  return await Promise.all(
    runs.map(async (run) => {
      const receipt = await readReceipt(table, run, Date.now());
      const operators = actions
        .filter((action) => action.run === run.run && action.outcome?.state !== 'refused')
        .map(({ by }) => by);
      return {
        run: run.run,
        startDate: run.period.startDate,
        timeZone: run.period.timeZone,
        state: run.state,
        outcome: outcomeOf(run, receipt),
        plannedAt: run.plannedAt,
        finishedAt: run.finishedAt ?? null,
        minutes: run.finishedAt === undefined ? null : minutesBetween(run.plannedAt, run.finishedAt),
        requests: countRequests(receipt.coverage),
        balance: receipt.balance,
        by: [...new Set([...(run.plannedBy === 'schedule' ? ['schedule'] : []), ...operators])],
        discarded: describeDiscarded(run, actions, flags),
      };
    }),
  );
}

function minutesBetween(from: string, until: string): number {
  return (Date.parse(until) - Date.parse(from)) / 60_000;
}
