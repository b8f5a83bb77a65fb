import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { createTable } from '../../../functions/ledger/table.ts';
import { localTableName, startDynamoDb } from '../../local/emulators/dynamodb.ts';
import { UsageError } from '../command-line/result.ts';
import { flagsOf, stateFolderOf, type Place } from './place.ts';
import { scanTable, type LedgerTarget } from './target.ts';

/** What the ledger of a state folder and the system on it have in common. */
export function localTarget({ configuration, ...flags }: Place, stateDir: string) {
  return {
    configuration,
    stack: null,
    operator: `local user ${userInfo().username}`,
    flags: flagsOf(flags),
    outbox: flags.out,
    state: stateDir,
    serveFront: async () => {
      const { startLocalFront } = await import('../../local/local-front.ts');
      return await startLocalFront(stateDir, configuration);
    },
  };
}

/**
 * The ledger of a reporting service in its state folder, which is created if it is missing, unless it `mustExist`. With `erases`
 * its files have nothing of what was deleted, once it is closed.
 *
 * @throws {UsageError} where it must exist and does not
 * @throws {StateInUseError} where a run uses it
 * @throws {LocalError} where the folder cannot be used
 */
export async function openLocalLedger(place: Place, { mustExist = false, erases = false }): Promise<LedgerTarget> {
  const stateDir = stateFolderOf(place);
  const noLedger = `Nothing has run here yet: there is no ledger in "${stateDir}". A run with npm start creates one.`;
  if (mustExist && !existsSync(stateDir)) throw new UsageError(noLedger);
  const { client, close } = await startDynamoDb(stateDir, localTableName, { erases });
  return {
    ...localTarget(place, stateDir),
    table: createTable(client, localTableName),
    scan: (tableName = localTableName) => scanTable(client, tableName),
    [Symbol.asyncDispose]: close,
  };
}
