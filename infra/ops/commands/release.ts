import type { Run } from '../../../functions/ledger/runs/runs.ts';
import { createProgress } from '../../local/output/progress.ts';
import { exitCodes } from '../../local/output/outcome.ts';
import type { CommandResult } from '../command-line/answer.ts';
import type { RunTarget, TriggerOutcome } from '../targets/target.ts';
import { findRun } from '../find.ts';
import { followRun } from '../follow.ts';
import { record } from '../record.ts';
import { presentRun, readRunRecord } from '../run-view.ts';

/** Sends a held run's messages: exactly the digest that was kept, to the subscribers it was planned with. */
export async function releaseCommand(target: RunTarget, name: string): Promise<CommandResult> {
  return await act(target, await findRun(target, name), 'release');
}

/** Drops a run's digest, so that it collects anew when it is triggered. */
export async function discardCommand(target: RunTarget, name: string): Promise<CommandResult> {
  return await act(target, await findRun(target, name), 'discard');
}

async function act(target: RunTarget, { run, report }: Run, what: 'release' | 'discard'): Promise<CommandResult> {
  const progress = createProgress();
  const operation = await record(target, { report }, { what, run });
  const { ended } = await target.trigger({ action: what, run, operation }, { name: operation, say: progress.say });
  const outcome = await followRun(target.table, run, ended(), progress.say);
  progress.end();
  if (outcome.status === 'failed') return refused(run, outcome);
  const answer = presentRun(await readRunRecord(target, await findRun(target, run)), { messages: false });
  if (what === 'release') return answer;
  const lines = [`The digest of run ${run} is dropped: when it is triggered again, it collects anew.`];
  return { json: { run, state: 'planned', discarded: true }, lines, code: exitCodes.done };
}

/** An action that the run function refused, or that failed on its way. */
export function refused(run: string, { failure }: Extract<TriggerOutcome, { status: 'failed' }>): CommandResult {
  return { json: { run, error: failure }, lines: [failure.message], code: exitCodes.noDigest };
}
