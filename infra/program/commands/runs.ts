import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { readActions } from '../../../functions/ledger/runs/actions.ts';
import { readRunsFrom } from '../../../functions/ledger/runs/runs.ts';
import { countRequests } from '../../../functions/reporting-service/coverage.ts';
import { readReceipt } from '../../../functions/run/receipt/receipt.ts';
import { describeOpenMatters } from '../runs/open-matters.ts';
import { columns, done, sayInstant, type CommandResult } from '../command-line/answer.ts';
import { outcomeOf } from '../runs/outcome.ts';
import type { LedgerTarget } from '../targets/target.ts';

/** At most so many runs of a report are listed, the latest first. */
const mostOfReport = 30;

/** Lists the past runs of one report, or of all: when, by whom or what, and how they ended; and which matters are open. */
export async function runsCommand(
  target: LedgerTarget,
  reports: readonly ReportConfiguration[],
): Promise<CommandResult> {
  const read: ListedRun[] = [];
  for (const report of reports) read.push(...(await listRuns(target, report)));
  const listed = read.toSorted(
    (a, b) => b.period.startDate.localeCompare(a.period.startDate) || a.json.run.localeCompare(b.json.run),
  );
  const headings = ['run', 'state', 'outcome', 'planned', 'minutes', 'requests', 'balance', 'by'];
  const shown = columns(headings, listed.map(describeListed));
  return done({ runs: listed.map(({ json }) => json) }, [
    ...(listed.length === 0 ? ['Nothing has run yet.'] : shown),
    ...(await describeOpenMatters(target, reports)),
  ]);
}

/** A run as data, and its period. */
type ListedRun = Awaited<ReturnType<typeof listRuns>>[number];

async function listRuns({ table }: LedgerTarget, report: ReportConfiguration) {
  const actions = await readActions(table, report.name);
  const runs = (await readRunsFrom(table, report, '0000')).slice(-mostOfReport);
  return await Promise.all(
    runs.map(async (run) => {
      const receipt = await readReceipt(table, run, Date.now());
      const { plannedAt, finishedAt = null } = run;
      const operators = actions
        .filter((action) => action.run === run.run && action.outcome?.state !== 'refused')
        .map(({ by }) => by);
      const json = {
        run: run.run,
        state: run.state,
        outcome: outcomeOf(run, receipt),
        plannedAt,
        finishedAt,
        minutes: finishedAt === null ? null : (Date.parse(finishedAt) - Date.parse(plannedAt)) / 60_000,
        requests: countRequests(receipt.coverage),
        balance: receipt.balance,
        by: [...new Set([...(run.plannedBy === 'schedule' ? ['schedule'] : []), ...operators])],
      };
      return { json, period: run.period };
    }),
  );
}

function describeListed({ json, period: { timeZone } }: ListedRun): string[] {
  const { run, state, outcome, plannedAt, minutes, requests, balance, by } = json;
  const planned = sayInstant(plannedAt, timeZone);
  const isBalanced = balance.balanced ? 'balanced' : 'NOT BALANCED';
  return [run, state, outcome, planned, minutes?.toFixed(1) ?? '', String(requests), isBalanced, by.join(', ')];
}
