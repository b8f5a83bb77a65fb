import * as v from 'valibot';
import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { runName } from '../../../functions/domain/period.ts';
import type { Due } from '../../../functions/domain/schedule.ts';
import { count } from '../../../functions/domain/wording.ts';
import { readMessages } from '../../../functions/ledger/runs/messages.ts';
import { openHashes } from '../../../functions/ledger/persons/persons.ts';
import { readStandings } from '../../../functions/ledger/persons/standing.ts';
import { readRun, type Run } from '../../../functions/ledger/runs/runs.ts';
import { putTriggerSubscribers } from '../../../functions/ledger/runs/triggers.ts';
import type { Failure } from '../../../functions/run/failure.ts';
import { describeSuppression } from '../addresses/standing.ts';
import { createProgress, done, exitCodes, type CommandResult } from '../command-line/answer.ts';
import { chooseRun } from '../command-line/choices.ts';
import { followRun } from '../runs/follow-run.ts';
import { nameMailsOfRun, nameMessages, readMailIds } from '../runs/outbox.ts';
import { exitCodeOf, presentRun, readEnded, summarize } from '../runs/outcome.ts';
import { describePause } from './report.ts';
import { confirm, confirmMailing, order } from '../targets/operate.ts';
import type { RunTarget, TriggerOutcome } from '../targets/target.ts';

export interface RunOptions {
  hold: boolean;
  follow: boolean;
  resendUnknown: boolean;
  yes: boolean;
}

/** Triggers the run that is due; one that was begun continues where it stopped. Waits for its end with `hold` or `follow`. */
export async function runCommand(
  target: RunTarget,
  report: ReportConfiguration,
  due: Due,
  options: RunOptions,
): Promise<CommandResult> {
  const { table, flags } = target;
  const { hold, resendUnknown } = options;
  const read = () => readRun(table, report.name, due.period);
  const run = (await read())?.run ?? runName(report.name, due.period);
  const isConfirmed =
    (hold || (await confirmMailing(report.name, target, options))) &&
    (!resendUnknown || (await confirmResend(target, run, options)));
  if (!isConfirmed) return done({ run, triggered: false }, ['Nothing was done.']);

  const what = resendUnknown ? 'resend-unknown' : hold ? 'hold' : 'run';
  const ended = await order(
    target,
    { what, report: report.name, run },
    {
      action: 'run',
      report: report.name,
      scheduledTime: due.scheduledTime,
      ...(hold ? { hold } : {}),
      ...(resendUnknown ? { resendUnknown } : {}),
    },
  );
  const young = 'What was handed to SES in the last 15 minutes is not sent again: its outcome may still come.';
  const notes = [...(resendUnknown ? [young] : []), ...(await describePause(table, report))];
  if (!options.follow && !hold) {
    const shown = `Triggered run ${run}. To see it: npm run ops -- ${['show', run, ...flags].join(' ')}`;
    return done({ run, triggered: true }, [shown, ...notes]);
  }
  const answer = await presentEnded(target, report, due, await followRun(table, read, ended()));
  const code = exitCodeOf(answer.receipt, answer.digest, { asOrdered: hold });
  return { json: answer.json, lines: [...answer.lines, ...notes], code };
}

/** The run after its execution has ended, with what can be done where it is held. */
async function presentEnded(target: RunTarget, report: ReportConfiguration, due: Due, ended: TriggerOutcome) {
  const { run, ...outcome } = await readEnded(target.table, report, due, ended);
  if (run === null) return { ...outcome, json: outcome.receipt, lines: summarize(outcome.receipt, null) };
  const presented = await presentRun(target, run, outcome);
  const command = (name: string): string => ['npm run ops --', name, run.run, ...target.flags].join(' ');
  const next = [`To see it: ${command('show')}`, `To send it: ${command('release')}`];
  const isHeld = outcome.receipt.state === 'held';
  const mails = await nameMailsOfRun(target.outbox, outcome.receipt);
  return { ...presented, lines: [...presented.lines, ...(isHeld ? next : []), ...mails] };
}

async function confirmResend({ table }: RunTarget, run: string, { yes }: RunOptions): Promise<boolean> {
  let unknown = 0;
  for await (const { state } of readMessages(table, run)) if (state === 'claimed') unknown += 1;
  if (unknown === 0) return true;
  const whom = unknown === 1 ? 'one subscriber' : `${unknown} subscribers`;
  return await confirm(`It is unknown whether ${whom} got the mail. Send it, perhaps a second time?`, { yes });
}

/** Sends a held run: exactly the digest that was stored, to the subscribers it was planned with. */
export async function releaseCommand(
  target: RunTarget,
  name: string,
  options: { yes: boolean },
): Promise<CommandResult> {
  const run = await chooseRun(target, name);
  if (!(await confirmMailing(run.report, target, options))) {
    return done({ run: run.run, state: run.state }, ['Nothing was done.']);
  }
  const failure = await actOn(target, run, 'release');
  if (failure !== null) return refused(run.run, failure);
  const { json, lines, code, receipt } = await presentRun(
    target,
    (await readRun(target.table, run.report, run.period)) ?? run,
  );
  return { json, lines: [...lines, ...(await nameMailsOfRun(target.outbox, receipt))], code };
}

/** Drops a run's digest, so that the run collects again when it is triggered. */
export async function discardCommand(target: RunTarget, name: string): Promise<CommandResult> {
  const run = await chooseRun(target, name);
  const failure = await actOn(target, run, 'discard');
  if (failure !== null) return refused(run.run, failure);
  const line = `The digest of run ${run.run} was discarded: the next "run" collects again.`;
  return done({ run: run.run, state: 'planned', discarded: true }, [line]);
}

/** Gives an order about a run and waits for its end. Returns why it was refused or failed, else `null`. */
async function actOn(target: RunTarget, run: Run, what: 'release' | 'discard'): Promise<Failure | null> {
  const ended = await order(target, { what, report: run.report, run: run.run }, { action: what, run: run.run });
  const read = () => readRun(target.table, run.report, run.period);
  const outcome = await followRun(target.table, read, ended());
  return outcome.status === 'failed' ? outcome.failure : null;
}

/** The answer for an order that the run function refused, or that failed. */
function refused(run: string, failure: Failure): CommandResult {
  return { json: { run, error: failure }, lines: [failure.message], code: exitCodes.noDigest };
}

/**
 * Why a test is not sent, in sentences: somebody gets no mail at all, or has unsubscribed and the operator does not want to
 * mail them all the same. `null` where it is sent.
 */
async function refuseTest(
  { table }: RunTarget,
  report: ReportConfiguration,
  to: readonly string[],
  options: { yes: boolean },
): Promise<string[] | null> {
  const hashes = to.map(await openHashes(table));
  const standings = await readStandings(table, report, hashes);
  const found = to.map((address, index) => ({ address, ...standings.get(hashes[index] ?? '') }));
  const suppressed = found.flatMap(({ address, suppression }) =>
    suppression == null ? [] : [`${address} gets no mail: ${describeSuppression(suppression)}.`],
  );
  if (suppressed.length > 0)
    return [...suppressed, 'Nothing was sent. To let somebody get mail: addresses lift ADDRESS'];
  const left = found.filter(({ leftAt }) => leftAt != null).map(({ address }) => address);
  const question = `Unsubscribed from "${report.name}": ${left.join(', ')}. Send the test all the same?`;
  return left.length === 0 || (await confirm(question, options)) ? null : ['Nothing was done.'];
}

const testedSchema = v.object({ kept: v.boolean(), sent: v.number(), notSent: v.number(), unknown: v.number() });

/** Sends the real digest of a report, marked as a test, to these addresses only. */
export async function testCommand(
  target: RunTarget,
  report: ReportConfiguration,
  { scheduledTime, period }: Due,
  to: readonly string[],
  options: { yes: boolean },
): Promise<CommandResult> {
  const run = (await readRun(target.table, report.name, period))?.run ?? runName(report.name, period);
  const refusal = await refuseTest(target, report, to, options);
  if (refusal !== null) return { json: { run, refused: refusal }, lines: refusal, code: exitCodes.noDigest };
  const subscribers = await putTriggerSubscribers(target.table, to, {
    ...target.configuration.ledger,
    now: new Date(),
  });
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
