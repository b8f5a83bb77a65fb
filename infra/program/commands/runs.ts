import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { readActions } from '../../../functions/ledger/runs/actions.ts';
import { countRequests } from '../../../functions/reporting-service/coverage.ts';
import { readReceipt } from '../../../functions/run/receipt/receipt.ts';
import { columns, done, sayInstant } from '../command-line/result.ts';
import { chooseReport } from '../command-line/choices.ts';
import { defineCommand, openExisting, type Given } from '../command-line/command.ts';
import { describeOutcome } from '../runs/outcome.ts';
import { describeOpenMatters, readStates, type ReportState } from '../runs/describe-report.ts';
import type { LedgerTarget } from '../targets/target.ts';

export default defineCommand({
  words: '[REPORT]',
  does: 'past runs: when, by whom, and how they ended',
  example: 'runs weekly',
  work: async (place: Given, name?: string) => {
    const { reports } = place.configuration;
    const listed = name === undefined ? reports : [chooseReport(place.configuration, name)];
    await using target = await openExisting(place);
    return await runsCommand(target, listed);
  },
});

/** At most so many runs of a report are listed, the latest first. */
const mostOfReport = 30;

/** Lists the past runs of one report, or of all: when, by whom or what, and how they ended; and which matters are open. */
export async function runsCommand(target: LedgerTarget, reports: readonly ReportConfiguration[]) {
  const states = await readStates(target.table, reports);
  const all = (await Array.fromAsync(states, (state) => listRuns(target, state))).flat();
  const listed = all.toSorted((a, b) => b.startDate.localeCompare(a.startDate) || a.json.run.localeCompare(b.json.run));
  const headings = ['run', 'state', 'outcome', 'planned', 'minutes', 'requests', 'balance', 'by'];
  return done({ runs: listed.map(({ json }) => json) }, [
    ...(listed.length === 0 ? ['Nothing has run yet.'] : columns(headings, listed, ({ row }) => row)),
    ...(await describeOpenMatters(target, states)),
  ]);
}

/** The last runs of a report, each as data and as a row of the table, with the first date of its period. */
async function listRuns({ table }: LedgerTarget, { report, runs }: ReportState) {
  const actions = await readActions(table, report.name);
  const listed = runs.slice(-mostOfReport).map(async (known) => {
    const { run, state, period, plannedAt, plannedBy, finishedAt = null, workedMs } = known;
    const { balance, coverage } = await readReceipt(table, known, Date.now());
    const outcome = describeOutcome(known, balance);
    const minutes = workedMs === undefined ? null : workedMs / 60_000;
    const requests = countRequests(coverage);
    const ordered = actions.filter((action) => action.run === run && action.outcome?.state !== 'refused');
    const schedule = plannedBy === 'schedule' ? ['schedule'] : [];
    const by = [...new Set([...schedule, ...ordered.map((action) => action.by)])];
    const planned = sayInstant(plannedAt, period.timeZone);
    const isBalanced = balance.balanced ? 'balanced' : 'NOT BALANCED';
    const json = { run, state, outcome, plannedAt, finishedAt, minutes, requests, balance, by };
    const row = [run, state, outcome, planned, minutes?.toFixed(1) ?? '', String(requests), isBalanced, by.join(', ')];
    return { json, row, startDate: period.startDate };
  });
  return await Promise.all(listed);
}
