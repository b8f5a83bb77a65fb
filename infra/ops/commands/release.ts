import { readRun, type Run } from '../../../functions/ledger/runs/runs.ts';
import { exitCodes } from '../../local/output/outcome.ts';
import { followRun } from '../../local/output/follow-run.ts';
import { createProgress } from '../../local/output/progress.ts';
import type { CommandResult } from '../command-line/answer.ts';
import type { CheckedCommand } from '../command-line/checked-command.ts';
import { confirmMailing } from '../command-line/confirm.ts';
import { atSystem, command } from '../command-line/command.ts';
import type { PlaceFlags } from '../command-line/flags.ts';
import type { PrintAnswer } from '../command-line/run-program.ts';
import { nameMailsOfRun } from '../runs/local-mails.ts';
import { presentRun, readRunRecord } from '../runs/run-record.ts';
import { lookUpRun } from '../targets/look-up.ts';
import { recordOperation } from '../../record-operation.ts';
import type { RunTarget, TriggerOutcome } from '../targets/target.ts';

export function defineRelease(program: CheckedCommand, print: PrintAnswer): void {
  command(program, 'release <RUN>', 'sends a held run: exactly the stored digest', 'release weekly_2026-W46')
    .option('--yes', 'confirm in advance', false)
    .action((run: string, flags: PlaceFlags & { yes: boolean }) =>
      atSystem(flags, (target) => releaseCommand(target, run, flags), print),
    );
  command(
    program,
    'discard <RUN>',
    "deletes a run's digest, as long as nothing was sent",
    'discard weekly_2026-W46',
  ).action((run: string, flags: PlaceFlags) => atSystem(flags, (target) => discardCommand(target, run), print));
}

/** Sends a held run: exactly the digest that was stored, to the subscribers it was planned with. */
export async function releaseCommand(
  target: RunTarget,
  name: string,
  { yes }: { yes: boolean },
): Promise<CommandResult> {
  const run = await lookUpRun(target, name);
  if (!(await confirmMailing(run.report, target, { yes }))) {
    return { json: { run: run.run, state: run.state }, lines: ['Nothing was done.'], code: exitCodes.done };
  }
  return await act(target, run, 'release');
}

/** Drops a run's digest, so that the run collects again when it is triggered. */
export async function discardCommand(target: RunTarget, name: string): Promise<CommandResult> {
  return await act(target, await lookUpRun(target, name), 'discard');
}

async function act(
  target: RunTarget,
  { run, report, period }: Run,
  what: 'release' | 'discard',
): Promise<CommandResult> {
  const progress = createProgress();
  const operation = await recordOperation(target, { report }, { what, run });
  const { ended } = await target.trigger({ action: what, run, operation }, { name: operation });
  const { table } = target;
  const read = () => readRun(table, report, period);
  const outcome = await followRun({ table, read, say: progress.say }, ended());
  progress.end();
  if (outcome.status === 'failed') return refused(run, outcome);
  if (what === 'release') {
    const record = await readRunRecord(target, await lookUpRun(target, run), Date.now());
    const answer = presentRun(record);
    return { ...answer, lines: [...answer.lines, ...(await nameMailsOfRun(target, record.receipt))] };
  }
  const lines = [`The digest of run ${run} was discarded: the next "run" collects again.`];
  return { json: { run, state: 'planned', discarded: true }, lines, code: exitCodes.done };
}

/** The answer for an action that the run function refused, or that failed. */
export function refused(run: string, { failure }: Extract<TriggerOutcome, { status: 'failed' }>): CommandResult {
  return { json: { run, error: failure }, lines: [failure.message], code: exitCodes.noDigest };
}
