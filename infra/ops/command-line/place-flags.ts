import { stackName } from '../../environment-name.ts';
import type { LedgerPlace } from '../targets/local-ledger.ts';

/** The flags, as an operator types them, that lead to a deployed stack again. */
export function deployedFlags({ environment, stack }: { environment: string | undefined; stack: string }): string[] {
  return [
    ...(environment === undefined ? [] : ['--env', environment]),
    ...(stack === stackName(environment) ? [] : ['--stack', quoted(stack)]),
  ];
}

/** Those that lead to the embedded parts again. */
export function localFlags({ environment, state, out, service }: LedgerPlace): string[] {
  return [
    ...(environment === undefined ? [] : ['--env', environment]),
    '--local',
    ...(state === defaultFolders.state ? [] : ['--state', quoted(state)]),
    ...(out === defaultFolders.out ? [] : ['--out', quoted(out)]),
    ...(service === null ? [] : ['--service-url', quoted(service.url)]),
  ];
}

/** Where the ledger and the mails of embedded parts are, unless flags say otherwise. */
export const defaultFolders = { state: '.local/state', out: '.local/outbox' } as const;

/** A word that a shell takes as it is. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
