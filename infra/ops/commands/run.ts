import { Temporal } from 'temporal-polyfill';
import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { readReport } from '../../../functions/ledger/reports.ts';
import { readMessages } from '../../../functions/ledger/runs/messages.ts';
import { readRunOf } from '../../../functions/run/find-run.ts';
import { actionNameOf } from '../../../functions/run/orders/answer-order.ts';
import { failedReceipt, type Receipt } from '../../../functions/run/receipt/receipt.ts';
import { exitCodeOf, exitCodes, summarize } from '../../local/output/outcome.ts';
import { sayInstant } from '../../local/output/instants.ts';
import { followRun } from '../../local/output/follow-run.ts';
import { createProgress } from '../../local/output/progress.ts';
import type { CommandResult } from '../command-line/answer.ts';
import { faultsOfOutbox } from '../command-line/call-faults.ts';
import type { CheckedCommand } from '../command-line/checked-command.ts';
import { atSystem, command } from '../command-line/command.ts';
import { confirm, confirmMailing } from '../command-line/confirm.ts';
import { instant, type PlaceFlags } from '../command-line/flags.ts';
import type { PrintAnswer } from '../command-line/run-program.ts';
import { chooseRun, type ChosenRun } from '../runs/choose-run.ts';
import { nameMailsOfRun } from '../runs/local-mails.ts';
import { describeNextSteps } from '../runs/next-steps.ts';
import { presentRun, readRunRecord } from '../runs/run-record.ts';
import { recordOperation } from '../../record-operation.ts';
import type { RunTarget, TriggerOutcome } from '../targets/target.ts';

export function defineRun(program: CheckedCommand, print: PrintAnswer): void {
  const run = command(
    program,
    'run <REPORT>',
    'triggers the run of a period; one that was begun continues where it stopped',
    'run weekly --hold',
  )
    .valueOption('--at <INSTANT>', "the scheduled instant, ISO 8601 (default: the report's latest)", instant)
    .option('--hold', 'stop when the digest is stored, and show it', false)
    .option('--follow', 'show its progress, and end with the receipt', false)
    .option('--resend-unknown', 'send messages again that may or may not have been sent', false)
    .option('--yes', 'confirm in advance', false)
    .action((report: string, flags: PlaceFlags & Omit<RunOptions, 'at'> & { at?: string }) => {
      // The local system ends with this process, so a run on it is always waited for.
      const options = { ...flags, at: flags.at, follow: flags.follow || flags.local };
      return atSystem(flags, (target) => runCommand(target, report, options), print);
    });
  run.check(() => faultsOfOutbox(run));
}

export interface RunOptions {
  at: string | undefined;
  hold: boolean;
  follow: boolean;
  resendUnknown: boolean;
  yes: boolean;
}

/** Triggers the run of a period; one that was begun continues where it stopped. Waits for its end with `hold` or `follow`. */
export async function runCommand(target: RunTarget, name: string, options: RunOptions): Promise<CommandResult> {
  const chosen = await chooseRun(target, name, { at: options.at, now: Temporal.Now.instant() });
  const { report, scheduledTime, period, run } = chosen;
  const progress = createProgress();
  if (!options.hold && !(await confirmMailing(report.name, target, options))) return declined(run);
  if (options.resendUnknown && !(await confirmResend(target, run, options))) return declined(run);

  const { hold, resendUnknown } = options;
  const trigger = {
    action: 'run',
    report: report.name,
    scheduledTime,
    ...(hold ? { hold } : {}),
    ...(resendUnknown ? { resendUnknown } : {}),
  } as const;
  const operation = await recordOperation(target, { report: report.name }, { what: actionNameOf(trigger), run });
  const { ended } = await target.trigger({ ...trigger, operation }, { name: operation });
  const pause = await describePause(target, report);
  if (!options.follow && !hold) {
    return {
      json: { run, triggered: true },
      lines: [`Triggered run ${run}. To see it: npm run ops -- ${['show', run, ...target.flags].join(' ')}`, ...pause],
      code: 0,
    };
  }
  const { table } = target;
  const read = () => readRunOf(table, report, period);
  const outcome = await followRun({ table, read, say: progress.say }, ended());
  progress.end();
  const answer = await presentOutcome(target, chosen, { outcome, hold });
  return { ...answer, lines: [...answer.lines, ...pause] };
}

/** The run after its execution has ended, with its failure where it failed. One that was to be held is as it should be. */
async function presentOutcome(
  target: RunTarget,
  { report, period, run }: ChosenRun,
  { outcome, hold }: { outcome: TriggerOutcome; hold: boolean },
): Promise<CommandResult> {
  const item = await readRunOf(target.table, report, period);
  if (item === null) {
    const failure =
      outcome.status === 'failed' ? outcome.failure : { code: 'internal', message: 'It left nothing in the ledger.' };
    const receipt = failedReceipt({ run, report: report.name, period }, failure);
    return { json: receipt, lines: summarize(receipt, null), code: exitCodeOf(receipt, null) };
  }
  const record = await readRunRecord(target, item, Date.now());
  const { receipt, digest } = record;
  const { json, lines, code } = presentRun(record);
  const failed = outcome.status === 'failed' ? [outcome.failure.message] : [];
  const next = describeNextSteps(item, receipt, target.flags);
  const mails = await nameMailsOfRun(target, receipt);
  return {
    json,
    lines: [...lines, ...failed.filter((line) => !lines.includes(line)), ...next, ...mails],
    code: hold && receipt.state === 'held' ? exitCodeOf(asKept(receipt), digest) : code,
  };
}

/** A held run as one that is complete up to its sending. */
function asKept(receipt: Receipt): Receipt {
  return { ...receipt, state: 'kept', balance: { ...receipt.balance, held: 0 } };
}

async function confirmResend({ table }: RunTarget, run: string, { yes }: RunOptions): Promise<boolean> {
  let unknown = 0;
  for await (const { state } of readMessages(table, run)) if (state === 'claimed') unknown += 1;
  const whom = unknown === 1 ? 'one subscriber' : `${unknown} subscribers`;
  return (
    unknown === 0 ||
    (await confirm(`It is unknown whether ${whom} got the mail. Send it, perhaps a second time?`, { yes }))
  );
}

function declined(run: string): CommandResult {
  return { json: { run, triggered: false }, lines: ['Nothing was done.'], code: exitCodes.done };
}

async function describePause({ table }: RunTarget, report: ReportConfiguration): Promise<string[]> {
  const known = await readReport(table, report);
  if (known?.pausedAt === undefined) return [];
  return [
    `The report has been paused since ${sayInstant(known.pausedAt, report.schedule.timeZone)} by ${known.pausedBy ?? 'someone'}: its schedule triggers nothing.`,
  ];
}
