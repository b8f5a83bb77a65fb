import type { AgentOptions } from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import { Argument, Command, CommanderError, Option } from 'commander';
import type { ReportConfiguration } from '../../functions/domain/configuration/configuration.ts';
import type { Due } from '../../functions/domain/schedule.ts';
import { exitCodes, printable, printableJson, printableLines, type CommandResult } from './command-line/answer.ts';
import { chooseDue, chooseReport, type DueFlags } from './command-line/choices.ts';
import { addressesIn } from './command-line/address-file.ts';
import * as flag from './command-line/flags.ts';
import { forgetAddress, liftAddresses, listAddresses, rejoinReport, showAddress } from './commands/addresses.ts';
import * as ofReport from './commands/report.ts';
import { recoverDecisions } from './commands/recover.ts';
import { discardCommand, releaseCommand, runCommand, testCommand, type RunOptions } from './commands/run.ts';
import { runsCommand, statusCommand } from './commands/status.ts';
import { subscribersCommand } from './commands/subscribers.ts';
import type { StartFlags } from './start.ts';
import type { LocalDue } from './targets/local-system.ts';
import type { YesFlag, LedgerTarget, RunTarget } from './targets/target.ts';
import { defaultFolders, placeOf, type Place, type PlaceFlags } from './targets/place.ts';

// `start`, `doctor`, `sender`, `secret`, `show` and the targets are imported where they are called: with the embedded parts, the
// clients of AWS and the templates they would take most of the time of a short command.

/** What a command does with its flags and its words. */
type Work<Flags, Words extends unknown[]> = (flags: Flags, ...words: Words) => Promise<CommandResult>;

/** The commands: their words, what each does, and an example. */
const calls = {
  status: ['', 'how every report is doing, and what needs attention', 'status'],
  doctor: [
    '[REPORT]',
    'checks how the service answers, and what is deployed',
    'doctor --service-url https://your-account.example.com',
  ],
  sender: ['', 'has SES verify who mail comes from, and says what is left to do', 'sender'],
  run: ['<REPORT>', 'triggers the run of a period; one that was begun continues where it stopped', 'run weekly --hold'],
  release: ['<RUN>', 'sends a held run: exactly the stored digest', 'release weekly_2026-W46'],
  discard: ['<RUN>', "deletes a run's digest, as long as nothing was sent", 'discard weekly_2026-W46'],
  test: [
    '<REPORT>',
    'sends the real digest, marked as a test, to these addresses only',
    'test weekly --to ada@example.com',
  ],
  runs: ['[REPORT]', 'past runs: when, by whom, and how they ended', 'runs weekly'],
  show: ['<RUN>', 'one run: receipt, gaps, figures, errors, and the mail', 'show weekly_2026-W46 --messages'],
  subscribers: [
    '<REPORT>',
    'who gets a report: people join and leave without a deployment; import takes a CSV file, export prints one',
    'subscribers weekly import people.csv',
  ],
  addresses: [
    '',
    'who gets no mail; why an address got it or not; let it get mail again, or forget it',
    'addresses lift ada@example.com',
  ],
  pause: ['[REPORT]', 'stops the schedule of a report until it is resumed', 'pause weekly'],
  resume: ['[REPORT]', 'switches a report on that is off or paused: its schedule triggers runs', 'resume weekly'],
  secret: ['', 'asks for the client id and secret of the service, signs in with them, and stores them', 'secret'],
  note: [
    '<REPORT> [TEXT]',
    'what the communications team says with the next digest; without a text it is shown',
    'note weekly "The plant room had no screens last week."',
  ],
  pages: ['', 'voids all links to the pages of a report that were made before now', 'pages revoke weekly'],
  recover: [
    '<TABLE>',
    'after a restore: takes over who left, was removed or added since, from the table in its place before',
    'recover OLD_TABLE',
  ],
  retire: ['<REPORT>', 'ends the notices about a report that was taken out of cdk.json on purpose', 'retire weekly'],
} as const;

/** What else is to be known of a command. */
const details: Readonly<Partial<Record<keyof typeof calls, string>>> = {
  doctor: 'It only reads, and names the setting to change. Act on LOOK and FAULT: a fault ends with 1.',
  sender: 'It asks before it changes an identity that was there, and says who signs. Before a deployment, too.',
  run: 'It says who has the mail and how many would get it now, and asks. Nobody who has it gets it again, save with --to.',
  release: 'It goes to the subscribers it was planned with, without those who left since. It says how many, and asks.',
  discard: 'It says what will be gone, and asks.',
  test: 'It leaves no digest behind. A suppressed address is refused; of one that left it asks first.',
  show: 'It has what operators ordered, and the link to the page. On a terminal the mail opens in the browser.',
  subscribers:
    'list says who gets the next mail, and why. Who is removed gets no further mail, not even from an open run.',
  addresses:
    'lift ends a suppression, on SES’s list too; rejoin REPORT ADDRESS that somebody left; forget erases the address.',
  recover: 'Whom that table has as forgotten (addresses forget) is erased here, too. It may be called again.',
  resume: 'A report is off when it is first deployed. What was due before is not caught up; run does that.',
  secret:
    'It shows neither. A script gives SERVICE_CLIENT_ID and SERVICE_CLIENT_SECRET, or with --channel CHANNEL_ADDRESS.',
  note: 'At most 500 characters. Tests and dry runs show it; the run that sends takes it.',
  retire:
    'It says who took it in place of another, and asks. Links in its mails go on working; who left it stays left.',
};

// Flags that several commands have.
const atFlag = new Option(
  '--at <INSTANT>',
  "the scheduled instant, ISO 8601 with Z or an offset (default: the report's latest)",
).argParser(flag.instant);
const periodFlag = new Option(
  '--period <DATE>',
  'the period that contains this day, or its name (2026-W44), in place of --at',
).conflicts('at');
const serviceUrlFlag = new Option(
  '--service-url <URL>',
  'a running service instead of the sample account; credentials from SERVICE_CLIENT_ID and SERVICE_CLIENT_SECRET',
).argParser(flag.serviceUrl);
const toFlag = new Option(
  '--to <ADDRESS>',
  'mail the stored digest to this subscriber alone; if they have it already, it asks first',
)
  .argParser(flag.address)
  .conflicts(['hold', 'resendUnknown']);
const yesFlag = new Option('--yes', 'confirm in advance').default(false);
const columnFlag = new Option('--column <NAME>', 'the heading above a file’s addresses (default: email, or the like)');
const allFlag = new Option('--all', 'every report').default(false);

const noLocalSecret =
  'There is no secret locally: with --service-url, SERVICE_CLIENT_ID and SERVICE_CLIENT_SECRET have it.';

/** `npm start` and `npm run ops`: all commands with their flags. Each prints its answer through `print`. */
export function buildProgram(print: (answer: CommandResult, options: { json: boolean }) => void): Command {
  const program = new Command('npm run ops --')
    .description('Everything that operators do with a deployed stack, or with the local system (--local).')
    .usage('COMMAND [flags]')
    .configureHelp({ helpWidth: 80, subcommandTerm: (subcommand) => subcommand.name() })
    .showHelpAfterError('For help: npm run ops -- --help')
    .configureOutput({ outputError: (text, write) => write(printableLines(flag.maskAddresses(text))) })
    .exitOverride()
    .addHelpText('after', codes);

  /** Runs the work of a command, prints its answer, and shows in the browser what there is to show. */
  const answer = <Flags, Words extends unknown[]>(work: Work<Flags, Words>) =>
    async function (this: Command, ...words: Words): Promise<void> {
      const flags = this.opts<Flags & { json: boolean }>();
      const result = await work(flags, ...words);
      print(result, flags);
      await result.view?.();
    };

  /** An operators' command, with the flags that say where it works before its own. */
  const command = <Flags, Words extends unknown[]>(
    name: keyof typeof calls,
    work: Work<Flags & Place, Words>,
  ): Command => {
    const [words, description, example] = calls[name];
    return program
      .command(`${name} ${words}`)
      .summary(description)
      .description([`${description.charAt(0).toUpperCase()}${description.slice(1)}.`, details[name]].join(' ').trim())
      .showHelpAfterError(`For help: npm run ops -- ${name} --help`)
      .addHelpText('after', `\nexample:\n  npm run ops -- ${example}`)
      .option('--env <NAME>', 'the environment: its stack, and its settings in cdk.json')
      .option('--local', 'the local system, with its ledger in a folder, instead of a deployed stack', false)
      .option('--state <DIR>', 'with --local: the folder of the ledgers, one for each service', defaultFolders.state)
      .option('--out <DIR>', 'with --local: where mails go', defaultFolders.out)
      .addOption(serviceUrlFlag)
      .option('--json', 'machine-readable output', false)
      .action(answer((flags: Flags & PlaceFlags, ...given: Words) => work(placeOf(flags), ...given)));
  };

  const status = onTarget(openExisting, (target) => statusCommand(target));
  command('status', status);

  command('doctor', async (place: Place & { strict: boolean; deployed?: boolean }, name?: string) => {
    const report = chooseReport(place.configuration, name);
    return await (await import('./commands/doctor.ts')).doctorCommand(place, report);
  })
    .option('--strict', 'end with 2 where something is worth a look', false)
    .addOption(new Option('--deployed', 'have the deployed worker ask the service').conflicts(['local', 'serviceUrl']));

  command('sender', async (place: Place & YesFlag) => {
    return await (await import('./commands/sender.ts')).senderCommand(place);
  }).addOption(yesFlag);

  // The local system ends with this process, so a run on it is always waited for.
  const run = onDue((target, report, due, flags: Place & RunOptions) =>
    runCommand(target, report, due, { ...flags, follow: flags.follow || flags.local }),
  );
  command('run', run)
    .addOption(atFlag)
    .addOption(periodFlag)
    .option('--hold', 'stop when the digest is stored, and show it', false)
    .option('--follow', 'show its progress, and end with the receipt', false)
    .option('--resend-unknown', 'send again what may or may not have been sent, and nothing else', false)
    .addOption(toFlag)
    .option('--again', 'with --to: confirm in advance that one who has it gets it once more', false)
    .addOption(yesFlag);

  command('release', onTarget(openSystem, releaseCommand)).addOption(yesFlag);

  command('discard', onTarget(openSystem, discardCommand)).addOption(yesFlag);

  command('test', onDue(testCommand))
    .requiredOption('--to <ADDRESS...>', 'who to send it to', flag.address)
    .addOption(atFlag)
    .addOption(periodFlag)
    .addOption(yesFlag);

  command('runs', async (place: Place, name?: string) => {
    const { reports } = place.configuration;
    const listed = name === undefined ? reports : [chooseReport(place.configuration, name)];
    await using target = await openExisting(place);
    return await runsCommand(target, listed);
  });

  command('show', async (place: Place & { messages: boolean; view: boolean; json: boolean }, name: string) => {
    const { showCommand } = await import('./commands/show.ts');
    await using target = await openExisting(place);
    const view = place.view && !place.json && process.stdout.isTTY;
    return await showCommand(target, name, { messages: place.messages, view });
  })
    .option('--messages', 'list the messages with their addresses', false)
    .option('--no-view', 'do not show the mail in the browser');

  type ColumnFlags = Place & YesFlag & { column?: string };
  type SubscriberPart = Parameters<typeof subscribersCommand>[2];
  command('subscribers', async (place: ColumnFlags, name: string, part: SubscriberPart, words: string[]) => {
    const report = chooseReport(place.configuration, name);
    const onlyReads = part === 'list' || part === 'export';
    if (!onlyReads && words.length === 0)
      throw new flag.UsageError(part === 'import' ? 'import needs a CSV file.' : `${part} needs an address.`);
    const values = part === 'import' ? words : flag.addresses(words);
    await using target = await openLedger(place, { mustExist: onlyReads });
    return await subscribersCommand(target, report, part, values, place);
  })
    .addArgument(new Argument('<PART>').choices(['list', 'add', 'remove', 'import', 'export']))
    .argument('[ADDRESSES...]')
    .addOption(columnFlag)
    .addOption(yesFlag);

  type AddressFlags = ColumnFlags & { run?: string; file?: string };
  type AddressPart = 'list' | 'show' | 'lift' | 'rejoin' | 'forget';
  command('addresses', async (place: AddressFlags, part: AddressPart, words: string[]) => {
    const names = part === 'rejoin' ? words.slice(0, 1) : [];
    const report = chooseReport(place.configuration, names[0]);
    const typed = flag.addresses(words.slice(names.length));
    const [address = ''] = typed;
    const isFrom = place.run !== undefined || place.file !== undefined;
    const isNamed = part === 'lift' ? isFrom !== typed.length > 0 : !isFrom && typed.length === 1;
    const needed = part === 'lift' ? 'addresses, --run or --file' : 'an address';
    if (part !== 'list' && !isNamed) throw new flag.UsageError(`${part} needs ${needed}.`);
    const inFile = place.file === undefined ? [] : (await addressesIn(place.file, place)).addresses;
    const opening = { mustExist: part === 'list' || part === 'show', erases: part === 'forget' };
    await using target = await openLedger(place, opening);
    if (part === 'list') return await listAddresses(target);
    if (part === 'show') return await showAddress(target, address);
    if (part === 'lift') return await liftAddresses(target, [...typed, ...inFile], place);
    if (part === 'rejoin') return await rejoinReport(target, report, address, place);
    return await forgetAddress(target, address, place);
  })
    .addArgument(new Argument('<PART>').choices(['list', 'show', 'lift', 'rejoin', 'forget']))
    .argument('[ADDRESSES...]')
    .addOption(new Option('--run <RUN>', 'with lift: whom the events of this run’s mails suppressed').conflicts('file'))
    .option('--file <FILE>', 'with lift: the addresses in a CSV file')
    .addOption(columnFlag)
    .addOption(yesFlag);

  command('recover', onTarget(openLedger, recoverDecisions));

  command('pause', onReports(ofReport.pauseCommand)).addOption(allFlag);

  command('resume', async (place: Place & { all: boolean; channel?: string }, name?: string) => {
    if (place.channel === undefined) return await onReports(ofReport.resumeCommand)(place, name);
    if (name !== undefined) throw new flag.UsageError('Name a report, or with --channel a channel.');
    return await onTarget(openLedger, ofReport.resumeChannel)(place, place.channel);
  })
    .addOption(allFlag)
    .addOption(new Option('--channel <NAME>', 'a channel that is off, in place of a report').conflicts('all'));

  command('secret', async (place: Place & YesFlag & { channel?: string }) => {
    const { channelSecretCommand, secretCommand } = await import('./commands/secret.ts');
    if (place.local) throw new flag.UsageError(noLocalSecret);
    const { openDeployed } = await import('./targets/deployed.ts');
    await using target = await openDeployed(place);
    if (place.channel === undefined) return await secretCommand(target, place);
    return await channelSecretCommand(target, place.channel, place);
  })
    .option('--channel <NAME>', 'asks for the address of a channel’s webhook, posts a test card, and stores it')
    .option('--yes', 'store them even where the service or the webhook cannot be asked', false);

  command('note', onReport(ofReport.noteCommand)).option('--clear', 'take the note back', false);

  command('pages', (place: Place & YesFlag, _part: string, name: string) => onReport(ofReport.revokePages)(place, name))
    .addArgument(new Argument('<PART>').choices(['revoke']))
    .argument('<REPORT>')
    .addOption(yesFlag);

  command('retire', onTarget(openExisting, ofReport.retireCommand)).addOption(yesFlag);

  program
    .command('start', { hidden: true })
    .usage('[flags]')
    .description('npm start: runs a report on embedded parts and shows the mail')
    .configureHelp({ helpWidth: 80, commandUsage: () => 'npm start -- [flags]' })
    .showHelpAfterError('For help: npm start -- --help')
    .addHelpText('after', codesOfStart)
    .option('--report <NAME>', 'one of the reports in cdk.json (default: the first)')
    .addOption(atFlag)
    .addOption(periodFlag)
    .addOption(serviceUrlFlag)
    .option('--to <ADDRESS>', 'only this subscriber instead of the configured ones (repeatable)', flag.address)
    .option('--out <DIR>', 'where the mails, digest.json and receipt.json go', defaultFolders.out)
    .option('--state <DIR>', 'contains a folder for each reporting service with its ledger', defaultFolders.state)
    .addOption(
      new Option('--send-rate <N>', 'messages a second that the embedded SES accepts (default: no limit)')
        .argParser(flag.sendRate)
        .conflicts('awsEndpoint'),
    )
    .option(
      '--dry-run',
      'collects again on a copy of the ledger and sends nothing: the messages are in DIR/planned/, and its digest.json and receipt.json replace those of the last run',
      false,
    )
    .addOption(
      new Option(
        '--draft',
        'as --dry-run, but opens one mail without links, from DIR/draft/, for you to address and send',
      )
        .default(false)
        .implies({ dryRun: true })
        .conflicts('to'),
    )
    .option(
      '--aws-endpoint <URL>',
      'an AWS emulator for DynamoDB, Secrets Manager and SES in place of the embedded ones',
      flag.emulatorUrl,
    )
    .option('--json', 'only the receipt on standard output', false)
    .option('--no-view', 'end when the run has ended, without the browser view, and open no draft')
    .action(answer(async (flags: StartFlags) => await (await import('./start.ts')).start(flags)));

  return program;
}

/** The ledger of a place, which must exist. */
const openExisting = (place: Place): Promise<LedgerTarget> => openLedger(place, { mustExist: true });

/** The ledger of a place. A local one that does not exist is created, or refused where it `mustExist`. */
async function openLedger(
  place: Place,
  opening: { mustExist?: boolean; erases?: boolean } = {},
): Promise<LedgerTarget> {
  if (!place.local) return await openSystem(place);
  return await (await import('./targets/local-ledger.ts')).openLocalLedger(place, opening);
}

/** Where runs can be triggered: the deployed stack, or the local system for the run of a `due`. */
async function openSystem(place: Place, due?: LocalDue): Promise<RunTarget> {
  if (!place.local) return await (await import('./targets/deployed.ts')).openDeployed(place);
  return await (await import('./targets/local-system.ts')).openLocalSystem(place, due);
}

/** Works on what is opened of a place, for the run, report, channel or table that is named. */
function onTarget<Target extends LedgerTarget, Flags>(
  open: (place: Place) => Promise<Target>,
  work: (target: Target, name: string, flags: Flags) => Promise<CommandResult>,
): Work<Flags & Place, [name: string]> {
  return async (place, name) => {
    await using target = await open(place);
    return await work(target, name, place);
  };
}

/** Works on the ledger of a place, for a report that is named. */
function onReport<Flags, Words extends unknown[]>(
  work: (target: LedgerTarget, report: ReportConfiguration, flags: Flags, ...words: Words) => Promise<CommandResult>,
): Work<Flags & Place, [name: string, ...Words]> {
  return async (place, name, ...words) => {
    const report = chooseReport(place.configuration, name);
    await using target = await openLedger(place);
    return await work(target, report, place, ...words);
  };
}

/** Works on the ledger of a place, for a report that is named, or with `--all` for every one. */
function onReports(
  work: (target: LedgerTarget, report: ReportConfiguration) => Promise<CommandResult>,
): Work<Place & { all: boolean }, [name?: string]> {
  return async (place, name) => {
    if (place.all !== (name === undefined)) throw new flag.UsageError('Name one report, or pass --all for every one.');
    if (name !== undefined) return await onReport(work)(place, name);
    await using target = await openLedger(place);
    const results = await Array.fromAsync(place.configuration.reports, (configured) => work(target, configured));
    const json = { reports: results.map((result) => result.json) };
    return { json, lines: results.flatMap(({ lines }) => lines), code: exitCodes.done };
  };
}

/** Works where a run of a report can be triggered, for the run that is meant. */
function onDue<Flags>(
  work: (target: RunTarget, report: ReportConfiguration, due: Due, flags: Flags) => Promise<CommandResult>,
): Work<Flags & Place & DueFlags, [name: string]> {
  return async (place, name) => {
    const report = chooseReport(place.configuration, name);
    const due = chooseDue(report, place);
    await using target = await openSystem(place, { report, due });
    return await work(target, report, due, place);
  };
}

const codes = `
exit codes: 0 done; 1 it did not work; 64 invalid arguments;
            2 something unavailable, held, failed or unknown, or,
              with doctor --strict, worth a look`;
const codesOfStart = `
exit codes: 0 done; 2 something unavailable, held, failed or unknown;
            1 no digest, or nothing could be sent;
            64 invalid flags, configuration, templates or credential variables`;

/** The words of a call with its command before all flags: the first word that is no flag's value, else `status`. */
function commandFirst(args: readonly string[], options: readonly Option[]): string[] {
  if (/^(?:-h|--help)$/.test(args[0] ?? '')) return [...args];
  const withValue = new Set(options.flatMap(({ long, required }) => (required ? long : [])));
  const place = args.findIndex((word, index) => !word.startsWith('-') && !withValue.has(args[index - 1]));
  return [args[place] ?? 'status', ...args.filter((_, index) => index !== place)];
}

/** Runs the program and returns its exit code: 64 for wrong use, else the code of the command's answer. */
export async function runProgram(args: readonly string[]): Promise<number> {
  let code: number = exitCodes.done;
  const program = buildProgram((answer, { json }) => {
    process.stdout.write(`${json ? printableJson(answer.json) : answer.lines.map(printable).join('\n')}\n`);
    code = answer.code;
  });
  const isStart = args[0] === 'start';
  try {
    const options = program.commands.flatMap((command) => command.options);
    flag.refuseFlagsOfNpm(options, isStart ? args.slice(1) : args, process.env);
    await program.parseAsync(commandFirst(args, options), { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done;
    const { message, code: failed } = describeError(error);
    // Without a command the status is shown; where there is none to show, what can be done is.
    if (args.length === 0) process.stdout.write(program.helpInformation());
    // Commander has printed its own errors.
    if (!(error instanceof CommanderError) || error instanceof flag.UsageError)
      process.stderr.write(`${printableLines(message)}\n`);
    // A program that reads the answer gets one, whatever went wrong; that of `npm start` reads a receipt.
    if (args.includes('--json') && !isStart) process.stdout.write(`${printableJson({ error: { message } })}\n`);
    return failed;
  }
}

// Errors are told by their names: their modules are loaded by the commands that need them alone.

/** Errors of what the caller wrote, whose messages name every fault. */
const wrongUse = new Set(['ConfigurationError', 'TemplateError']);

/** Other errors whose messages are for operators. */
const forOperators = new Set(['LocalError', 'StackError', 'ledger-shape', 'hash-key-missing', 'older-digest']);

/** Errors of the AWS clients where nobody is signed in, or no longer. */
const notSignedIn = /^(?:CredentialsProviderError|ExpiredToken(?:Exception)?|UnrecognizedClientException)$/;

/** What is said of an error, and the exit code. Throws what nobody expects. */
function describeError(error: unknown): { message: string; code: number } {
  if (error instanceof CommanderError) {
    const message = error instanceof flag.UsageError ? `error: ${error.message}` : error.message;
    return { message: flag.maskAddresses(message), code: exitCodes.usage };
  }
  if (!(error instanceof Error)) throw error;
  const { name, message } = error;
  if (wrongUse.has(name)) return { message, code: exitCodes.usage };
  if (forOperators.has(name)) return { message, code: exitCodes.noDigest };
  const signIn = 'AWS does not know who you are: sign in (aws sso login), or set AWS_PROFILE. Or try --local.';
  if (notSignedIn.test(name)) return { message: signIn, code: exitCodes.noDigest };
  const setRegion = 'There is no valid AWS region: set AWS_REGION. Or try --local.';
  if (/^Region (?:is missing$|not accepted)/.test(message)) return { message: setRegion, code: exitCodes.usage };
  // The message of an AWS service names the action and the resource that it refused.
  if ('$metadata' in error) return { message: `${name}: ${message}`, code: exitCodes.noDigest };
  throw error;
}

/**
 * Has agents for https that somebody makes go through the proxy, as fetch and Node's own agent do. The AWS clients make theirs,
 * and so do those by which they sign in, which no setting of a client reaches.
 */
async function followProxy(): Promise<void> {
  const { default: https } = await import('node:https');
  const { proxyEnv } = https.globalAgent.options;
  const { Agent } = https;
  class ProxyAgent extends Agent {
    constructor(options?: AgentOptions) {
      super({ proxyEnv, ...options });
    }
  }
  Object.assign(https, { Agent: ProxyAgent });
  syncBuiltinESMExports();
}

if (import.meta.main) {
  if (process.env['NODE_USE_ENV_PROXY'] === '1') await followProxy();
  // Ledger, mails and logs have addresses in them: nobody else on this machine reads what is written here.
  process.umask(0o077);
  // Nobody reads the output any more, as in `… | head`: that is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
  process.exitCode = await runProgram(process.argv.slice(2));
}
