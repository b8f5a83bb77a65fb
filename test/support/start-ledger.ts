import { DynamoDBClient, DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { createTable, type Key, type Table } from '../../functions/ledger/table.ts';
import { startDynamoDb } from '../../infra/local/emulators/dynamodb/dynamodb.ts';

const tableName = 'broadcast-digest';

/** The ledger of a state folder between two calls of the command. */
export interface OpenLedger {
  table: Table;
  /** Loses an item, which nothing in the product ever does. */
  lose: (key: Key) => Promise<void>;
}

/** Opens the ledger of a state folder that no command is using, for as long as `use` takes. */
export async function withLedger<T>(stateDir: string, use: (ledger: OpenLedger) => Promise<T>): Promise<T> {
  const dynamoDb = await startDynamoDb({ stateDir });
  const client = new DynamoDBClient({
    endpoint: dynamoDb.url,
    region: 'eu-west-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  try {
    await dynamoDb.ensureTable(tableName, { partitionKey: 'pk', sortKey: 'sk' });
    const lose = async ({ pk, sk }: Key): Promise<void> => {
      await client.send(new DeleteItemCommand({ TableName: tableName, Key: { pk: { S: pk }, sk: { S: sk } } }));
    };
    return await use({ table: createTable(client, tableName), lose });
  } finally {
    client.destroy();
    await dynamoDb.close();
  }
}
