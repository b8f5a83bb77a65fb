import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import type { Due } from '../../../functions/domain/schedule.ts';
import { isLongClaimed, readUnknown } from '../../../functions/ledger/runs/claims.ts';
import { isCard, readMessage } from '../../../functions/ledger/runs/messages.ts';
import { commandLine, done, UsageError } from '../command-line/result.ts';
import { atFlag, defineCommand, flag, onDue, periodFlag, yesFlag, type Given } from '../command-line/command.ts';
import { address } from '../command-line/flags.ts';
import { readKnown } from '../persons/known.ts';
import { exitCodeOf, findDueRun, orderRun, presentRun, summarize, type Meant } from '../runs/outcome.ts';
import { keepLatest } from '../runs/outbox.ts';
import { describeReach, sayWhom } from '../runs/reach.ts';
import { describePause } from '../runs/describe-report.ts';
import { confirm, confirmMailing, type RunTarget, type YesFlag } from '../targets/target.ts';

export default defineCommand({
  words: '<REPORT>',
  does: 'triggers the run of a period; one that was begun continues where it stopped',
  more: 'It says who has the mail and how many would get it now, and asks. Nobody who has it gets it again, save with --to.',
  example: 'run weekly --hold',
  flags: [
    atFlag,
    periodFlag,
    flag('--hold', 'stop when the digest is stored, and show it'),
    flag('--follow', 'show its progress, and end with the receipt'),
    flag('--resend-unknown', 'send again what may or may not have been sent, and nothing else'),
    flag('--to <ADDRESS>', 'mail the stored digest to this subscriber alone; if they have it already, it asks first')
      .argParser(address)
      .conflicts(['hold', 'resendUnknown']),
    flag('--again', 'with --to: confirm in advance that one who has it gets it once more'),
    yesFlag,
  ],
  work: onDue((target, report, due, flags: Given<RunOptions>) =>
    // The local system ends with this process, so a run on it is always waited for.
    runCommand(target, report, due, { ...flags, follow: flags.follow || flags.local }),
  ),
});

interface RunOptions extends YesFlag {
  hold: boolean;
  follow: boolean;
  resendUnknown: boolean;
  /** One address: the digest of the run goes to this subscriber alone. */
  to?: string[];
  /** Confirms in advance that this subscriber gets it once more. */
  again?: boolean;
}

/**
 * Triggers the run that is due; one that was begun continues where it stopped. With `to` one subscriber is mailed what it
 * stored. Waits for its end with `hold` or `follow`.
 */
export async function runCommand(target: RunTarget, report: ReportConfiguration, due: Due, options: RunOptions) {
  const { table, flags, outbox, stack } = target;
  const { hold, resendUnknown } = options;
  const meant = await findDueRun(table, report, due);
  const { run: name } = meant;
  const [to, ...others] = options.to ?? [];
  if (others.length > 0) throw new UsageError('--to takes one address.');
  const mail = to === undefined ? {} : await confirmMail(target, report, meant, to, options);
  const confirmRun = async () =>
    hold || (await confirmMailing(await describeReach(target, report, meant), target, options));
  const isConfirmed = to !== undefined || (await (resendUnknown ? confirmResend(target, name, options) : confirmRun()));
  if (!isConfirmed || mail === null) return done({ run: name, triggered: false }, ['Nothing was done.']);

  const since = Date.now();
  const follow = await orderRun(target, report, due, { hold, resendUnknown, ...mail });
  const show = commandLine(['show', name], flags);
  // A local system has no schedule.
  const notes = stack === null ? [] : await describePause(table, report);
  if (resendUnknown)
    notes.unshift('What was handed to SES in the last 15 minutes is not sent again: its outcome may still come.');
  if (!options.follow && !hold)
    return done({ run: name, triggered: true }, [`Triggered run ${name}. To see it: ${show}`, ...notes]);
  const { run, ...outcome } = await follow();
  const { receipt, digest } = outcome;
  const code = exitCodeOf(receipt, digest, { asOrdered: hold });
  if (run === null) return { json: receipt, lines: [...summarize(receipt, null), ...notes], code };
  const { json, lines } = await presentRun(target, run, outcome, since);
  if (receipt.state === 'held')
    lines.push(`To see it: ${show}`, `To send it: ${commandLine(['release', name], flags)}`);
  lines.push(...(await keepLatest(outbox, receipt.messages, show)), ...notes);
  return { json, lines, code };
}

/**
 * Asks before one subscriber is mailed what a run has stored. Who has it by the ledger, or may have it, gets it again by a yes
 * to that question or by `--again`, and not by `--yes`: a call that is simply repeated mails nobody twice. Returns what to order;
 * `null` without a yes. Throws a `UsageError` where the person cannot get it, or not yet.
 */
async function confirmMail(target: RunTarget, report: ReportConfiguration, run: Meant, to: string, flags: RunOptions) {
  const { table, stack } = target;
  const why = run.digest === undefined ? 'has no digest yet' : run.withheld && `is ${run.withheld}`;
  if (why !== undefined) throw new UsageError(`${run.run} ${why}: nobody is mailed what it has stored.`);
  const [person] = await readKnown(target, report, [to]);
  if (person?.gets !== true)
    throw new UsageError(`It gets no mail of "${report.name}": ${person?.why}. What helps: addresses show ADDRESS`);
  const row = await readMessage(table, run.run, person.hash);
  const { state, claim = '', sentBeforeAt } = row ?? {};
  const handed = state === 'sent' || state === 'claimed' ? { id: person.hash, claim } : undefined;
  if (row === null || (handed === undefined && sentBeforeAt === undefined)) {
    const whom = `One subscriber, who has not got ${run.run}, would get it now.`;
    return (await confirmMailing(whom, target, flags)) ? { to: [to], detail: 'to one subscriber' } : null;
  }
  if (handed !== undefined && !isLongClaimed(row, Date.now()))
    throw new UsageError('SES was handed this mail within the last 15 minutes: it may be on its way. Try later.');
  const from = stack === null ? '' : ` from ${stack}`;
  const question = `${to} has got ${run.run} by the ledger, or may have. Send it once more${from}?`;
  if (!(await confirm(question, { yes: flags.again === true }, '--again'))) return null;
  return { ...(handed === undefined ? { to: [to] } : { again: handed }), detail: 'once more to one subscriber' };
}

/** Asks before what is unknown is sent again. Throws a `UsageError` where nothing is. */
async function confirmResend({ table, stack }: RunTarget, run: string, flags: YesFlag): Promise<boolean> {
  const unknown = await readUnknown(table, run, Date.now());
  if (unknown.length === 0)
    throw new UsageError(`No outcome of ${run} has been unknown for 15 minutes: nothing is sent again.`);
  const from = stack === null ? '' : ` from ${stack}`;
  const cards = unknown.filter(isCard).length;
  const whom = sayWhom(unknown.length - cards, cards);
  return await confirm(`It is unknown whether ${whom} got ${run}. Send it to them alone${from}, perhaps again?`, flags);
}
