import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { createTable, type Key, type Table } from '../../functions/ledger/table.ts';
import { localTableName as tableName, startDynamoDb } from '../../infra/local/emulators/dynamodb.ts';

/** The ledger of a state folder between two calls of the command. */
export interface OpenLedger {
  table: Table;
  /** Loses an item, which nothing in the product ever does. */
  lose: (key: Key) => Promise<void>;
}

/** Opens the ledger of a state folder that no command is using, for as long as `use` takes. */
export async function withLedger<T>(stateDir: string, use: (ledger: OpenLedger) => Promise<T>): Promise<T> {
  const { client, close } = await startDynamoDb(stateDir);
  try {
    const lose = async ({ pk, sk }: Key): Promise<void> => {
      await client.send(new DeleteItemCommand({ TableName: tableName, Key: { pk: { S: pk }, sk: { S: sk } } }));
    };
    return await use({ table: createTable(client, tableName), lose });
  } finally {
    await close();
  }
}
