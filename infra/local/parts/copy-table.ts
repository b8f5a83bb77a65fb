import {
  BatchWriteItemCommand,
  DeleteTableCommand,
  paginateScan,
  ResourceNotFoundException,
  waitUntilTableNotExists,
  type AttributeValue,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { ensureTable, type TableDefinition } from '../emulators/dynamodb/ensure-table.ts';

/** The most items of one BatchWriteItem. */
const itemsOfBatch = 25;

/** Makes a table anew with the items of another one; where that one does not exist, without any. */
export async function copyTable(
  client: DynamoDBClient,
  { from, to, keys }: { from: string; to: string; keys: TableDefinition },
): Promise<void> {
  await dropTable(client, to);
  await ensureTable(client, to, keys);
  try {
    for await (const { Items = [] } of paginateScan({ client }, { TableName: from, ConsistentRead: true })) {
      for (let start = 0; start < Items.length; start += itemsOfBatch)
        await writeAll(client, to, Items.slice(start, start + itemsOfBatch));
    }
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error;
  }
}

async function writeAll(
  client: DynamoDBClient,
  table: string,
  items: ReadonlyArray<Record<string, AttributeValue>>,
): Promise<void> {
  let open = items.map((Item) => ({ PutRequest: { Item } }));
  while (open.length > 0) {
    const { UnprocessedItems = {} } = await client.send(new BatchWriteItemCommand({ RequestItems: { [table]: open } }));
    open = (UnprocessedItems[table] ?? []).flatMap(({ PutRequest }) =>
      PutRequest?.Item === undefined ? [] : [{ PutRequest: { Item: PutRequest.Item } }],
    );
  }
}

/** Deletes a table, if there is one, and waits until it is gone. */
export async function dropTable(client: DynamoDBClient, table: string): Promise<void> {
  try {
    await client.send(new DeleteTableCommand({ TableName: table }));
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return;
    throw error;
  }
  await waitUntilTableNotExists({ client, minDelay: 1, maxWaitTime: 30 }, { TableName: table });
}
