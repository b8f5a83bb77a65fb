import { readRun } from '../../../functions/ledger/runs/runs.ts';
import { commandLine, done } from '../command-line/result.ts';
import { chooseReport, chooseRun } from '../command-line/choices.ts';
import { defineCommand, onTarget, openSystem, yesFlag } from '../command-line/command.ts';
import { actOn, presentRun, refused } from '../runs/outcome.ts';
import { keepLatest } from '../runs/outbox.ts';
import { describeReach } from '../runs/reach.ts';
import { confirmMailing, type RunTarget, type YesFlag } from '../targets/target.ts';

export default defineCommand({
  words: '<RUN>',
  does: 'sends a held run: exactly the stored digest',
  more: 'It goes to the subscribers it was planned with, without those who left since. It says how many, and asks.',
  example: 'release weekly_2026-W46',
  flags: [yesFlag],
  work: onTarget(openSystem, releaseCommand),
});

/** Sends a held run: exactly the digest that was stored, to the subscribers it was planned with. */
export async function releaseCommand(target: RunTarget, name: string, options: YesFlag) {
  const run = await chooseRun(target, name);
  const report = chooseReport(target.configuration, run.report);
  const whom = await describeReach(target, report, run, true);
  if (!(await confirmMailing(whom, target, options)))
    return done({ run: run.run, state: run.state }, ['Nothing was done.']);
  const since = Date.now();
  const failure = await actOn(target, run, 'release');
  if (failure !== null) return refused(run.run, failure);
  const released = (await readRun(target.table, run.report, run.period)) ?? run;
  const { json, lines, code, receipt } = await presentRun(target, released, undefined, since);
  const show = commandLine(['show', run.run], target.flags);
  return { json, lines: [...lines, ...(await keepLatest(target.outbox, receipt.messages, show))], code };
}
