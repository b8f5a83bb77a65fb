import * as v from 'valibot';
import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import type { Due } from '../../../functions/domain/schedule.ts';
import { count } from '../../../functions/domain/wording.ts';
import { createProgress, exitCodes, failed } from '../command-line/result.ts';
import { atFlag, defineCommand, flag, onDue, periodFlag, yesFlag } from '../command-line/command.ts';
import { address } from '../command-line/flags.ts';
import { describeStanding, readKnown, waysBack } from '../persons/known.ts';
import { findDueRun, refused } from '../runs/outcome.ts';
import { confirm, order, type RunTarget, type YesFlag } from '../targets/target.ts';

export default defineCommand({
  words: '<REPORT>',
  does: 'sends the real digest, marked as a test, to these addresses only',
  more: 'It leaves no digest behind. A suppressed address is refused; of one that left it asks first.',
  example: 'test weekly --to ada@example.com',
  flags: [
    flag('--to <ADDRESS...>', 'who to send it to').argParser(address).makeOptionMandatory(),
    atFlag,
    periodFlag,
    yesFlag,
  ],
  work: onDue(testCommand),
});

type TestOptions = YesFlag & { to: readonly string[] };

const testedSchema = v.object({ kept: v.boolean(), sent: v.number(), notSent: v.number(), unknown: v.number() });

/** Sends the real digest of a report, marked as a test, to these addresses only. */
export async function testCommand(target: RunTarget, report: ReportConfiguration, due: Due, options: TestOptions) {
  const { to } = options;
  const { name } = report;
  const { run } = await findDueRun(target.table, report, due);
  const refusal = await refuseTest(target, report, options);
  if (refusal !== null) return failed({ run, refused: refusal }, refusal);
  using progress = createProgress();
  progress.say('Sending the test, with the stored digest or one that is collected for it …');
  const action = { what: 'test', report: name, run, detail: count(to.length, 'address', 'addresses') } as const;
  const ended = await order(target, action, { action: 'test', report: name, scheduledTime: due.scheduledTime }, to);
  const { failure, result: tested } = await ended();
  if (failure !== null) return refused(run, failure);
  const result = v.parse(testedSchema, tested);
  const { kept, sent, notSent, unknown } = result;
  const source = kept ? 'the stored digest' : 'a digest made for it';
  const failures = notSent === 0 ? '' : ` ${notSent} could not be sent.`;
  const lost = unknown === 0 ? '' : ` SES's answer to ${unknown} was lost: they may have been sent.`;
  const lines = [`Test of run ${run}, ${source}: sent to ${count(sent, 'address', 'addresses')}.${failures}${lost}`];
  const code = sent + unknown === 0 ? exitCodes.noDigest : exitCodes.incomplete;
  return { json: { run, ...result }, lines, code: notSent + unknown === 0 ? exitCodes.done : code };
}

/**
 * Why a test is not sent, in sentences: somebody gets no mail at all, or has unsubscribed and the operator does not want to
 * mail them all the same. `null` where it is sent.
 */
async function refuseTest(target: RunTarget, report: ReportConfiguration, options: TestOptions) {
  const standings = (await readKnown(target, report, options.to)).map(({ standing }) => standing);
  const stopped = standings
    .filter(({ suppression, forgottenAt }) => suppression !== null || forgottenAt !== null)
    .map((standing) => Object.assign(standing, { leftAt: null, member: null }));
  if (stopped.length > 0) {
    const whys = stopped.map(
      (person) => `${person.address} gets no mail: ${describeStanding(person, { isConfigured: false }).why}.`,
    );
    return [...whys, 'Nothing was sent.', ...waysBack(stopped)];
  }
  const left = standings.filter(({ leftAt }) => leftAt !== null).map(({ address }) => address);
  const question = `Unsubscribed from "${report.name}": ${left.join(', ')}. Send the test all the same?`;
  return left.length === 0 || (await confirm(question, options)) ? null : ['Nothing was done.'];
}
