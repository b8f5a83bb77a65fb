import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createTable, type StoredItem, type Table } from '../../../functions/ledger/table.ts';
import { ensureTable } from '../../../infra/local/emulators/dynamodb.ts';
import { createDynamoDbInProcess } from '../../support/dynamodb-in-process.ts';

/** A ledger of its own for one test file, on a DynamoDB in memory. */
export interface Ledger {
  table: Table;
  /** Another process's view of the same table. */
  another(): Table;
  client: DynamoDBClient;
  /** Another client, which its user may close. */
  connect(): DynamoDBClient;
  /** The items of a partition, as they are stored. */
  items(pk: string): Promise<StoredItem[]>;
}

const tableName = 'ledger';

/** Creates a ledger without an item. */
export async function openLedger(): Promise<Ledger> {
  const connect = createDynamoDbInProcess();
  const client = connect();
  await ensureTable(client, tableName);
  const table = createTable(client, tableName);
  return {
    table,
    another: () => createTable(connect(), tableName),
    client,
    connect,
    items: (pk) => Array.fromAsync(table.query(pk, { from: ' ', to: '~' })),
  };
}
