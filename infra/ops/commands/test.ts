import { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import { putTriggerSubscribers } from '../../../functions/ledger/runs/triggers.ts';
import { periodBefore, runName } from '../../../functions/domain/period.ts';
import { readRunOf } from '../../../functions/run/find-run.ts';
import { chooseInstant } from '../../local/command-line/choices.ts';
import { createProgress } from '../../local/output/progress.ts';
import { exitCodes } from '../../local/output/outcome.ts';
import { count, type CommandResult } from '../command-line/answer.ts';
import type { RunTarget } from '../targets/target.ts';
import { findReport } from '../find.ts';
import { record } from '../record.ts';
import { refused } from './release.ts';

const testedSchema = v.object({
  test: v.string(),
  kept: v.boolean(),
  sent: v.number(),
  notSent: v.number(),
  // A version that was deployed earlier does not tell them from those that were not sent.
  unknown: v.optional(v.number(), 0),
});

/** Sends the real digest of a report, marked as a test, to these addresses and to nobody else. */
export async function testCommand(
  target: RunTarget,
  name: string,
  { to, at }: { to: readonly string[]; at: string | undefined },
): Promise<CommandResult> {
  const report = findReport(target.configuration, name);
  const scheduledTime = Temporal.Instant.from(chooseInstant(report, at, Temporal.Now.instant())).toString();
  const period = periodBefore(report.period, report.timeZone, scheduledTime);
  const run = (await readRunOf(target.table, report, period.startDate))?.run ?? runName(report.name, period);
  const progress = createProgress();
  const subscribers = await putTriggerSubscribers(target.table, to);
  const detail = count(to.length, 'address', 'addresses');
  const operation = await record(target, { report: report.name }, { what: 'test', run, detail });
  const trigger = { action: 'test', report: report.name, scheduledTime, subscribers, operation };
  const { ended } = await target.trigger(trigger, { name: operation, say: progress.say });
  const outcome = await ended();
  progress.end();
  if (outcome.status === 'failed') return refused(run, outcome);
  const { kept, sent, notSent, unknown } = v.parse(testedSchema, outcome.result);
  const source = kept ? 'the digest that is kept' : 'a digest composed for it';
  const failures = notSent === 0 ? '' : ` ${notSent} could not be sent.`;
  const lost = unknown === 0 ? '' : ` SES's answer to ${unknown} was lost: they may have been sent.`;
  return {
    json: { run, kept, sent, notSent, unknown },
    lines: [`Test of run ${run}, ${source}: sent to ${count(sent, 'address', 'addresses')}.${failures}${lost}`],
    code: codeOf({ sent, notSent, unknown }),
  };
}

function codeOf({ sent, notSent, unknown }: { sent: number; notSent: number; unknown: number }): number {
  if (notSent + unknown === 0) return exitCodes.done;
  return sent + unknown === 0 ? exitCodes.noDigest : exitCodes.incomplete;
}
