import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createTable, type StoredItem, type Table } from '../../../functions/ledger/table.ts';
import { startDynamoDb } from '../../../infra/local/emulators/dynamodb/dynamodb.ts';

/** A ledger of its own for one test file, on an embedded DynamoDB. */
export interface Ledger {
  table: Table;
  /** Another process's view of the same table. */
  another(): Table;
  client: DynamoDBClient;
  /** The items of a partition, as they are stored. */
  items(pk: string): Promise<StoredItem[]>;
  close(): Promise<void>;
}

const tableName = 'ledger';

/** Starts a ledger without an item. */
export async function openLedger(): Promise<Ledger> {
  const stateDir = await mkdtemp(join(tmpdir(), 'ledger-'));
  const part = await startDynamoDb({ stateDir });
  await part.ensureTable(tableName, { partitionKey: 'pk', sortKey: 'sk' });
  const clients: DynamoDBClient[] = [];
  const connect = (): DynamoDBClient => {
    const credentials = { accessKeyId: 'AKIATEST', secretAccessKey: 'x' };
    const client = new DynamoDBClient({ endpoint: part.url, region: 'eu-west-1', credentials });
    clients.push(client);
    return client;
  };
  const client = connect();
  const table = createTable(client, tableName);
  return {
    table,
    another: () => createTable(connect(), tableName),
    client,
    items: (pk) => readToEnd(table.query(pk, { from: ' ', to: '~' })),
    close: async () => {
      for (const each of clients) each.destroy();
      await part.close();
      await rm(stateDir, { recursive: true });
    },
  };
}

/** Everything that is read one after the other. */
export async function readToEnd<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
