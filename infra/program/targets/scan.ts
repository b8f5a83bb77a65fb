import { paginateScan, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { readItem, type StoredItem } from '../../../functions/ledger/table.ts';

/**
 * Every item of a table, in no order. For operators only: no function may scan. They need it to find an address wherever
 * it is, for which there is no key.
 */
export async function* scanTable(client: DynamoDBClient, TableName: string): AsyncGenerator<StoredItem> {
  for await (const { Items = [] } of paginateScan({ client }, { TableName, ConsistentRead: true })) {
    for (const item of Items) yield readItem(item);
  }
}
