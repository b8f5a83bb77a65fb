import { Option, type Command } from 'commander';
import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import type { Due } from '../../../functions/domain/schedule.ts';
import type { LocalDue } from '../targets/local-system.ts';
import { defaultFolders, placeOf, type Place, type PlaceFlags } from '../targets/place.ts';
import type { LedgerTarget, RunTarget } from '../targets/target.ts';
import { UsageError, type CommandResult } from './result.ts';
import { chooseDue, chooseReport, type DueFlags } from './choices.ts';
import { instant, serviceUrl } from './flags.ts';

/** The flags that a command is given, with the place that they name. */
export type Given<Flags = unknown> = Flags & Place;

/** What a command does with its flags and its words. */
export type Work<Flags, Words extends unknown[]> = (flags: Flags, ...words: Words) => Promise<CommandResult>;

/** Prints the answer of a command. */
export type Print = (answer: CommandResult, options: { json: boolean }) => void;

/** A flag of a command, as its help lists it. One that takes no value is `false` where it is not given. */
export function flag(flags: string, description: string): Option {
  const option = new Option(flags, description);
  return option.isBoolean() ? option.default(false) : option;
}

// Flags that several commands have.
export const atFlag = flag(
  '--at <INSTANT>',
  "the scheduled instant, ISO 8601 with Z or an offset (default: the report's latest)",
).argParser(instant);
export const periodFlag = flag(
  '--period <DATE>',
  'the period that contains this day, or its name (2026-W44), in place of --at',
).conflicts('at');
export const serviceUrlFlag = flag(
  '--service-url <URL>',
  'a running service instead of the sample account; credentials from SERVICE_CLIENT_ID and SERVICE_CLIENT_SECRET',
).argParser(serviceUrl);
export const yesFlag = flag('--yes', 'confirm in advance');
export const allFlag = flag('--all', 'every report');
export const columnFlag = flag('--column <NAME>', 'the heading above a file’s addresses (default: email, or the like)');

/** The flags that every command of operators has: they say where it works, and how it answers. */
export const commonFlags = [
  flag('--env <NAME>', 'the environment: its stack, and its settings in cdk.json'),
  flag('--local', 'the local system, with its ledger in a folder, instead of a deployed stack'),
  flag('--state <DIR>', 'with --local: the folder of the ledgers, one for each service').default(defaultFolders.state),
  flag('--out <DIR>', 'with --local: where mails go').default(defaultFolders.out),
  serviceUrlFlag,
  flag('--json', 'machine-readable output'),
];

/** What is to be said of a command, and its work. */
interface Definition<Flags, Words extends unknown[]> {
  /** Its words, in brackets where they need not be given: `<REPORT> [TEXT]`. */
  words?: string;
  /** What `<PART>` may be, where that is one of its words. */
  parts?: readonly string[];
  /** What it does, as the list of all commands has it. */
  does: string;
  /** What else is to be known of it: sentences. */
  more?: string;
  /** A call of it, which its help shows. */
  example: string;
  /** Its own flags, beside those that every command has. */
  flags?: readonly Option[];
  work: Work<Flags, Words>;
}

/** A command of operators: before its own flags it has those of every one, and its work is given the place that they name. */
export function defineCommand<Flags, Words extends unknown[]>(definition: Definition<Flags, Words>) {
  const { words = '', parts = [], does, more = '', example, flags = [], work } = definition;
  return (program: Command, name: string, print: Print): void => {
    const command = program
      .command(`${name} ${words}`)
      .summary(does)
      .description(`${does.charAt(0).toUpperCase()}${does.slice(1)}. ${more}`.trim())
      .showHelpAfterError(`For help: npm run ops -- ${name} --help`)
      .addHelpText('after', `\nexample:\n  npm run ops -- ${example}`)
      .action(answering(print, (given: Flags & PlaceFlags, ...words: Words) => work(placeOf(given), ...words)));
    for (const flag of [...commonFlags, ...flags]) command.addOption(flag);
    command.registeredArguments.find((word) => word.name() === 'PART')?.choices(parts);
  };
}

/** Runs the work of a command, prints its answer, and shows in the browser what there is to show. */
export function answering<Flags, Words extends unknown[]>(print: Print, work: Work<Flags, Words>) {
  return async function (this: Command, ...words: Words): Promise<void> {
    const flags = this.opts<Flags & { json: boolean }>();
    const result = await work(flags, ...words);
    print(result, flags);
    await result.view?.();
  };
}

// The targets are imported where they are opened: with the embedded parts and the clients of AWS they would take most of the
// time of a short command.

/** The ledger of a place, which must exist. */
export const openExisting = (place: Place): Promise<LedgerTarget> => openLedger(place, { mustExist: true });

/** The ledger of a place. A local one that does not exist is created, or refused where it `mustExist`. */
export async function openLedger(place: Place, opening: { mustExist?: boolean; erases?: boolean } = {}) {
  if (!place.local) return await openSystem(place);
  return await (await import('../targets/local-ledger.ts')).openLocalLedger(place, opening);
}

/** Where runs can be triggered: the deployed stack, or the local system for the run of a `due`. */
export async function openSystem(place: Place, due?: LocalDue): Promise<RunTarget> {
  if (!place.local) return await (await import('../targets/deployed.ts')).openDeployed(place);
  return await (await import('../targets/local-system.ts')).openLocalSystem(place, due);
}

/** Works on what is opened of a place, for the run, report, channel or table that is named. */
export function onTarget<Target extends LedgerTarget, Flags>(
  open: (place: Place) => Promise<Target>,
  work: (target: Target, name: string, flags: Flags) => Promise<CommandResult>,
): Work<Given<Flags>, [name: string]> {
  return async (place, name) => {
    await using target = await open(place);
    return await work(target, name, place);
  };
}

/** Works on the ledger of a place, for a report that is named. */
export function onReport<Flags, Words extends unknown[]>(
  work: (target: LedgerTarget, report: ReportConfiguration, flags: Flags, ...words: Words) => Promise<CommandResult>,
): Work<Given<Flags>, [name: string, ...Words]> {
  return async (place, name, ...words) => {
    const report = chooseReport(place.configuration, name);
    await using target = await openLedger(place);
    return await work(target, report, place, ...words);
  };
}

/** Works on the ledger of a place, for a report that is named, or with `--all` for every one. */
export function onReports(
  work: (target: LedgerTarget, report: ReportConfiguration) => Promise<CommandResult>,
): Work<Given<{ all: boolean }>, [name?: string]> {
  return async (place, name) => {
    if (place.all !== (name === undefined)) throw new UsageError('Name one report, or pass --all for every one.');
    if (name !== undefined) return await onReport(work)(place, name);
    await using target = await openLedger(place);
    const results = await Array.fromAsync(place.configuration.reports, (configured) => work(target, configured));
    const json = { reports: results.map((result) => result.json) };
    return { json, lines: results.flatMap(({ lines }) => lines), code: Math.max(...results.map(({ code }) => code)) };
  };
}

/** Works where a run of a report can be triggered, for the run that is meant. */
export function onDue<Flags>(
  work: (target: RunTarget, report: ReportConfiguration, due: Due, flags: Flags) => Promise<CommandResult>,
): Work<Given<Flags & DueFlags>, [name: string]> {
  return async (place, name) => {
    const report = chooseReport(place.configuration, name);
    const due = chooseDue(report, place);
    await using target = await openSystem(place, { report, due });
    return await work(target, report, due, place);
  };
}
