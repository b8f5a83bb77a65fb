import type { Command } from 'commander';
import { Temporal } from 'temporal-polyfill';
import type { Configuration } from '../../functions/configuration.ts';
import { loadConfiguration } from '../config.ts';
import { exitCodes } from '../local/outcome.ts';
import type { Answer } from './answer.ts';
import { openDeployed } from './deployed-desk.ts';
import type { LedgerDesk, RunDesk } from './desk.ts';
import { ledgerPlaceOf, stackOf, systemPlaceOf, withPlace, type PlaceFlags } from './flags.ts';
import { openLocalLedger } from './local-ledger.ts';
import type { Tell } from './run-program.ts';

/** A command of its own, with the flags that all take, help, and an example. */
export function command(program: Command, name: string, description: string, example: string): Command {
  return withPlace(program.command(name).description(description))
    .exitOverride()
    .showSuggestionAfterError()
    .addHelpText('after', `\nexample:\n  npm run ops -- ${example}`);
}

/** Works on the ledger, which is closed whatever happens. */
export async function atLedger(
  flags: PlaceFlags,
  work: (desk: LedgerDesk) => Promise<Answer>,
  tell: Tell,
): Promise<void> {
  const desk = flags.local ? await openLocalLedger(ledgerPlaceOf(flags)) : await openDeployed(placeOf(flags));
  await atDesk(desk, work, flags, tell);
}

/** Works where runs can be triggered; the sample account is as it is at `asOf`. */
export async function atSystem(
  flags: PlaceFlags & { at?: string },
  work: (desk: RunDesk) => Promise<Answer>,
  tell: Tell,
): Promise<void> {
  const desk = flags.local ? await openSystem(flags) : await openDeployed(placeOf(flags));
  await atDesk(desk, work, flags, tell);
}

/** Loaded only where it is needed: the embedded parts and the build of the bundles are most of this command's code. */
async function openSystem(flags: PlaceFlags & { at?: string }): Promise<RunDesk> {
  const place = systemPlaceOf(flags);
  const { openLocalSystem } = await import('./local-system.ts');
  return await openLocalSystem(place, flags.at ?? Temporal.Now.instant().toString());
}

async function atDesk<D extends LedgerDesk>(
  desk: D,
  work: (desk: D) => Promise<Answer>,
  flags: PlaceFlags,
  tell: Tell,
): Promise<void> {
  try {
    tell(await work(desk), flags);
  } finally {
    await desk.close();
  }
}

function placeOf(flags: PlaceFlags): { environment: string | undefined; stack: string } {
  return { environment: flags.env, stack: stackOf(flags) };
}

/** What `cdk.json` says: whatever can be wrong with a call is found before anything is opened. */
export function configurationOf({ env }: PlaceFlags): Configuration {
  return loadConfiguration({ today: Temporal.Now.plainDateISO('UTC').toString(), environment: env });
}

/** Wrong use that commander does not see: says so, with the nearest right word. */
export function wrong(program: Command, message: string, near?: string): never {
  const hint = near === undefined ? '' : `\n(Did you mean ${near}?)`;
  program.error(`error: ${message}${hint}`, { exitCode: exitCodes.usage });
}
