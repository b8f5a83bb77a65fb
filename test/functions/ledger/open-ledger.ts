import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { openHashes, recordPersons, type HashOf } from '../../../functions/ledger/persons/persons.ts';
import { planMessage } from '../../../functions/ledger/runs/messages.ts';
import { createTable, type StoredItem, type Table } from '../../../functions/ledger/table.ts';
import { ensureTable } from '../../../infra/local/emulators/dynamodb.ts';
import { scanTable } from '../../../infra/program/targets/target.ts';
import { createDynamoDbInProcess } from '../../support/aws/dynamodb-in-process.ts';

/** A ledger of its own for one test file, on a DynamoDB in memory. */
export interface Ledger {
  table: Table;
  /** Another process's view of the same table. */
  another(): Table;
  client: DynamoDBClient;
  /** Another client, which its user may close. */
  connect(): DynamoDBClient;
  /** Every item. */
  scan: (tableName?: string) => AsyncGenerator<StoredItem>;
  /** The items of a partition, as they are stored. */
  items(pk: string): Promise<StoredItem[]>;
  hashOf: HashOf;
  /** Plans messages of a run to these addresses, as to persons whom an operator named. Gives their ids. */
  plan(run: string, ...addresses: string[]): Promise<string[]>;
}

const tableName = 'ledger';

/** Creates a ledger without an item. */
export async function openLedger(): Promise<Ledger> {
  const connect = createDynamoDbInProcess();
  const client = connect();
  await ensureTable(client, tableName);
  const table = createTable(client, tableName);
  const hashOf = await openHashes(table);
  return {
    table,
    another: () => createTable(connect(), tableName),
    client,
    connect,
    scan: (name = tableName) => scanTable(client, name),
    items: (pk) => Array.fromAsync(table.query(pk)),
    hashOf,
    plan: async (run, ...addresses) => {
      const persons = addresses.map((address) => ({ hash: hashOf(address), address }));
      await recordPersons(table, persons);
      const expiresAt = 1_900_000_000;
      await Promise.all(persons.map(({ hash: id }) => planMessage(table, run, { id, named: true, expiresAt })));
      return persons.map(({ hash }) => hash);
    },
  };
}
