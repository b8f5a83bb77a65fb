import type { Command } from 'commander';
import { Temporal } from 'temporal-polyfill';
import type { CommandResult } from './command-line/answer.ts';
import { faultsOfAddresses, faultsOfOutbox, faultsOfPart } from './command-line/call-faults.ts';
import { CheckedCommand } from './command-line/checked-command.ts';
import { forgetAddress, liftAddress, listAddresses } from './commands/addresses.ts';
import { doctorCommand, type Examined } from './commands/doctor.ts';
import { pauseCommand, resumeCommand } from './commands/pause.ts';
import { rehearseCommand } from './commands/rehearse.ts';
import { discardCommand, releaseCommand } from './commands/release.ts';
import { runCommand, type RunOptions } from './commands/run.ts';
import { runsCommand } from './commands/runs.ts';
import { showCommand, type ShowOptions } from './commands/show.ts';
import {
  addSubscribers,
  checkAddresses,
  importSubscribers,
  listSubscribers,
  removeSubscribers,
} from './commands/subscribers.ts';
import { testCommand } from './commands/test.ts';
import { atLedger, atSystem, command } from './command-line/command.ts';
import { configurationOf } from './configuration.ts';
import type { LedgerTarget } from './targets/target.ts';
import { instant, serviceOf, stackOf, years, type PlaceFlags } from './command-line/flags.ts';
import type { PrintAnswer } from './command-line/run-program.ts';

const codes = `
exit codes: 0 done; 2 something unavailable, held, failed or unknown, or worth a look;
            1 it did not work; 64 wrong use`;

/** The operators' command with all its commands. Each answers through `tell`. */
export function buildProgram(tell: PrintAnswer): Command {
  const program = new CheckedCommand('ops')
    .description('Everything that operators do with a deployed stack, or with embedded parts (--local).')
    .usage('COMMAND [flags]')
    .exitOverride()
    .addHelpText('after', codes);
  addDoctor(program, tell);
  addRuns(program, tell);
  addHistory(program, tell);
  addSubscribersCommand(program, tell);
  addAddresses(program, tell);
  addPause(program, tell);
  program.hook('preAction', (_, called) => {
    if (called instanceof CheckedCommand) called.refuseFaults();
  });
  return program;
}

function addDoctor(program: CheckedCommand, tell: PrintAnswer): void {
  command(
    program,
    'doctor [REPORT]',
    'first contact with a service, and the state of the deployed side',
    'doctor --service-url https://your-account.example.com',
  ).action(async (report: string | undefined, flags: PlaceFlags) => {
    const service = serviceOf(flags);
    const patient: Examined =
      service !== null
        ? { kind: 'service', ...service }
        : flags.local
          ? { kind: 'sample' }
          : { kind: 'stack', stack: stackOf(flags) };
    tell(await doctorCommand(patient, { environment: flags.env, report }), flags);
  });
}

function addRuns(program: CheckedCommand, tell: PrintAnswer): void {
  const run = command(
    program,
    'run <REPORT>',
    'triggers the run of a period; it goes on from where it stands',
    'run weekly --hold',
  )
    .valueOption('--at <INSTANT>', "the scheduled instant, ISO 8601 (default: the report's latest)", instant)
    .option('--hold', 'stop when the digest is kept, and show it', false)
    .option('--follow', 'show it live, and end with the receipt', false)
    .option('--resend-unknown', 'send messages again of which nobody knows whether they were sent', false)
    .option('--yes', 'say yes to a second mail', false)
    .action((report: string, flags: PlaceFlags & Omit<RunOptions, 'at'> & { at?: string }) => {
      // Embedded parts end with this process: there a run is always waited for.
      const options = { ...flags, at: flags.at, follow: flags.follow || flags.local };
      return atSystem(flags, (target) => runCommand(target, report, options), tell);
    });
  run.check(() => faultsOfOutbox(run));
  command(program, 'release <RUN>', 'sends a held run: exactly what was kept', 'release weekly_2026-11-09').action(
    (run: string, flags: PlaceFlags) => atSystem(flags, (target) => releaseCommand(target, run), tell),
  );
  command(
    program,
    'discard <RUN>',
    "drops a run's digest, while nobody was sent anything",
    'discard weekly_2026-11-09',
  ).action((run: string, flags: PlaceFlags) => atSystem(flags, (target) => discardCommand(target, run), tell));
  const test = command(
    program,
    'test <REPORT>',
    'sends the real digest, marked as a test, to these addresses alone',
    'test weekly --to ada@example.com',
  )
    .requiredOption('--to <ADDRESS...>', 'whom to send it to')
    .valueOption('--at <INSTANT>', "the scheduled instant, ISO 8601 (default: the report's latest)", instant)
    .action((report: string, flags: PlaceFlags & { to: string[]; at?: string }) => {
      const to = checkAddresses(flags.to);
      return atSystem(flags, (target) => testCommand(target, report, { to, at: flags.at }), tell);
    });
  test.check(() => [...faultsOfAddresses(test.opts<{ to?: string[] }>().to ?? []), ...faultsOfOutbox(test)]);
}

function addHistory(program: CheckedCommand, tell: PrintAnswer): void {
  command(program, 'runs [REPORT]', 'what ran: when, by whom, and how it ended', 'runs weekly').action(
    (report: string | undefined, flags: PlaceFlags) => atLedger(flags, (target) => runsCommand(target, report), tell),
  );
  command(
    program,
    'show <RUN>',
    'one run: receipt, gaps, figures, errors, and the mail',
    'show weekly_2026-11-09 --messages',
  )
    .option('--messages', 'list the messages with their addresses', false)
    .option('--no-view', 'do not show the mail in the browser')
    .action(async (run: string, flags: PlaceFlags & { messages: boolean; view: boolean }) => {
      const view = flags.view && !flags.json && process.stdout.isTTY;
      await show(flags, run, { messages: flags.messages, view }, tell);
    });
  command(
    program,
    'rehearse [REPORT]',
    'the next fire times with their periods; overlaps and gaps are faults',
    'rehearse weekly --years 3',
  )
    .valueOption('--years <N>', 'how far to look ahead', years, 2)
    .valueOption('--from <INSTANT>', 'from when on (default: now)', instant)
    .action((report: string | undefined, flags: PlaceFlags & { years: number; from?: string }) => {
      const from = flags.from === undefined ? Temporal.Now.instant() : Temporal.Instant.from(flags.from);
      tell(rehearseCommand(configurationOf(flags), { report, years: flags.years, from }), flags);
    });
}

/** A view in the browser stays open until Ctrl-C, without the ledger; the answer is told before. */
async function show(
  flags: PlaceFlags,
  run: string,
  options: { messages: boolean; view: boolean },
  tell: PrintAnswer,
): Promise<void> {
  let openView: ShowOptions['openView'] = null;
  const work = async (target: LedgerTarget): Promise<CommandResult> => {
    const shown = await showCommand(target, run, options);
    openView = shown.openView;
    return shown.answer;
  };
  await atLedger(flags, work, tell);
  await lookAt(openView);
}

async function lookAt(openView: ShowOptions['openView']): Promise<void> {
  if (openView === null) return;
  const view = await openView();
  process.stderr.write(`See the mail at ${view.url} (Ctrl-C ends)\n`);
  await new Promise<void>((resolve) => process.once('SIGINT', resolve));
  await view.close();
}

function addSubscribersCommand(program: CheckedCommand, tell: PrintAnswer): void {
  const parts = ['list', 'add', 'remove', 'import'];
  command(
    program,
    'subscribers <REPORT> <list|add|remove|import> [ADDRESSES...]',
    'who gets a report: people join and leave without a deployment; import takes a CSV file',
    'subscribers weekly import people.csv',
  )
    .check(([, part, ...rest]) => faultsOfPart(part, rest, parts))
    .action((report: string, part: string, rest: string[], flags: PlaceFlags) => {
      const [path = ''] = rest;
      if (part === 'list') return atLedger(flags, (target) => listSubscribers(target, report), tell);
      if (part === 'import') return atLedger(flags, (target) => importSubscribers(target, report, path), tell);
      const change = part === 'add' ? addSubscribers : removeSubscribers;
      return atLedger(flags, (target) => change(target, report, rest), tell);
    });
}

function addAddresses(program: CheckedCommand, tell: PrintAnswer): void {
  const parts = ['list', 'lift', 'forget'];
  command(
    program,
    'addresses <list|lift|forget> [ADDRESS]',
    'suppressed and unsubscribed addresses: list them, let one get mail again, or forget one',
    'addresses lift ada@example.com',
  )
    .option('--yes', 'say yes beforehand', false)
    .check(([part, ...rest]) => faultsOfPart(part, rest, parts))
    .action((part: string, address: string, flags: PlaceFlags & { yes: boolean }) => {
      if (part === 'list') return atLedger(flags, (target) => listAddresses(target), tell);
      const change = part === 'lift' ? liftAddress : forgetAddress;
      return atLedger(flags, (target) => change(target, address, flags), tell);
    });
}

function addPause(program: CheckedCommand, tell: PrintAnswer): void {
  command(program, 'pause <REPORT>', 'its schedule triggers nothing until it is resumed', 'pause weekly').action(
    (report: string, flags: PlaceFlags) => atLedger(flags, (target) => pauseCommand(target, report), tell),
  );
  command(program, 'resume <REPORT>', 'its schedule triggers runs again', 'resume weekly').action(
    (report: string, flags: PlaceFlags) => atLedger(flags, (target) => resumeCommand(target, report), tell),
  );
}
