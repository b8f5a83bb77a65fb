import { Command, CommanderError, InvalidArgumentError, type ErrorOptions, type ParseOptionsResult } from 'commander';
import { nearest } from '../../../functions/domain/configuration/nearest.ts';
import { shorten, UsageError } from '../../local/command-line/usage-error.ts';

/** Checks a call by its arguments, and by the names of those that are missing. Returns its faults, a sentence each. */
type Check = (words: readonly string[], missing: readonly string[]) => string[];

/** A command that reports all faults of a call in one `UsageError`, before its action begins. */
export class CheckedCommand extends Command {
  #checks: Check[] = [];
  #faults: string[] = [];
  #unknown: string[] = [];

  override createCommand(name?: string): CheckedCommand {
    return new CheckedCommand(name).allowUnknownOption().allowExcessArguments();
  }

  /** Adds a check of the call. */
  check(check: Check): this {
    this.#checks.push(check);
    return this;
  }

  /** An option whose value is parsed. A value that cannot be parsed is a fault of the call and counts as not given. */
  valueOption<T>(flags: string, description: string, parse: (text: string) => T, fallback?: T): this {
    const collect = (text: string): T | undefined => {
      try {
        return parse(text);
      } catch (error) {
        if (!(error instanceof InvalidArgumentError)) throw error;
        this.#faults.push(`option '${flags}' argument '${shorten(text)}' is invalid. ${error.message}`);
        return undefined;
      }
    };
    return this.option(flags, description, collect, fallback);
  }

  override parseOptions(args: string[]): ParseOptionsResult {
    const parsed = this.#parseWhole(args);
    this.#unknown = parsed.unknown;
    return parsed;
  }

  /** Commander stops at its first fault; here that one is reported together with all others. */
  override error(message: string, options?: ErrorOptions): never {
    const text = message.replace(/^error: /, '');
    if (options?.code === missingValue) throw new CommanderError(1, missingValue, text);
    this.refuseFaults();
    throw this.#usageError([text]);
  }

  /** Throws a `UsageError` with all faults of the call, if there are any. */
  refuseFaults(): void {
    const { flags, loose } = partsOf(this.#unknown);
    const words = this.args.slice(0, this.args.length - this.#unknown.length);
    // The flags behind a misspelt command are not those of this one.
    if (this.commands.length > 0 && words[0] !== undefined) throw this.#usageError([this.#unknownCommand(words[0])]);
    const missing = this.#missingArguments(words, loose);
    const faults = [
      ...missing.map((name) => `missing required argument '${name}'`),
      ...this.#faultsOfWords(words),
      ...flags.map((flag) => this.#unknownFlag(flag)),
      ...this.#faults,
      ...this.#checks.flatMap((check) => check(words, missing)),
    ];
    if (faults.length > 0) throw this.#usageError([...new Set(faults)]);
  }

  #usageError(faults: readonly string[]): UsageError {
    const name = this.parent === null ? '' : `${this.name()} `;
    return new UsageError(faults, { help: `npm run ops -- ${name}--help` });
  }

  /** Only the last flag can lack its value, so the call is parsed again without that flag. */
  #parseWhole(args: string[]): ParseOptionsResult {
    try {
      return super.parseOptions(args);
    } catch (error) {
      if (!(error instanceof CommanderError) || error.code !== missingValue) throw error;
      this.restoreStateBeforeParse();
      this.#faults = [error.message];
      return super.parseOptions(args.slice(0, -1));
    }
  }

  /** `loose` words come after unknown flags: each may be an argument or the value of its flag, so it counts as neither. */
  #missingArguments(words: readonly string[], loose: number): string[] {
    return this.registeredArguments
      .filter(({ required }, index) => required && index >= words.length + loose)
      .map((argument) => argument.name());
  }

  #faultsOfWords(words: readonly string[]): string[] {
    const expected = this.registeredArguments;
    const required = this.options
      .filter((option) => option.mandatory && this.getOptionValue(option.attributeName()) === undefined)
      .filter((option) => !this.#faults.some((fault) => fault.includes(`'${option.flags}'`)))
      .map((option) => `required option '${option.flags}' not specified`);
    const excess = expected.at(-1)?.variadic !== true && words.length > expected.length;
    const count = `Expected ${expected.length} argument${expected.length === 1 ? '' : 's'} but got ${words.length}.`;
    return [...required, ...(excess ? [`too many arguments for '${this.name()}'. ${count}`] : [])];
  }

  #unknownCommand(name: string): string {
    const near = nearest(
      name,
      this.commands.map((command) => command.name()),
    );
    return `unknown command '${shorten(name)}'${suggestion(near)}`;
  }

  #unknownFlag(text: string): string {
    const [flag = ''] = text.split('=');
    const known = [...this.options.flatMap(({ long }) => long ?? []), '--help'];
    if (known.includes(flag)) return `option '${flag}' takes no value`;
    return `unknown option '${shorten(flag)}'${flag.startsWith('--') ? suggestion(nearest(flag, known)) : ''}`;
  }
}

const missingValue = 'commander.optionMissingArgument';

/** Divides what follows the first unknown flag into unknown flags and a number of other words. */
function partsOf(unknown: readonly string[]): { flags: string[]; loose: number } {
  const end = unknown.indexOf('--');
  const before = end === -1 ? unknown : unknown.slice(0, end);
  const flags = before.filter((word) => word.length > 1 && word.startsWith('-'));
  return { flags, loose: unknown.length - flags.length - (end === -1 ? 0 : 1) };
}

function suggestion(near: string | undefined): string {
  return near === undefined ? '' : ` (Did you mean ${near}?)`;
}
