import { setTimeout as delay } from 'node:timers/promises';
import {
  CreateTableCommand,
  DescribeTableCommand,
  ResourceNotFoundException,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';

/** The names of a table's two keys; both are strings. */
export interface TableDefinition {
  partitionKey: string;
  sortKey: string;
}

/** Creates an on-demand table where it is missing, and waits until it is there. */
export async function ensureTable(
  client: DynamoDBClient,
  tableName: string,
  definition: TableDefinition,
): Promise<void> {
  const { partitionKey, sortKey } = definition;
  if ((await tableStatus(client, tableName)) === undefined) {
    await client.send(
      new CreateTableCommand({
        TableName: tableName,
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: [
          { AttributeName: partitionKey, KeyType: 'HASH' },
          { AttributeName: sortKey, KeyType: 'RANGE' },
        ],
        AttributeDefinitions: [partitionKey, sortKey].map((name) => ({ AttributeName: name, AttributeType: 'S' })),
      }),
    );
  }
  for (let attempt = 0; attempt < 500; attempt++) {
    if ((await tableStatus(client, tableName)) === 'ACTIVE') return;
    await delay(20);
  }
  throw new Error(`The table "${tableName}" did not become active.`);
}

async function tableStatus(client: DynamoDBClient, tableName: string): Promise<string | undefined> {
  try {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: tableName }));
    return Table?.TableStatus;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}
