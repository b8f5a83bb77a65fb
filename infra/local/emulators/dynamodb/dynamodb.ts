import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Readable } from 'node:stream';
import {
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ResourceNotFoundException,
} from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import { region } from '../account.ts';
import { accessKeyIdOf, denialOf, type Authorize } from '../authorize.ts';
import { jsonError, parseJson } from '../json-answer.ts';
import { checkLedgerFiles } from './ledger-files.ts';
import { listenOnLoopback, readBody, type Loopback } from '../loopback.ts';
import { lockState } from '../state-lock.ts';

/** The names of a table's two keys; both are strings. */
interface TableDefinition {
  partitionKey: string;
  sortKey: string;
}

/** The embedded DynamoDB. `ensureTable` creates an on-demand table where it is missing, and waits until it is there. */
export interface DynamoDb extends Loopback {
  ensureTable(tableName: string, definition: TableDefinition): Promise<void>;
}

/** The key of this process's own calls, which nobody needs to authorize. */
const ownAccessKeyId = 'embedded-dynamodb';

/**
 * Starts DynamoDB on loopback. The tables are in `<stateDir>/dynamodb` and outlive the process, however it ends. Where a
 * write fails later on, such as for a full disk, dynalite throws where nobody can catch it: the process ends.
 *
 * @throws {StateInUseError} where another run uses the state folder
 * @throws {StorageError} where the folder cannot be used, or the tables' files are damaged
 */
export async function startDynamoDb(options: { stateDir: string; authorize?: Authorize }): Promise<DynamoDb> {
  await using started = new AsyncDisposableStack();
  const lock = await lockState(options.stateDir);
  started.defer(() => lock.release());
  await checkLedgerFiles(options.stateDir);
  const server = dynalite({ path: join(options.stateDir, 'dynamodb'), createTableMs: 0, deleteTableMs: 0 });
  const allAnswered = placeFront(server, options.authorize);
  const loopback = await listenOnLoopback(server);
  started.defer(async () => {
    await allAnswered();
    await loopback.close();
  });
  const client = new DynamoDBClient({
    endpoint: loopback.url,
    region,
    credentials: { accessKeyId: ownAccessKeyId, secretAccessKey: ownAccessKeyId },
  });
  started.defer(() => client.destroy());
  const parts = started.move();
  return {
    url: loopback.url,
    ensureTable: (tableName, definition) => ensureTable(client, tableName, definition),
    close: () => parts.disposeAsync(),
  };
}

/**
 * Puts the authorization before dynalite's own listener, and gives what to wait for before the tables are closed:
 * dynalite throws where nobody can catch it when a table is closed under a request that it works on, and it goes on
 * working on one whose client is gone. From then on requests are cut off.
 */
function placeFront(server: Server, authorize: Authorize | undefined): () => Promise<void> {
  const listeners = server.listeners('request');
  const answering = new Set<ServerResponse>();
  let closing = false;
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    void handOn(request, response);
  });
  async function handOn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const admitted = await admit(request, response, authorize);
    if (admitted === undefined) return;
    if (closing) return void response.destroy();
    forgetAnswered();
    answering.add(response);
    for (const listener of listeners) listener.call(server, admitted, response);
  }
  function forgetAnswered(): void {
    for (const response of answering) if (response.writableEnded) answering.delete(response);
  }
  return async () => {
    closing = true;
    for (forgetAnswered(); answering.size > 0; forgetAnswered()) await delay(5);
  };
}

/** The request as dynalite reads it, or `undefined` where it was denied or the client hung up. */
async function admit(
  request: IncomingMessage,
  response: ServerResponse,
  authorize: Authorize | undefined,
): Promise<unknown> {
  try {
    const body = await readBody(request);
    const denial = denialOfCall(request, body, authorize);
    if (denial === undefined) {
      const { headers, method, url } = request;
      return Object.assign(Readable.from([body]), { headers, method, url });
    }
    const refusal = jsonError(400, 'com.amazon.coral.service#AccessDeniedException', denial);
    response.writeHead(refusal.status, refusal.headers).end(refusal.body);
  } catch {
    response.destroy();
  }
  return undefined;
}

function denialOfCall(request: IncomingMessage, body: Buffer, authorize: Authorize | undefined): string | undefined {
  const accessKeyId = accessKeyIdOf(request.headers);
  if (authorize === undefined || accessKeyId === ownAccessKeyId) return undefined;
  const action = `dynamodb:${String(request.headers['x-amz-target']).split('.')[1] ?? ''}`;
  return denialOf(authorize, { accessKeyId, action, parameters: parseJson(body) });
}

async function ensureTable(client: DynamoDBClient, tableName: string, definition: TableDefinition): Promise<void> {
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
  for (let attempt = 0; attempt < 200; attempt++) {
    if ((await tableStatus(client, tableName)) === 'ACTIVE') return;
    await delay(10);
  }
  throw new Error(`The embedded table "${tableName}" did not become active.`);
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
