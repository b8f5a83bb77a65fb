import {
  ScanCommand,
  type AttributeValue,
  type DynamoDBClient,
  type ScanCommandOutput,
} from '@aws-sdk/client-dynamodb';
import { readItem, type StoredItem } from '../../../functions/ledger/table.ts';

/**
 * Every item of a table, in no order. For operators only: no function may scan. They need it to find an address wherever
 * it is, for which there is no key.
 */
export async function* scanTable(client: DynamoDBClient, tableName: string): AsyncGenerator<StoredItem> {
  let start: Record<string, AttributeValue> | undefined;
  do {
    const answer: ScanCommandOutput = await client.send(
      new ScanCommand({ TableName: tableName, ConsistentRead: true, ExclusiveStartKey: start }),
    );
    for (const item of answer.Items ?? []) yield readItem(item);
    start = answer.LastEvaluatedKey;
  } while (start !== undefined);
}
