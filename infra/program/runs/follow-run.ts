import { setTimeout as sleep } from 'node:timers/promises';
import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { runName } from '../../../functions/domain/period.ts';
import type { Due } from '../../../functions/domain/schedule.ts';
import { accountOf } from '../../../functions/domain/configuration/account.ts';
import { knownDeliveries, observedLists, readCurrent } from '../../../functions/ledger/observations.ts';
import { countSent } from '../../../functions/ledger/runs/messages.ts';
import { readRun, type Run } from '../../../functions/ledger/runs/runs.ts';
import type { Table } from '../../../functions/ledger/table.ts';
import type { RunTrigger } from '../../../functions/run/trigger.ts';
import { createProgress } from '../command-line/answer.ts';
import { order } from '../targets/operate.ts';
import type { RunTarget } from '../targets/target.ts';
import { readEnded } from './outcome.ts';

const lookEveryMs = 1_000;

/** The name of a report's run: that of the ledger, where the report had another name when it began. */
export async function nameOfRun(table: Table, { name }: ReportConfiguration, { period }: Due): Promise<string> {
  return (await readRun(table, name, period))?.run ?? runName(name, period);
}

/** Orders the run of a report that is due, `to` these subscribers instead of the configured ones, or one message `again`. Gives what follows it to its end. */
export async function orderRun(
  target: RunTarget,
  report: ReportConfiguration,
  due: Due,
  options: Partial<Pick<RunTrigger, 'hold' | 'resendUnknown' | 'again'>> & { to?: readonly string[]; detail?: string },
) {
  const { table } = target;
  const { scheduledTime, period } = due;
  const { to, hold, resendUnknown, again, detail } = options;
  const what = resendUnknown ? 'resend-unknown' : hold ? 'hold' : 'run';
  const run = await nameOfRun(table, report, due);
  const action = { what, report: report.name, run, ...(detail === undefined ? {} : { detail }) } as const;
  const flags = { hold: hold || undefined, resendUnknown: resendUnknown || undefined, again };
  const payload = { action: 'run', report: report.name, scheduledTime, ...flags };
  const ended = await order(target, action, payload, to);
  return async () =>
    await readEnded(table, report, due, await followRun(target, { report: report.name, period }, ended()));
}

/** Says on standard error what a run is doing, as the ledger has it, until `ended` resolves. Gives what that gives. */
export async function followRun<Ended extends object>(
  { table, configuration }: Pick<RunTarget, 'table' | 'configuration'>,
  { report, period }: Pick<Run, 'report' | 'period'>,
  ended: Promise<Ended>,
): Promise<Ended> {
  const progress = createProgress();
  // An execution that fails while the ledger is being read is noticed below.
  ended.catch(() => undefined);
  let reported = '';
  try {
    for (;;) {
      const run = await readRun(table, report, period);
      const text = run === null ? 'Starting' : await describeProgress(table, accountOf(configuration.service), run);
      // Where standard error is no terminal each line stays, so a line is not repeated.
      if (text !== reported) progress.say(`${text} …`);
      reported = text;
      const outcome = await Promise.race([ended, sleep(lookEveryMs, null, { ref: false })]);
      if (outcome !== null) return outcome;
    }
  } finally {
    progress.end();
  }
}

/** How far a run is, in words: what was read of the account so far and of how much, then the messages. */
export async function describeProgress(table: Table, account: string, run: Run): Promise<string> {
  const { state, digest, intended, waitsUntil } = run;
  if (digest === undefined) return `${run.run}: ${(await describeObservation(table, account)) ?? state}`;
  if (state === 'done' || state === 'failed') return `${run.run}: ${state}`;
  if (state !== 'sending') return `${run.run}: the digest is ready`;
  const waits = waitsUntil === undefined ? '' : `; SES's daily quota is used up, and is waited for until ${waitsUntil}`;
  return `${run.run}: ${await countSent(table, run.run)} of ${intended} messages done${waits}`;
}

/** How much of the account was read, in words; `null` where nobody reads it. */
async function describeObservation(table: Table, account: string): Promise<string | null> {
  const current = await readCurrent(table, account);
  if (current === null || current.state !== 'open') return null;
  const key = { account, observation: current.id };
  const list = await observedLists.read(table, key);
  if (list === null) return 'reading the list of deliveries';
  return `${(await knownDeliveries.readParts(table, key)).flat().length} of ${list.deliveries} deliveries read`;
}
