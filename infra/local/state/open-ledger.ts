import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { region } from '../emulators/account.ts';
import { startDynamoDb } from '../emulators/dynamodb/dynamodb.ts';
import { localTableName } from './state-folder.ts';

/**
 * Opens the ledger in a state folder, without the rest of a system.
 *
 * @throws {StateInUseError} where a run uses it
 * @throws {StorageError} where the folder cannot be used, or its files are damaged
 */
export async function openLedger(stateDir: string): Promise<{ client: DynamoDBClient; close: () => Promise<void> }> {
  await using started = new AsyncDisposableStack();
  const dynamoDb = await startDynamoDb({ stateDir });
  started.defer(() => dynamoDb.close());
  await dynamoDb.ensureTable(localTableName, { partitionKey: 'pk', sortKey: 'sk' });
  const credentials = { accessKeyId: 'operator', secretAccessKey: 'embedded' };
  const client = new DynamoDBClient({ endpoint: dynamoDb.url, region, credentials });
  started.defer(() => client.destroy());
  const parts = started.move();
  return { client, close: () => parts.disposeAsync() };
}
