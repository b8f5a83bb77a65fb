import { readRun } from '../../../functions/ledger/runs/runs.ts';
import * as v from 'valibot';
import { count } from '../../../functions/domain/wording.ts';
import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import type { Due } from '../../../functions/domain/schedule.ts';
import { runName } from '../../../functions/domain/period.ts';
import { putTriggerSubscribers } from '../../../functions/ledger/runs/triggers.ts';
import { exitCodes, type CommandResult } from '../command-line/answer.ts';
import { createProgress } from '../command-line/progress.ts';
import { nameMessages, readMailIds } from '../runs/outbox.ts';
import { order } from '../targets/operate.ts';
import type { RunTarget } from '../targets/target.ts';
import { refused } from './run.ts';

const testedSchema = v.object({ kept: v.boolean(), sent: v.number(), notSent: v.number(), unknown: v.number() });

/** Sends the real digest of a report, marked as a test, to these addresses only. */
export async function testCommand(
  target: RunTarget,
  report: ReportConfiguration,
  { scheduledTime, period }: Due,
  to: readonly string[],
): Promise<CommandResult> {
  const run = (await readRun(target.table, report.name, period))?.run ?? runName(report.name, period);
  const subscribers = await putTriggerSubscribers(target.table, to, new Date());
  const before = await readMailIds(target.outbox);
  const progress = createProgress();
  const ended = await order(
    target,
    { what: 'test', report: report.name, run, detail: count(to.length, 'address', 'addresses') },
    { action: 'test', report: report.name, scheduledTime, subscribers },
    progress.say,
  );
  const outcome = await ended();
  progress.end();
  if (outcome.status === 'failed') return refused(run, outcome.failure);
  const tested = v.parse(testedSchema, outcome.result);
  const { kept, sent, notSent, unknown } = tested;
  const source = kept ? 'the stored digest' : 'a digest made for it';
  const failures = notSent === 0 ? '' : ` ${notSent} could not be sent.`;
  const lost = unknown === 0 ? '' : ` SES's answer to ${unknown} was lost: they may have been sent.`;
  const mails = (await readMailIds(target.outbox)).filter((id) => !before.includes(id));
  return {
    json: { run, ...tested },
    lines: [
      `Test of run ${run}, ${source}: sent to ${count(sent, 'address', 'addresses')}.${failures}${lost}`,
      ...(await nameMessages(target.outbox, `${run}-test`, mails)),
    ],
    code: notSent + unknown === 0 ? exitCodes.done : sent + unknown === 0 ? exitCodes.noDigest : exitCodes.incomplete,
  };
}
