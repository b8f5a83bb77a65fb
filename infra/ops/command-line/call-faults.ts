import type { Configuration } from '../../../functions/domain/configuration/configuration.ts';
import { ConfigurationError } from '../../../functions/domain/configuration/fault.ts';
import { nearest } from '../../../functions/domain/configuration/nearest.ts';
import { shorten, UsageError } from '../../local/command-line/usage-error.ts';
import { faultsOfFolders } from '../../local/command-line/folder-flags.ts';
import { checkAddresses } from '../addresses/check-addresses.ts';
import { lookUpReport } from '../targets/look-up.ts';
import { loadConfiguration } from '../../config.ts';
import type { CheckedCommand } from './checked-command.ts';
import type { PlaceFlags } from './flags.ts';

/** What is wrong with the flags that every command takes, and with the report that is named; where it is missing, which there are. */
export function faultsOfPlace(command: CheckedCommand, words: readonly string[], missing: readonly string[]): string[] {
  const { env, stack, local, state } = command.opts<PlaceFlags>();
  const place = command.registeredArguments.findIndex((argument) => argument.name() === 'REPORT');
  const report = words[place];
  const faults = local && stack !== undefined ? ['--stack and --local cannot be combined.'] : [];
  if (local) faults.push(...faultsOfFolders({ state }));
  const named = env === undefined ? { configuration: undefined, faults: [] } : readConfiguration(env);
  faults.push(...named.faults);
  if (report === undefined && !missing.includes('REPORT')) return faults;
  const { configuration } = named.configuration === undefined ? readConfiguration(undefined) : named;
  if (configuration === undefined) return faults;
  if (report !== undefined) return [...faults, ...faultsOf(() => lookUpReport(configuration, report))];
  return [...faults, `The reports are: ${configuration.reports.map(({ name }) => name).join(', ')}.`];
}

/** What is wrong with the folder that mails are written to. */
export function faultsOfOutbox(command: CheckedCommand): string[] {
  const { local, out } = command.opts<PlaceFlags>();
  return local ? faultsOfFolders({ out }) : [];
}

/** Which words are not addresses, by their places. */
export function faultsOfAddresses(addresses: readonly string[]): string[] {
  return faultsOf(() => checkAddresses(addresses));
}

/** What is wrong with the part of a command, `list` say, and the words that follow it. */
export function faultsOfPart(part: string | undefined, rest: readonly string[], parts: readonly string[]): string[] {
  if (part === undefined) return [];
  if (!parts.includes(part)) {
    const near = nearest(part, parts);
    return [
      `"${shorten(part)}" is not one of ${parts.join(', ')}.${near === undefined ? '' : ` (Did you mean ${near}?)`}`,
    ];
  }
  if (part === 'list') return [];
  if (rest.length === 0) return [part === 'import' ? 'import needs a CSV file.' : `${part} needs an address.`];
  return part === 'import' ? [] : faultsOfAddresses(rest);
}

/** Only faults of `--env` belong to the call; those of the configuration itself are reported when the command reads it. */
function readConfiguration(env: string | undefined): { configuration: Configuration | undefined; faults: string[] } {
  try {
    return { configuration: loadConfiguration({ environment: env }), faults: [] };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const faults = error.faults.filter(({ path }) => env !== undefined && /^environments\b/.test(path));
    return { configuration: undefined, faults: faults.map(({ message }) => `--env: ${message}`) };
  }
}

function faultsOf(check: () => unknown): string[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof UsageError) return [...error.faults];
    throw error;
  }
}
