import type { Server, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DynamoDB, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import { ClassicLevel } from 'classic-level';
import dynalite from 'dynalite';
import { orNull } from '../../or-null.ts';
import { LocalError, namingPlace, storing } from '../local-error.ts';
import { lockState } from '../state-folder.ts';
import { region } from './aws-protocol.ts';
import { listenOnLoopback, secretPath } from '../loopback.ts';

/** Name of the ledger's table in a state folder. */
export const localTableName = 'broadcast-digest';

/**
 * Opens the ledger of a state folder in a DynamoDB on loopback. It is kept in `<stateDir>/dynamodb` and outlives the process,
 * however it ends. Where a write fails later on, such as for a full disk, dynalite throws where nobody can catch it: the
 * process ends with a sentence. With `erases`, what was deleted is no longer in the files once it is closed.
 *
 * @throws {StateInUseError} where another run uses the state folder
 * @throws {LocalError} where the folder cannot be used
 */
export async function startDynamoDb(stateDir: string, tableName = localTableName, { erases = false } = {}) {
  await using started = new AsyncDisposableStack();
  started.use(await lockState(stateDir));
  const path = join(stateDir, 'dynamodb');
  // Dynalite opens its files with the first request, and throws where nobody can catch it: what keeps them shut is found here.
  await storing(path, async () => {
    await using files = new ClassicLevel(path);
    await files.open();
  });
  if (erases) started.defer(() => storing(path, () => rewriteFiles(path)));
  const endProcess = (error: unknown): never => {
    const named = namingPlace(path, error);
    console.error(named instanceof LocalError ? named.message : error);
    process.exit(1);
  };
  process.on('uncaughtException', endProcess);
  started.defer(() => void process.off('uncaughtException', endProcess));
  const server = dynalite({ path, createTableMs: 0, deleteTableMs: 0 });
  const { url } = started.use(await listenOnLoopback(server, 0, secretPath()));
  started.defer(trackAnswers(server));
  const credentials = { accessKeyId: 'operator', secretAccessKey: 'embedded' };
  const client = new DynamoDB({ endpoint: url, region, credentials });
  started.defer(() => client.destroy());
  await ensureTable(client, tableName);
  const parts = started.move();
  return { url, client, close: () => parts.disposeAsync() };
}

/**
 * Rewrites all files of a ledger. LevelDB keeps what was deleted or replaced until it rewrites its file, which it does for those
 * that overlap others alone: so something is written before and behind everything else.
 */
async function rewriteFiles(path: string): Promise<void> {
  await using files = new ClassicLevel(path);
  const ends = [' ', '~'] as const;
  await files.batch(ends.map((key) => ({ type: 'put', key, value: '' })));
  await files.compactRange(...ends);
  await files.batch(ends.map((key) => ({ type: 'del', key })));
}

/**
 * Gives what to wait for before the tables are closed: dynalite throws where nobody can catch it when a table is closed under
 * a request that it works on, and it goes on working on one whose client is gone.
 */
function trackAnswers(server: Server): () => Promise<void> {
  let responses: ServerResponse[] = [];
  server.on('request', (_request, response) => {
    responses = responses.filter(({ writableEnded }) => !writableEnded);
    responses.push(response);
  });
  return async () => {
    while (responses.some(({ writableEnded, req }) => !writableEnded && req.complete)) await delay(5);
  };
}

/** Creates the ledger's table where it is missing, and waits until it is there. */
export async function ensureTable(client: DynamoDB, TableName: string): Promise<void> {
  const found = await orNull(client.describeTable({ TableName }));
  if (found?.Table?.TableStatus === 'ACTIVE') return;
  const creation = client.createTable({
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    AttributeDefinitions: ['pk', 'sk'].map((name) => ({ AttributeName: name, AttributeType: 'S' })),
  });
  await orNull(creation, /^ResourceInUseException$/);
  await waitUntilTableExists({ client, minDelay: 0.02, maxDelay: 1, maxWaitTime: 10 }, { TableName });
}
