import { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import { putTriggerSubscribers } from '../../../functions/ledger/runs/triggers.ts';
import { exitCodes } from '../../local/output/outcome.ts';
import { createProgress } from '../../local/output/progress.ts';
import { checkAddresses } from '../addresses/check-addresses.ts';
import { count } from '../../../functions/domain/counted-noun.ts';
import { type CommandResult } from '../command-line/answer.ts';
import { faultsOfAddresses, faultsOfOutbox } from '../command-line/call-faults.ts';
import type { CheckedCommand } from '../command-line/checked-command.ts';
import { atSystem, command } from '../command-line/command.ts';
import { instant, type PlaceFlags } from '../command-line/flags.ts';
import type { PrintAnswer } from '../command-line/run-program.ts';
import { chooseRun } from '../runs/choose-run.ts';
import { nameTestMails, readMailIds } from '../runs/local-mails.ts';
import { recordOperation } from '../../record-operation.ts';
import type { RunTarget } from '../targets/target.ts';
import { refused } from './release.ts';

export function defineTest(program: CheckedCommand, print: PrintAnswer): void {
  const test = command(
    program,
    'test <REPORT>',
    'sends the real digest, marked as a test, to these addresses only',
    'test weekly --to ada@example.com',
  )
    .requiredOption('--to <ADDRESS...>', 'who to send it to')
    .valueOption('--at <INSTANT>', "the scheduled instant, ISO 8601 (default: the report's latest)", instant)
    .action((report: string, flags: PlaceFlags & { to: string[]; at?: string }) => {
      const to = checkAddresses(flags.to);
      return atSystem(flags, (target) => testCommand(target, report, { to, at: flags.at }), print);
    });
  test.check(() => [...faultsOfAddresses(test.opts<{ to?: string[] }>().to ?? []), ...faultsOfOutbox(test)]);
}

const testedSchema = v.object({
  test: v.string(),
  kept: v.boolean(),
  sent: v.number(),
  notSent: v.number(),
  // A version deployed earlier counts these among those that were not sent.
  unknown: v.optional(v.number(), 0),
});

/** Sends the real digest of a report, marked as a test, to these addresses only. */
export async function testCommand(
  target: RunTarget,
  name: string,
  { to, at }: { to: readonly string[]; at: string | undefined },
): Promise<CommandResult> {
  const now = Temporal.Now.instant();
  const { report, scheduledTime, run } = await chooseRun(target, name, { at, now });
  const progress = createProgress();
  const subscribers = await putTriggerSubscribers(target.table, to, new Date(now.epochMilliseconds));
  const detail = count(to.length, 'address', 'addresses');
  const operation = await recordOperation(target, { report: report.name }, { what: 'test', run, detail });
  const trigger = { action: 'test', report: report.name, scheduledTime, subscribers, operation };
  const mailsBefore = await readMailIds(target);
  const { ended } = await target.trigger(trigger, { name: operation, say: progress.say });
  const outcome = await ended();
  progress.end();
  if (outcome.status === 'failed') return refused(run, outcome);
  const { kept, sent, notSent, unknown } = v.parse(testedSchema, outcome.result);
  const source = kept ? 'the stored digest' : 'a digest made for it';
  const failures = notSent === 0 ? '' : ` ${notSent} could not be sent.`;
  const lost = unknown === 0 ? '' : ` SES's answer to ${unknown} was lost: they may have been sent.`;
  return {
    json: { run, kept, sent, notSent, unknown },
    lines: [
      `Test of run ${run}, ${source}: sent to ${count(sent, 'address', 'addresses')}.${failures}${lost}`,
      ...(await nameTestMails(target, run, mailsBefore)),
    ],
    code: codeOf({ sent, notSent, unknown }),
  };
}

function codeOf({ sent, notSent, unknown }: { sent: number; notSent: number; unknown: number }): number {
  if (notSent + unknown === 0) return exitCodes.done;
  return sent + unknown === 0 ? exitCodes.noDigest : exitCodes.incomplete;
}
