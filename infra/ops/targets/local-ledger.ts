import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import type { Configuration } from '../../../functions/domain/configuration/configuration.ts';
import { createTable } from '../../../functions/ledger/table.ts';
import { UsageError } from '../../local/command-line/usage-error.ts';
import type { LocalPages } from '../../local/pages/local-pages.ts';
import { localTableName, openLedger } from '../../local/emulators/dynamodb.ts';
import { stateFolder, type LedgerPlace } from '../../local/state-folder.ts';
import type { LedgerTarget } from './target.ts';
import { localFlags } from '../../local/command-line/place-flags.ts';
import { scanTable } from '../addresses/scan.ts';
import { loadConfiguration } from '../../config.ts';

/** The operator of a local target. */
export const localOperator = (): string => `local user ${userInfo().username}`;

/**
 * The ledger of a reporting service for commands that only read: nothing is created.
 *
 * @throws {UsageError} where there is none
 * @throws {StateInUseError} and {StorageError} as `openLocalLedger` does
 */
export async function openExistingLedger(place: LedgerPlace): Promise<LedgerTarget> {
  const folder = stateFolder(place.state, place.service);
  if (existsSync(folder)) return await openLocalLedger(place);
  const flags = localFlags({ ...place, environment: undefined }).filter((flag) => flag !== '--local');
  const start = ['npm start', ...(flags.length === 0 ? [] : ['--', ...flags])].join(' ');
  const hold = ['npm run ops -- run REPORT --hold', ...localFlags(place)].join(' ');
  throw new UsageError(
    [`There is no ledger in "${folder}". To create one with a run: ${start}`, `Or with a run that is held: ${hold}`],
    {
      heading: 'Nothing has run here yet:',
    },
  );
}

/**
 * The ledger of a reporting service in its state folder, which is created if it is missing.
 *
 * @throws {StateInUseError} where a run uses it
 * @throws {StorageError} where the folder cannot be used, or its files are damaged
 */
export async function openLocalLedger(place: LedgerPlace): Promise<LedgerTarget> {
  const configuration = loadConfiguration({ environment: place.environment });
  const stateDir = stateFolder(place.state, place.service);
  const { client, close } = await openLedger(stateDir);
  return {
    configuration,
    table: createTable(client, localTableName),
    scan: () => scanTable(client, localTableName),
    operator: localOperator(),
    flags: localFlags(place),
    outbox: place.out,
    // The embedded SES suppresses nobody by itself.
    liftFromAccount: () => Promise.resolve(null),
    readPagePlace: () => Promise.resolve(null),
    servePages: servePagesOf(stateDir, configuration),
    close,
  };
}

/** Serves the pages of a local ledger, once its target is closed; `null` where mails lead to none. */
export function servePagesOf(stateDir: string, configuration: Configuration): (() => Promise<LocalPages>) | null {
  if (!configuration.mail.page) return null;
  return async () => {
    const { startLocalPages } = await import('../../local/pages/local-pages.ts');
    return await startLocalPages(stateDir, configuration);
  };
}
