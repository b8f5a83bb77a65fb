import type { Run } from '../../../functions/ledger/runs/runs.ts';
import { createProgress } from '../../local/progress.ts';
import { exitCodes } from '../../local/outcome.ts';
import type { Answer } from '../command-line/answer.ts';
import type { RunDesk, TriggerOutcome } from '../targets/target.ts';
import { findRun } from '../find.ts';
import { followRun } from '../follow.ts';
import { record } from '../record.ts';
import { presentRun, readRunRecord } from '../run-view.ts';

/** Sends a held run's messages: exactly the digest that was kept, to the subscribers it was planned with. */
export async function releaseCommand(desk: RunDesk, name: string): Promise<Answer> {
  return await act(desk, await findRun(desk, name), 'release');
}

/** Drops a run's digest, so that it collects anew when it is triggered. */
export async function discardCommand(desk: RunDesk, name: string): Promise<Answer> {
  return await act(desk, await findRun(desk, name), 'discard');
}

async function act(desk: RunDesk, { run, report }: Run, what: 'release' | 'discard'): Promise<Answer> {
  const progress = createProgress();
  const operation = await record(desk, { report }, { what, run });
  const { ended } = await desk.trigger({ action: what, run, operation }, { name: operation, say: progress.say });
  const outcome = await followRun(desk.table, run, ended(), progress.say);
  progress.end();
  if (outcome.status === 'failed') return refused(run, outcome);
  const answer = presentRun(await readRunRecord(desk, await findRun(desk, run)), { messages: false });
  if (what === 'release') return answer;
  const lines = [`The digest of run ${run} is dropped: when it is triggered again, it collects anew.`];
  return { json: { run, state: 'planned', discarded: true }, lines, code: exitCodes.done };
}

/** An action that the run function refused, or that failed on its way. */
export function refused(run: string, { failure }: Extract<TriggerOutcome, { status: 'failed' }>): Answer {
  return { json: { run, error: failure }, lines: [failure.message], code: exitCodes.noDigest };
}
