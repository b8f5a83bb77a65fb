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
import { showCommand, type Shown } from './commands/show.ts';
import {
  addSubscribers,
  checkAddresses,
  importSubscribers,
  listSubscribers,
  removeSubscribers,
} from './commands/subscribers.ts';
import { testCommand } from './commands/test.ts';
import { atLedger, atSystem, command } from './command-line/command.ts';
import { readTodaysConfiguration } from './targets/todays-configuration.ts';
import type { LedgerTarget } from './targets/target.ts';
import { instant, serviceOf, stackOf, years, type PlaceFlags } from './command-line/flags.ts';
import type { PrintAnswer } from './command-line/run-program.ts';

const codes = `
exit codes: 0 done; 2 something unavailable, held, failed or unknown, or worth a look;
            1 it did not work; 64 wrong use`;

/** The `ops` program with all its commands. Each prints its answer through `print`. */
export function buildProgram(print: PrintAnswer): Command {
  const program = new CheckedCommand('ops')
    .description('Everything that operators do with a deployed stack, or with the local system (--local).')
    .usage('COMMAND [flags]')
    .exitOverride()
    .addHelpText('after', codes);
  addDoctor(program, print);
  addRuns(program, print);
  addHistory(program, print);
  addSubscribersCommand(program, print);
  addAddresses(program, print);
  addPause(program, print);
  program.hook('preAction', (_, called) => {
    if (called instanceof CheckedCommand) called.refuseFaults();
  });
  return program;
}

function addDoctor(program: CheckedCommand, print: PrintAnswer): void {
  command(
    program,
    'doctor [REPORT]',
    'first contact with a service, and the state of the deployed side',
    'doctor --service-url https://your-account.example.com',
  ).action(async (report: string | undefined, flags: PlaceFlags) => {
    const service = serviceOf(flags);
    const examined: Examined =
      service !== null
        ? { kind: 'service', ...service }
        : flags.local
          ? { kind: 'sample' }
          : { kind: 'stack', stack: stackOf(flags) };
    print(await doctorCommand(examined, { environment: flags.env, report }), flags);
  });
}

function addRuns(program: CheckedCommand, print: PrintAnswer): void {
  const run = command(
    program,
    'run <REPORT>',
    'triggers the run of a period; one that was begun continues where it stopped',
    'run weekly --hold',
  )
    .valueOption('--at <INSTANT>', "the scheduled instant, ISO 8601 (default: the report's latest)", instant)
    .option('--hold', 'stop when the digest is kept, and show it', false)
    .option('--follow', 'show it live, and end with the receipt', false)
    .option('--resend-unknown', 'send those messages again that may or may not have been sent', false)
    .option('--yes', 'confirm beforehand that somebody may get a second mail', false)
    .action((report: string, flags: PlaceFlags & Omit<RunOptions, 'at'> & { at?: string }) => {
      // The local system ends with this process, so a run on it is always waited for.
      const options = { ...flags, at: flags.at, follow: flags.follow || flags.local };
      return atSystem(flags, (target) => runCommand(target, report, options), print);
    });
  run.check(() => faultsOfOutbox(run));
  command(program, 'release <RUN>', 'sends a held run: exactly what was kept', 'release weekly_2026-11-09').action(
    (run: string, flags: PlaceFlags) => atSystem(flags, (target) => releaseCommand(target, run), print),
  );
  command(
    program,
    'discard <RUN>',
    "drops a run's digest, as long as nobody was sent anything",
    'discard weekly_2026-11-09',
  ).action((run: string, flags: PlaceFlags) => atSystem(flags, (target) => discardCommand(target, run), print));
  const test = command(
    program,
    'test <REPORT>',
    'sends the real digest, marked as a test, to these addresses only',
    'test weekly --to ada@example.com',
  )
    .requiredOption('--to <ADDRESS...>', 'whom to send it to')
    .valueOption('--at <INSTANT>', "the scheduled instant, ISO 8601 (default: the report's latest)", instant)
    .action((report: string, flags: PlaceFlags & { to: string[]; at?: string }) => {
      const to = checkAddresses(flags.to);
      return atSystem(flags, (target) => testCommand(target, report, { to, at: flags.at }), print);
    });
  test.check(() => [...faultsOfAddresses(test.opts<{ to?: string[] }>().to ?? []), ...faultsOfOutbox(test)]);
}

function addHistory(program: CheckedCommand, print: PrintAnswer): void {
  command(program, 'runs [REPORT]', 'past runs: when, by whom, and how they ended', 'runs weekly').action(
    (report: string | undefined, flags: PlaceFlags) => atLedger(flags, (target) => runsCommand(target, report), print),
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
      await show(flags, run, { messages: flags.messages, view }, print);
    });
  command(
    program,
    'rehearse [REPORT]',
    'the next fire times with their periods; overlaps and gaps are faults',
    'rehearse weekly --years 3',
  )
    .valueOption('--years <N>', 'how far to look ahead', years, 2)
    .valueOption('--from <INSTANT>', 'the instant from which to look ahead (default: now)', instant)
    .action((report: string | undefined, flags: PlaceFlags & { years: number; from?: string }) => {
      const from = flags.from === undefined ? Temporal.Now.instant() : Temporal.Instant.from(flags.from);
      print(
        rehearseCommand(readTodaysConfiguration({ environment: flags.env }), { report, years: flags.years, from }),
        flags,
      );
    });
}

/** Prints the answer, then opens the mail in the browser until Ctrl-C; the ledger is closed by then. */
async function show(
  flags: PlaceFlags,
  run: string,
  options: { messages: boolean; view: boolean },
  print: PrintAnswer,
): Promise<void> {
  let openView: Shown['openView'] = null;
  const work = async (target: LedgerTarget): Promise<CommandResult> => {
    const shown = await showCommand(target, run, options);
    openView = shown.openView;
    return shown.answer;
  };
  await atLedger(flags, work, print);
  await viewUntilInterrupted(openView);
}

async function viewUntilInterrupted(openView: Shown['openView']): Promise<void> {
  if (openView === null) return;
  const view = await openView();
  process.stderr.write(`See the mail at ${view.url} (Ctrl-C ends)\n`);
  await new Promise<void>((resolve) => process.once('SIGINT', resolve));
  await view.close();
}

function addSubscribersCommand(program: CheckedCommand, print: PrintAnswer): void {
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
      if (part === 'list') return atLedger(flags, (target) => listSubscribers(target, report), print);
      if (part === 'import') return atLedger(flags, (target) => importSubscribers(target, report, path), print);
      const change = part === 'add' ? addSubscribers : removeSubscribers;
      return atLedger(flags, (target) => change(target, report, rest), print);
    });
}

function addAddresses(program: CheckedCommand, print: PrintAnswer): void {
  const parts = ['list', 'lift', 'forget'];
  command(
    program,
    'addresses <list|lift|forget> [ADDRESS]',
    'suppressed and unsubscribed addresses: list them, let one get mail again, or forget one',
    'addresses lift ada@example.com',
  )
    .option('--yes', 'confirm beforehand', false)
    .check(([part, ...rest]) => faultsOfPart(part, rest, parts))
    .action((part: string, address: string, flags: PlaceFlags & { yes: boolean }) => {
      if (part === 'list') return atLedger(flags, (target) => listAddresses(target), print);
      const change = part === 'lift' ? liftAddress : forgetAddress;
      return atLedger(flags, (target) => change(target, address, flags), print);
    });
}

function addPause(program: CheckedCommand, print: PrintAnswer): void {
  command(program, 'pause <REPORT>', 'its schedule triggers nothing until it is resumed', 'pause weekly').action(
    (report: string, flags: PlaceFlags) => atLedger(flags, (target) => pauseCommand(target, report), print),
  );
  command(program, 'resume <REPORT>', 'its schedule triggers runs again', 'resume weekly').action(
    (report: string, flags: PlaceFlags) => atLedger(flags, (target) => resumeCommand(target, report), print),
  );
}
