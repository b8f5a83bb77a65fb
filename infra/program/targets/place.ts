import { resolve } from 'node:path';
import type { Configuration } from '../../../functions/domain/configuration/configuration.ts';
import type { Credentials } from '../../../functions/reporting-service/tokens/credentials.ts';
import { loadConfiguration } from '../../config.ts';
import { stateFolderName } from '../../local/state-folder.ts';
import { UsageError } from '../command-line/result.ts';
import { checkFolder } from '../command-line/flags.ts';

/** The flags that say where a command works: on a deployed stack, or with `local` on this machine. */
export interface PlaceFlags {
  env?: string;
  local: boolean;
  /** Contains a folder with the ledger of each reporting service. */
  state: string;
  /** Where the mails of a local system go. */
  out: string;
  /** A running service instead of the sample account. */
  serviceUrl?: string;
}

/** Where a command works, and the configuration there. */
export interface Place extends PlaceFlags {
  configuration: Configuration;
}

/** The folders of the local ledger and its mails, unless flags name others. */
export const defaultFolders = { state: '.local/state', out: '.local/outbox' } as const;

/** Reads the configuration of the environment that the flags name. Throws a `ConfigurationError` that names every fault. */
export function placeOf<Flags extends PlaceFlags>(flags: Flags): Flags & Place {
  return { ...flags, configuration: loadConfiguration(flags.env) };
}

/** The running service of `--service-url`; `null` without that flag. Throws a `UsageError` where its credentials are missing. */
export function serviceOf({ serviceUrl: url }: PlaceFlags): { url: string; credentials: Credentials } | null {
  if (url === undefined) return null;
  return { url, credentials: credentialsOfEnvironment('--service-url') };
}

/** The credentials of the service in the environment. Throws a `UsageError` where one is missing; `wants` is what needs them. */
export function credentialsOfEnvironment(wants: string): Credentials {
  const reason = `${wants} needs the client id and secret of the service.`;
  return { id: variable('SERVICE_CLIENT_ID', reason), secret: variable('SERVICE_CLIENT_SECRET', reason) };
}

/**
 * The state folder of the reporting service that the flags name. Of the credentials only the client id is read, and only where
 * the folder's name depends on it. Throws a `UsageError` where the folder cannot be used.
 */
export function stateFolderOf({ state, serviceUrl: url }: PlaceFlags): string {
  checkFolder('state', state);
  const reason = 'the ledger of a service on this machine is in a folder that is named after the client id.';
  const name = stateFolderName(url, () => variable('SERVICE_CLIENT_ID', reason));
  return resolve(state, name);
}

/** A variable of the environment. Throws a `UsageError` where it is missing; `reason` says what for. */
export function variable(name: string, reason: string): string {
  const value = process.env[name] ?? '';
  if (value === '') throw new UsageError(`${name} is not set, or not exported: ${reason}`);
  return value;
}

/** The flags, as an operator types them, that lead to the same place again. */
export function flagsOf({ env, local, state, out, serviceUrl }: PlaceFlags): string[] {
  return [
    ...(env === undefined ? [] : ['--env', env]),
    ...(local ? ['--local'] : []),
    ...(local && state !== defaultFolders.state ? ['--state', quoted(state)] : []),
    ...(local && out !== defaultFolders.out ? ['--out', quoted(out)] : []),
    ...(local && serviceUrl !== undefined ? ['--service-url', quoted(serviceUrl)] : []),
  ];
}

/** A word, quoted where a shell would not take it as it is. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
