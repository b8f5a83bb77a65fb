import { InvalidArgumentError } from 'commander';
import { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import { BaseUrl } from '../../../functions/domain/configuration/fields.ts';
import { stackName } from '../../environment-name.ts';
import { readClientId, readServiceCredentials } from '../../local/command-line/choices.ts';
import { UsageError } from '../../local/command-line/usage-error.ts';
import { faultsOfFolders } from '../../local/command-line/folder-flags.ts';
import type { CheckedCommand } from './checked-command.ts';
import type { LedgerPlace } from '../../local/state-folder.ts';
import type { SystemPlace } from '../targets/local-system.ts';
import { defaultFolders } from '../../local/command-line/place-flags.ts';

/** The flags that say where a command works and how it prints its answer. */
export interface PlaceFlags {
  env?: string;
  stack?: string;
  local: boolean;
  state: string;
  out: string;
  serviceUrl?: string;
  json: boolean;
}

/** Adds the flags that all commands take. */
export function withPlace(command: CheckedCommand): CheckedCommand {
  return command
    .option('--env <NAME>', 'the environment: its stack, and its settings in cdk.json')
    .option('--stack <NAME>', "the name of the stack, if it is not the environment's")
    .option('--local', 'the local system, with its ledger in a folder, instead of a deployed stack', false)
    .option(
      '--state <DIR>',
      'with --local: contains a folder with the ledger of each reporting service',
      defaultFolders.state,
    )
    .option('--out <DIR>', 'with --local: where mails go', defaultFolders.out)
    .valueOption(
      '--service-url <URL>',
      'a running service instead of the sample account; credentials from SERVICE_CLIENT_ID and SERVICE_CLIENT_SECRET',
      serviceUrl,
    )
    .option('--json', 'machine-readable output', false);
}

/** An instant, ISO 8601 with `Z` or an offset. */
export function instant(text: string): string {
  try {
    return Temporal.Instant.from(text).toString();
  } catch {
    throw new InvalidArgumentError('Expected an instant, ISO 8601 with Z or an offset, such as 2026-11-16T08:00:00Z.');
  }
}

function serviceUrl(text: string): string {
  const parsed = v.safeParse(BaseUrl, text);
  if (!parsed.success) throw new InvalidArgumentError(parsed.issues[0].message);
  return parsed.output;
}

/** The name of the stack that the flags name. */
export function stackOf({ env, stack }: PlaceFlags): string {
  return stack ?? stackName(env);
}

/** The running service of `--service-url`; `null` without that flag. Throws a `UsageError` where its credentials are missing. */
export function serviceOf({ serviceUrl: url }: PlaceFlags): SystemPlace['service'] {
  return url === undefined ? null : { url, credentials: readServiceCredentials(process.env) };
}

/** The local system that the flags name. Throws a `UsageError` where a folder cannot be used or credentials are missing. */
export function systemPlaceOf(flags: PlaceFlags): SystemPlace {
  const { env: environment, state, out } = flags;
  checkFolders({ state, out });
  return { environment, state, out, service: serviceOf(flags) };
}

/**
 * The local ledger that the flags name. Of the credentials only the client id is read, and only where the folder's name
 * depends on it. Throws a `UsageError` where the folder cannot be used.
 */
export function ledgerPlaceOf({ env: environment, state, out, serviceUrl: url }: PlaceFlags): LedgerPlace {
  checkFolders({ state });
  if (url === undefined) return { environment, state, out, service: null };
  const credentials = {
    get id() {
      return readClientId(process.env);
    },
  };
  return { environment, state, out, service: { url, credentials } };
}

function checkFolders(folders: Readonly<Record<string, string>>): void {
  const faults = faultsOfFolders(folders);
  if (faults.length > 0) throw new UsageError(faults);
}
