import { Temporal } from 'temporal-polyfill';
import type { CommandResult } from './answer.ts';
import { faultsOfPlace } from './call-faults.ts';
import type { CheckedCommand } from './checked-command.ts';
import { openDeployed } from '../targets/deployed.ts';
import type { LedgerTarget, RunTarget } from '../targets/target.ts';
import { ledgerPlaceOf, stackOf, systemPlaceOf, withPlace, type PlaceFlags } from './flags.ts';
import { openLocalLedger } from '../targets/local-ledger.ts';
import type { PrintAnswer } from './run-program.ts';

/** Adds a command to the program, with the flags that all commands take, help and an example. */
export function command(program: CheckedCommand, name: string, description: string, example: string): CheckedCommand {
  const made = withPlace(program.command(name).description(description))
    .exitOverride()
    .addHelpText('after', `\nexample:\n  npm run ops -- ${example}`);
  return made.check((words) => faultsOfPlace(made, words));
}

/** Works on the ledger and prints the answer; the ledger is closed whatever happens. */
export async function atLedger(
  flags: PlaceFlags,
  work: (target: LedgerTarget) => Promise<CommandResult>,
  print: PrintAnswer,
): Promise<void> {
  const target = flags.local ? await openLocalLedger(ledgerPlaceOf(flags)) : await openDeployed(placeOf(flags));
  await atTarget(target, work, flags, print);
}

/** Works where runs can be triggered; a sample account is the one of the instant `at`. */
export async function atSystem(
  flags: PlaceFlags & { at?: string },
  work: (target: RunTarget) => Promise<CommandResult>,
  print: PrintAnswer,
): Promise<void> {
  const target = flags.local ? await openSystem(flags) : await openDeployed(placeOf(flags));
  await atTarget(target, work, flags, print);
}

/** The local system is imported only here: with the build of the bundles it is most of this program's code. */
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

function placeOf(flags: PlaceFlags): { environment: string | undefined; stack: string } {
  return { environment: flags.env, stack: stackOf(flags) };
}
