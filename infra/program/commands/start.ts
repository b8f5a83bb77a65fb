import { once } from 'node:events';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { withoutAuthors, type Digest } from '../../../functions/digest/schema.ts';
import { accountOf } from '../../../functions/domain/configuration/account.ts';
import { readRun } from '../../../functions/ledger/runs/runs.ts';
import { isHeldByReport } from '../../../functions/run/compose.ts';
import type { Receipt } from '../../../functions/run/receipt/receipt.ts';
import { asPlanned, copyState, forgetObservation, forgetRun, removeDeadCopies } from '../../local/dry-run.ts';
import { storing } from '../../local/local-error.ts';
import { commandLine, sayInstant, createProgress, type CommandResult } from '../command-line/result.ts';
import { chooseDue, chooseReport, type DueFlags } from '../command-line/choices.ts';
import { answering, atFlag, flag, periodFlag, serviceUrlFlag, type Print } from '../command-line/command.ts';
import { address, emulatorUrl, sendRate } from '../command-line/flags.ts';
import { orderRun, exitCodeOf, summarize } from '../runs/outcome.ts';
import { clearLastRun, keepLatest, writeOutcome } from '../runs/outbox.ts';
import { describeOpenMatters, readStates } from '../runs/describe-report.ts';
import { localTarget } from '../targets/local-ledger.ts';
import { openLocalSystem, type LocalOptions } from '../targets/local-system.ts';
import { defaultFolders, placeOf, stateFolderOf, type PlaceFlags } from '../targets/place.ts';

const codes = `
exit codes: 0 done; 2 something unavailable, held, failed or unknown;
            1 no digest, or nothing could be sent;
            64 invalid flags, configuration, templates or credential variables`;

const flagsOfStart = [
  flag('--report <NAME>', 'one of the reports in cdk.json (default: the first)'),
  atFlag,
  periodFlag,
  serviceUrlFlag,
  flag('--to <ADDRESS>', 'only this subscriber instead of the configured ones (repeatable)').argParser(address),
  flag('--out <DIR>', 'where the mails, digest.json and receipt.json go').default(defaultFolders.out),
  flag('--state <DIR>', 'contains a folder for each reporting service with its ledger').default(defaultFolders.state),
  flag('--send-rate <N>', 'messages a second that the embedded SES accepts (default: no limit)')
    .argParser(sendRate)
    .conflicts('awsEndpoint'),
  flag(
    '--dry-run',
    'collects again on a copy of the ledger and sends nothing: the messages are in DIR/planned/, and its digest.json and receipt.json replace those of the last run',
  ),
  flag('--draft', 'as --dry-run, but opens one mail without links, from DIR/draft/, for you to address and send')
    .implies({ dryRun: true })
    .conflicts('to'),
  flag(
    '--aws-endpoint <URL>',
    'an AWS emulator for DynamoDB, Secrets Manager and SES in place of the embedded ones',
  ).argParser(emulatorUrl),
  flag('--json', 'only the receipt on standard output'),
  flag('--no-view', 'end when the run has ended, without the browser view, and open no draft'),
];

/** Adds `npm start` to the program: no command of operators, so their help does not list it. */
export default function addStart(program: Command, name: string, print: Print): void {
  const command = program
    .command(name, { hidden: true })
    .usage('[flags]')
    .description('npm start: runs a report on embedded parts and shows the mail')
    .configureHelp({ helpWidth: 80, commandUsage: () => 'npm start -- [flags]' })
    .showHelpAfterError('For help: npm start -- --help')
    .addHelpText('after', codes)
    .action(answering(print, start));
  for (const flag of flagsOfStart) command.addOption(flag);
}

/** The flags of `npm start`. */
interface StartFlags extends Omit<PlaceFlags, 'env' | 'local'>, Omit<LocalOptions, 'copy'>, DueFlags {
  report?: string;
  /** Each once; without it the configured subscribers. */
  to?: string[];
  dryRun: boolean;
  /** Then it is a dry run, too. */
  draft: boolean;
  json: boolean;
  view: boolean;
}

/**
 * Runs one report on local parts until the run has ended, and shows the mails: `npm start`. The answer's data is the receipt;
 * its lines are what became of the run, what is open in the ledger, in the words of the notices, and where everything is.
 */
async function start(flags: StartFlags): Promise<CommandResult> {
  const { out, dryRun, draft, awsEndpoint } = flags;
  const place = placeOf({ ...flags, local: true });
  const { mail, reports } = place.configuration;
  const report = chooseReport(place.configuration, flags.report);
  const due = chooseDue(report, flags);
  const isShown = flags.view && process.stdout.isTTY && !flags.json;
  const isViewed = isShown && !draft && awsEndpoint === undefined;
  await using open = new AsyncDisposableStack();
  const state = stateFolderOf(place);
  await removeDeadCopies();
  const copy = dryRun ? await copyState(state, open) : undefined;
  // Before the run, so that the links of its mails work from the first one on.
  if (isViewed) open.adopt(await localTarget(place, copy ?? state).serveFront(), (server) => server.close());
  await using local = await openLocalSystem(place, { report, due }, { ...flags, copy });
  await storing(out, () => clearLastRun(out, flags));
  const before = await readRun(local.table, report.name, due.period);
  if (dryRun && before !== null) await forgetRun(local.table, before);
  if (dryRun) await forgetObservation(local.table, accountOf(local.configuration.service));
  process.once('SIGINT', interrupted);
  createProgress().say(`Running ${report.name} …`);
  const follow = await orderRun(local, report, due, flags);
  const { receipt: stored, digest } = await follow();
  process.off('SIGINT', interrupted);
  const isHeld = digest !== null && isHeldByReport(digest, report);
  const receipt = dryRun ? asPlanned(stored, isHeld) : stored;
  const mails = dryRun ? join(out, 'planned') : out;
  // What renders a draft is loaded for one alone: in other runs a function does.
  const makeDraft = draft ? (await import('../runs/draft.ts')).makeDraft : null;
  const made = makeDraft && (await storing(out, () => makeDraft(out, digest, { report, mail, isShown })));
  const shown = await storing(out, async () => {
    const isNamed = report.authors === 'named' || digest === null;
    await writeOutcome(out, { receipt, digest: isNamed ? digest : withoutAuthors(digest) });
    if (made !== null) return made.lines;
    if (dryRun) await cp(local.outbox, mails, { recursive: true });
    const show = isViewed || dryRun ? null : commandLine(['show', receipt.run], local.flags);
    return await keepLatest(mails, stored.messages, show);
  });
  if (flags.json) process.stderr.write(shown.map((line) => `${line}\n`).join(''));

  const lines = summarize(receipt, digest, flags);
  if (digest !== null && !dryRun && before?.digest !== undefined) lines.push(...describeStored(receipt, digest));
  // A dry run leaves the ledger as it was: what it would have opened there is not open.
  if (draft) lines.push(wordsOfDraft);
  else if (dryRun) lines.push(wordsOfDryRun);
  else lines.push(...(await describeOpenMatters(local, await readStates(local.table, reports))));
  if (!dryRun && awsEndpoint !== undefined && receipt.balance.sent > 0)
    lines.push(`The mails are in the AWS emulator at ${awsEndpoint}: receipt.json has their ids.`);
  const files = digest === null ? 'receipt.json is' : 'digest.json and receipt.json are';
  lines.push(`${files} in ${out}/`, ...shown);
  const served = isViewed ? open.move() : null;
  const title = `Mails${flags.serviceUrl === undefined ? ' of the sample account' : ''}${dryRun ? ', a dry run: nothing was sent' : ''}`;
  const view = served === null ? made?.view : () => viewMails(mails, title, served);
  return { json: receipt, lines, code: exitCodeOf(receipt, digest), view };
}

const wordsOfDraft = 'Nothing was sent, and the ledger is unchanged.';

const wordsOfDryRun =
  'This was a dry run: nothing was sent, the ledger is unchanged, and the links in its mails work only while its view is open.';

/** Says of a run whose digest was stored by an earlier trigger that the service was not asked, and how to see a fresh mail. */
function describeStored({ state, balance }: Receipt, { readAt, period }: Digest): string[] {
  const isOver = state === 'done' && balance.sentNow === 0 && balance.intended > 0;
  return [
    `The digest was stored earlier, on ${sayInstant(readAt, period.timeZone)}; the service was not asked again.`,
    ...(isOver ? ['Nothing is left to send.'] : []),
    'To see a fresh one, add --dry-run (nothing is sent), or give another --period, or begin with an empty ledger: another --state folder or emulator.',
  ];
}

/** Says what a second start does, and ends this one. */
function interrupted(): never {
  process.stderr.write('\nStopped. Start it again: what is done stays done, and nobody gets a mail twice.\n');
  process.exit(130);
}

/** Shows mails in the browser until Ctrl-C, beside what is `served` until then. */
async function viewMails(outDir: string, title: string, served: AsyncDisposableStack): Promise<void> {
  const { startOutboxView } = await import('../../local/viewer/outbox-view.ts');
  await using open = served;
  const view = open.adopt(await startOutboxView({ outDir, title }), (server) => server.close());
  process.stdout.write(`See the mails at ${view.url}/ (Ctrl-C ends)\n`);
  await once(process, 'SIGINT');
}
