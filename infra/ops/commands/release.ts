import type { Run } from '../../../functions/ledger/runs/runs.ts';
import { createProgress } from '../../local/output/progress.ts';
import { exitCodes } from '../../local/output/outcome.ts';
import type { CommandResult } from '../command-line/answer.ts';
import type { RunTarget, TriggerOutcome } from '../targets/target.ts';
import { findRun } from '../targets/find.ts';
import { followRun } from '../runs/follow-run.ts';
import { recordOperation } from '../targets/record-operation.ts';
import { presentRun, readRunRecord } from '../runs/run-record.ts';

/** Sends a held run: exactly the digest that was stored, to the subscribers it was planned with. */
export async function releaseCommand(target: RunTarget, name: string): Promise<CommandResult> {
  return await act(target, await findRun(target, name), 'release');
}

/** Drops a run's digest, so that the run collects again when it is triggered. */
export async function discardCommand(target: RunTarget, name: string): Promise<CommandResult> {
  return await act(target, await findRun(target, name), 'discard');
}

async function act(target: RunTarget, { run, report }: Run, what: 'release' | 'discard'): Promise<CommandResult> {
  const progress = createProgress();
  const operation = await recordOperation(target, { report }, { what, run });
  const { ended } = await target.trigger({ action: what, run, operation }, { name: operation, say: progress.say });
  const outcome = await followRun(target.table, run, ended(), progress.say);
  progress.end();
  if (outcome.status === 'failed') return refused(run, outcome);
  const answer = presentRun(await readRunRecord(target, await findRun(target, run)));
  if (what === 'release') return answer;
  const lines = [`The digest of run ${run} is dropped: when it is triggered again, it collects again.`];
  return { json: { run, state: 'planned', discarded: true }, lines, code: exitCodes.done };
}

/** The answer for an action that the run function refused, or that failed. */
export function refused(run: string, { failure }: Extract<TriggerOutcome, { status: 'failed' }>): CommandResult {
  return { json: { run, error: failure }, lines: [failure.message], code: exitCodes.noDigest };
}
