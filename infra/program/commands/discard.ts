import { findDigest, hasOlderDigest } from '../../../functions/ledger/runs/digests.ts';
import type { Run } from '../../../functions/ledger/runs/runs.ts';
import { whyTooLate } from '../../../functions/run/orders/discard.ts';
import { done, sayInstant } from '../command-line/result.ts';
import { chooseRun } from '../command-line/choices.ts';
import { defineCommand, onTarget, openSystem, yesFlag } from '../command-line/command.ts';
import { actOn, describeFigures, refused } from '../runs/outcome.ts';
import { confirm, type RunTarget, type YesFlag } from '../targets/target.ts';

export default defineCommand({
  words: '<RUN>',
  does: "deletes a run's digest, as long as nothing was sent",
  more: 'It says what will be gone, and asks.',
  example: 'discard weekly_2026-W46',
  flags: [yesFlag],
  work: onTarget(openSystem, discardCommand),
});

/** Drops a run's digest, after asking, so that the run collects again when it is triggered. */
export async function discardCommand(target: RunTarget, name: string, flags: YesFlag) {
  const run = await chooseRun(target, name);
  // Where nothing will be gone, its function says why that is refused.
  const lost = (await whyTooLate(target.table, run)) === null ? run.digest : undefined;
  if (lost !== undefined && !(await confirm(await describeLoss(target, run, lost), flags)))
    return done({ run: run.run, state: run.state, discarded: false }, ['Nothing was done.']);
  const failure = await actOn(target, run, 'discard');
  if (failure !== null) return refused(run.run, failure);
  const line = `The digest of run ${run.run} was discarded: the next "run" collects again.`;
  return done({ run: run.run, state: 'planned', discarded: true }, [line]);
}

/** What will be gone with a digest, and a question; of one that has expired, or that an earlier release stored, without figures. */
async function describeLoss({ table }: RunTarget, run: Run, id: string): Promise<string> {
  const stored = hasOlderDigest(run) ? null : await findDigest(table, run.run, id);
  const made = stored && `, made ${sayInstant(stored.readAt, run.period.timeZone)}. ${describeFigures(stored)}`;
  return `This deletes the digest of ${run.run}${made ?? ''}. What the service no longer lists cannot be collected again. Go on?`;
}
