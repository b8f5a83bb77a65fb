import { setTimeout as sleep } from 'node:timers/promises';
import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { runName } from '../../../functions/domain/period.ts';
import type { Due } from '../../../functions/domain/schedule.ts';
import { countItems, phases, readWait, type Phase } from '../../../functions/ledger/runs/collections.ts';
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
    await readEnded(table, report, due, await followRun(table, { report: report.name, period }, ended()));
}

/** Says on standard error what a run is doing, as the ledger has it, until `ended` resolves. Gives what that gives. */
export async function followRun<Ended extends object>(
  table: Table,
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
      const text = run === null ? 'Starting' : await describeProgress(table, run);
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

/** What the items of each phase of a collection are. */
const itemsOf: Readonly<Record<Phase, string>> = {
  broadcasts: 'broadcasts read',
  recipients: 'deliveries counted',
  contents: 'content items counted',
};

/** How far a run is, in words: what was collected so far and of how much, then the messages. */
export async function describeProgress(table: Table, { run, state, digest, collection, intended, waitsUntil }: Run) {
  if (digest === undefined) {
    return `${run}: ${collection === undefined ? state : await describeCollection(table, { run, collection })}`;
  }
  if (state === 'done' || state === 'failed') return `${run}: ${state}`;
  if (state !== 'sending') return `${run}: the digest is ready`;
  const waits = waitsUntil === undefined ? '' : `; SES's daily quota is used up, and is waited for until ${waitsUntil}`;
  return `${run}: ${await countSent(table, run)} of ${intended} messages done${waits}`;
}

/** How much of a collection is stored, in words: of the phase that is under way, what was found of what is wanted. */
async function describeCollection(table: Table, key: { run: string; collection: string }): Promise<string> {
  let text = 'reading the list of deliveries';
  for (const phase of phases) {
    const wanted = await countItems(table, key, 'WORK', phase);
    if (wanted === 0) continue;
    const read = Math.min(wanted, await countItems(table, key, 'FOUND', phase));
    text = `${read} of ${wanted} ${itemsOf[phase]}`;
    if (read < wanted) break;
  }
  const wait = await readWait(table, key);
  return wait === null ? text : `${text}: ${wait}`;
}
