import { Temporal } from 'temporal-polyfill';
import type { CommandResult } from './answer.ts';
import { faultsOfPlace } from './call-faults.ts';
import type { CheckedCommand } from './checked-command.ts';
import type { LedgerTarget, RunTarget } from '../targets/target.ts';
import { ledgerPlaceOf, stackOf, systemPlaceOf, withPlace, type PlaceFlags } from './flags.ts';
import type { PrintAnswer } from './run-program.ts';

/** Adds a command to the program, with the flags that all commands take, help and an example. */
export function command(program: CheckedCommand, name: string, description: string, example: string): CheckedCommand {
  const made = withPlace(program.command(name).description(description))
    .exitOverride()
    .addHelpText('after', `\nexample:\n  npm run ops -- ${example}`);
  return made.check((words, missing) => faultsOfPlace(made, words, missing));
}

/** Works on the ledger and prints the answer; the ledger is closed whatever happens. */
export async function atLedger(
  flags: PlaceFlags,
  work: (target: LedgerTarget) => Promise<CommandResult>,
  print: PrintAnswer,
): Promise<void> {
  await atTarget(flags.local ? await openLedger(flags) : await openStack(flags), work, flags, print);
}

/** Reads the ledger, as `atLedger` does, but refuses a local one that does not exist. */
export async function readLedger(
  flags: PlaceFlags,
  work: (target: LedgerTarget) => Promise<CommandResult>,
  print: PrintAnswer,
): Promise<void> {
  await atTarget(flags.local ? await openExisting(flags) : await openStack(flags), work, flags, print);
}

/** Works where runs can be triggered; a sample account is the one of the instant `at`. */
export async function atSystem(
  flags: PlaceFlags & { at?: string },
  work: (target: RunTarget) => Promise<CommandResult>,
  print: PrintAnswer,
): Promise<void> {
  await atTarget(flags.local ? await openSystem(flags) : await openStack(flags), work, flags, print);
}

// The targets are imported only where one is opened: with the clients of AWS, the embedded parts and the build of the bundles
// they are most of this program's code, and most of the time that a short command would take.

async function openStack(flags: PlaceFlags): Promise<RunTarget> {
  const { openDeployed } = await import('../targets/deployed.ts');
  return await openDeployed({ environment: flags.env, stack: stackOf(flags) });
}

async function openLedger(flags: PlaceFlags): Promise<LedgerTarget> {
  const place = ledgerPlaceOf(flags);
  const { openLocalLedger } = await import('../targets/local-ledger.ts');
  return await openLocalLedger(place);
}

async function openExisting(flags: PlaceFlags): Promise<LedgerTarget> {
  const place = ledgerPlaceOf(flags);
  const { openExistingLedger } = await import('../targets/local-ledger.ts');
  return await openExistingLedger(place);
}

async function openSystem(flags: PlaceFlags & { at?: string }): Promise<RunTarget> {
  const place = systemPlaceOf(flags);
  const { openLocalSystem } = await import('../targets/local-system.ts');
  return await openLocalSystem(place, flags.at ?? Temporal.Now.instant().toString());
}

async function atTarget<D extends LedgerTarget>(
  target: D,
  work: (target: D) => Promise<CommandResult>,
  flags: PlaceFlags,
  print: PrintAnswer,
): Promise<void> {
  try {
    print(await work(target), flags);
  } finally {
    await target.close();
  }
}
