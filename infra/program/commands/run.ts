import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import type { Due } from '../../../functions/domain/schedule.ts';
import { runName } from '../../../functions/domain/period.ts';
import { readReport } from '../../../functions/ledger/reports.ts';
import { readMessages } from '../../../functions/ledger/runs/messages.ts';
import { readRun, type Run } from '../../../functions/ledger/runs/runs.ts';
import type { Failure } from '../../../functions/run/failure.ts';
import type { Receipt } from '../../../functions/run/receipt/receipt.ts';
import { done, exitCodes, sayInstant, type CommandResult } from '../command-line/answer.ts';
import { chooseRun } from '../command-line/choices.ts';
import { exitCodeOf, readEnded, summarize } from '../runs/outcome.ts';
import { followRun } from '../runs/follow-run.ts';
import { nameMailsOfRun } from '../runs/outbox.ts';
import { presentRun, readRunRecord } from '../runs/run-record.ts';
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
  const pause = await describePause(target, report);
  if (!options.follow && !hold) {
    const shown = `Triggered run ${run}. To see it: npm run ops -- ${['show', run, ...flags].join(' ')}`;
    return done({ run, triggered: true }, [shown, ...pause]);
  }
  const answer = await presentEnded(target, report, due, await followRun(table, read, ended()));
  const isAsOrdered = hold && answer.receipt.state === 'held';
  const code = isAsOrdered ? exitCodeOf(asKept(answer.receipt), answer.digest) : answer.code;
  return { json: answer.json, lines: [...answer.lines, ...pause], code };
}

/** The run after its execution has ended, with what can be done where it is held. */
async function presentEnded(target: RunTarget, report: ReportConfiguration, due: Due, ended: TriggerOutcome) {
  const { run, ...outcome } = await readEnded(target.table, report, due, ended);
  const { receipt, digest } = outcome;
  if (run === null) {
    return { ...outcome, json: receipt, lines: summarize(receipt, null), code: exitCodeOf(receipt, null) };
  }
  const presented = presentRun(await readRunRecord(target, run, { receipt, digest }));
  const command = (name: string): string => ['npm run ops --', name, run.run, ...target.flags].join(' ');
  const next = [`To see it: ${command('show')}`, `To send it: ${command('release')}`];
  const lines = [
    ...presented.lines,
    ...(receipt.state === 'held' ? next : []),
    ...(await nameMailsOfRun(target.outbox, receipt)),
  ];
  return { ...outcome, ...presented, lines };
}

/** A held run as one that is complete up to its sending. */
function asKept(receipt: Receipt): Receipt {
  return { ...receipt, state: 'kept', balance: { ...receipt.balance, held: 0 } };
}

async function confirmResend({ table }: RunTarget, run: string, { yes }: RunOptions): Promise<boolean> {
  let unknown = 0;
  for await (const { state } of readMessages(table, run)) if (state === 'claimed') unknown += 1;
  if (unknown === 0) return true;
  const whom = unknown === 1 ? 'one subscriber' : `${unknown} subscribers`;
  return await confirm(`It is unknown whether ${whom} got the mail. Send it, perhaps a second time?`, { yes });
}

async function describePause({ table }: RunTarget, report: ReportConfiguration): Promise<string[]> {
  const known = await readReport(table, report);
  if (known?.pausedAt === undefined) return [];
  const since = sayInstant(known.pausedAt, report.schedule.timeZone);
  return [
    `The report has been paused since ${since} by ${known.pausedBy ?? 'someone'}: its schedule triggers nothing.`,
  ];
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
  const record = await readRunRecord(target, (await readOf(target, run)()) ?? run);
  const answer = presentRun(record);
  return { ...answer, lines: [...answer.lines, ...(await nameMailsOfRun(target.outbox, record.receipt))] };
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
  const outcome = await followRun(target.table, readOf(target, run), ended());
  return outcome.status === 'failed' ? outcome.failure : null;
}

const readOf =
  ({ table }: RunTarget, { report, period }: Run) =>
  (): Promise<Run | null> =>
    readRun(table, report, period);

/** The answer for an order that the run function refused, or that failed. */
export function refused(run: string, failure: Failure): CommandResult {
  return { json: { run, error: failure }, lines: [failure.message], code: exitCodes.noDigest };
}
