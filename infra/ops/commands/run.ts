import { Temporal } from 'temporal-polyfill';
import { readMessages } from '../../../functions/ledger/runs/messages.ts';
import { readReport } from '../../../functions/ledger/reports.ts';
import { periodBefore, runName } from '../../../functions/domain/period.ts';
import { readRunOf } from '../../../functions/run/find-run.ts';
import { actionNameOf } from '../../../functions/run/operate/audit.ts';
import { failedReceipt } from '../../../functions/run/receipt/receipt.ts';
import type { ReportNames } from '../../../functions/domain/report-names.ts';
import { chooseInstant } from '../../local/command-line/choices.ts';
import { exitCodeOf, exitCodes, summarize } from '../../local/output/outcome.ts';
import { createProgress } from '../../local/output/progress.ts';
import type { CommandResult } from '../command-line/answer.ts';
import { confirm } from '../command-line/confirm.ts';
import type { RunTarget } from '../targets/target.ts';
import { findReport } from '../find.ts';
import { followRun } from '../follow.ts';
import { record } from '../record.ts';
import { presentRun, readRunRecord } from '../run-view.ts';

export interface RunOptions {
  at: string | undefined;
  hold: boolean;
  follow: boolean;
  resendUnknown: boolean;
  yes: boolean;
}

/** Triggers the run of a period by hand; it goes on from where that run is. Waits for its end where it is asked to. */
export async function runCommand(target: RunTarget, name: string, options: RunOptions): Promise<CommandResult> {
  const { configuration, table } = target;
  const report = findReport(configuration, name);
  const scheduledTime = Temporal.Instant.from(chooseInstant(report, options.at, Temporal.Now.instant())).toString();
  const period = periodBefore(report.period, report.timeZone, scheduledTime);
  const run = (await readRunOf(table, report, period.startDate))?.run ?? runName(report.name, period);
  const progress = createProgress();
  if (options.resendUnknown && !(await confirmResend(target, run, options))) return declined(run);

  const { hold, resendUnknown } = options;
  const trigger = {
    action: 'run',
    report: report.name,
    scheduledTime,
    ...(hold ? { hold } : {}),
    ...(resendUnknown ? { resendUnknown } : {}),
  } as const;
  const operation = await record(target, { report: report.name }, { what: actionNameOf(trigger), run });
  const { ended } = await target.trigger({ ...trigger, operation }, { name: operation, say: progress.say });
  const notes = await pauseNote(target, report);
  if (!options.follow && !hold) {
    return {
      json: { run, triggered: true },
      lines: [`Triggered run ${run}. Look at it: show ${run}`, ...notes],
      code: 0,
    };
  }
  const outcome = await followRun(table, run, ended(), progress.say);
  progress.end();
  const item = await readRunOf(table, report, period.startDate);
  if (item === null) {
    const failure = outcome.status === 'failed' ? outcome.failure : { code: 'internal', message: 'It left no trace.' };
    const receipt = failedReceipt({ run, report: report.name, period }, failure);
    return { json: receipt, lines: summarize(receipt, null, false), code: exitCodeOf(receipt, null, false) };
  }
  const answer = presentRun(await readRunRecord(target, item), { messages: false });
  const failed = outcome.status === 'failed' ? [outcome.failure.message] : [];
  return { ...answer, lines: [...answer.lines, ...failed.filter((line) => !answer.lines.includes(line)), ...notes] };
}

async function confirmResend({ table }: RunTarget, run: string, { yes }: RunOptions): Promise<boolean> {
  let unknown = 0;
  for await (const { state } of readMessages(table, run)) if (state === 'claimed') unknown += 1;
  const whom = unknown === 1 ? 'one subscriber' : `${unknown} subscribers`;
  return (
    unknown === 0 ||
    (await confirm(`Nobody knows whether ${whom} got the mail. Send it, perhaps a second time?`, { yes }))
  );
}

function declined(run: string): CommandResult {
  return { json: { run, triggered: false }, lines: ['Nothing was done.'], code: exitCodes.done };
}

async function pauseNote({ table }: RunTarget, report: ReportNames): Promise<string[]> {
  const known = await readReport(table, report);
  if (known?.pausedAt === undefined) return [];
  return [
    `The report is paused since ${known.pausedAt} by ${known.pausedBy ?? 'somebody'}: its schedule triggers nothing.`,
  ];
}
