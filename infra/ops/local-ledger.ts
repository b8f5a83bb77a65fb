import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { Temporal } from 'temporal-polyfill';
import { createTable } from '../../functions/ledger/table.ts';
import { loadConfiguration } from '../config.ts';
import { region } from '../local/embedded/account.ts';
import { startDynamoDb } from '../local/embedded/dynamodb.ts';
import { tableName } from '../local/table-name.ts';
import type { LedgerDesk } from './desk.ts';
import { scanTable } from './scan.ts';

/** Where a desk on embedded parts works. */
export interface LocalPlace {
  environment: string | undefined;
  state: string;
  out: string;
  /** A running service instead of the sample account. */
  service: { url: string; credentials: { id: string; secret: string } } | null;
}

/** Who is at a local desk. */
export const localOperator = (): string => `local user ${userInfo().username}`;
/** The day from which schedules are checked. */
export const today = (): string => Temporal.Now.plainDateISO('UTC').toString();

/** The ledger of a state folder. Throws `StateInUseError` where a run uses it. */
export async function openLocalLedger(place: LocalPlace): Promise<LedgerDesk> {
  const configuration = loadConfiguration({ today: today(), environment: place.environment });
  const dynamoDb = await startDynamoDb({ stateDir: resolve(place.state) });
  await dynamoDb.ensureTable(tableName, { partitionKey: 'pk', sortKey: 'sk' });
  const credentials = { accessKeyId: 'operator', secretAccessKey: 'embedded' };
  const client = new DynamoDBClient({ endpoint: dynamoDb.url, region, credentials });
  return {
    configuration,
    table: createTable(client, tableName),
    scan: () => scanTable(client, tableName),
    operator: localOperator(),
    // The embedded SES suppresses nobody by itself.
    liftFromAccount: () => Promise.resolve(null),
    close: async () => {
      client.destroy();
      await dynamoDb.close();
    },
  };
}
