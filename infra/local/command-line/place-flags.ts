import { stackName } from '../../environment-name.ts';
import type { LedgerPlace } from '../state-folder.ts';

/** The flags, as an operator types them, that lead to a deployed stack again. */
export function deployedFlags({ environment, stack }: { environment: string | undefined; stack: string }): string[] {
  return [
    ...(environment === undefined ? [] : ['--env', environment]),
    ...(stack === stackName(environment) ? [] : ['--stack', quoted(stack)]),
  ];
}

/** The flags that lead to the local system again. */
export function localFlags({ environment, state, out, service }: LedgerPlace): string[] {
  return [
    ...(environment === undefined ? [] : ['--env', environment]),
    '--local',
    ...(state === defaultFolders.state ? [] : ['--state', quoted(state)]),
    ...(out === defaultFolders.out ? [] : ['--out', quoted(out)]),
    ...(service === null ? [] : ['--service-url', quoted(service.url)]),
  ];
}

/** The folders of the local ledger and its mails, unless flags name others. */
export const defaultFolders = { state: '.local/state', out: '.local/outbox' } as const;

/** A word, quoted where a shell would not take it as it is. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
