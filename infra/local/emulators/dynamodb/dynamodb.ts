import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import { region } from '../account.ts';
import { accessKeyIdOf, denialOf, type Authorize } from '../authorize.ts';
import { jsonError, parseJson } from '../json-answer.ts';
import { ensureTable, type TableDefinition } from './ensure-table.ts';
import { checkLedgerFiles } from './ledger-files.ts';
import { listenOnLoopback, readBody, type Loopback, type LoopbackAnswer } from '../loopback.ts';
import { lockState } from '../state-lock.ts';
import { limitWrites, type AdmitWrites } from './write-limit.ts';

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
 * @param options.writesPerKey writes a second that it takes under one partition key before it throttles; no limit by default
 * @throws {StateInUseError} where another run uses the state folder
 * @throws {StorageError} where the folder cannot be used, or the tables' files are damaged
 */
export async function startDynamoDb(options: {
  stateDir: string;
  authorize?: Authorize;
  writesPerKey?: number;
}): Promise<DynamoDb> {
  await using started = new AsyncDisposableStack();
  const lock = await lockState(options.stateDir);
  started.defer(() => lock.release());
  await checkLedgerFiles(options.stateDir);
  const server = dynalite({ path: join(options.stateDir, 'dynamodb'), createTableMs: 0, deleteTableMs: 0 });
  const { authorize, writesPerKey } = options;
  const allAnswered = placeFront(server, {
    ...(authorize === undefined ? {} : { authorize }),
    ...(writesPerKey === undefined ? {} : { admitWrites: limitWrites(writesPerKey) }),
  });
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

/** What refuses requests before dynalite gets them. */
interface Gates {
  authorize?: Authorize;
  admitWrites?: AdmitWrites;
}

/**
 * Puts the gates before dynalite's own listener, and gives what to wait for before the tables are closed:
 * dynalite throws where nobody can catch it when a table is closed under a request that it works on, and it goes on
 * working on one whose client is gone. From then on requests are cut off.
 */
function placeFront(server: Server, gates: Gates): () => Promise<void> {
  const listeners = server.listeners('request');
  const answering = new Set<ServerResponse>();
  let closing = false;
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    void handOn(request, response);
  });
  async function handOn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const admitted = await admit(request, response, gates);
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

/** The request as dynalite reads it, or `undefined` where it was refused or the client hung up. */
async function admit(request: IncomingMessage, response: ServerResponse, gates: Gates): Promise<unknown> {
  try {
    const body = await readBody(request);
    const refusal = refusalOf(request, body, gates);
    if (refusal === undefined) {
      const { headers, method, url } = request;
      return Object.assign(Readable.from([body]), { headers, method, url });
    }
    response.writeHead(refusal.status, refusal.headers).end(refusal.body);
  } catch {
    response.destroy();
  }
  return undefined;
}

function refusalOf(request: IncomingMessage, body: Buffer, gates: Gates): LoopbackAnswer | undefined {
  const { authorize, admitWrites } = gates;
  const accessKeyId = accessKeyIdOf(request.headers);
  if ((authorize === undefined && admitWrites === undefined) || accessKeyId === ownAccessKeyId) return undefined;
  const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
  const parameters = parseJson(body);
  const denial = denialOf(authorize, { accessKeyId, action: `dynamodb:${operation}`, parameters });
  if (denial !== undefined) return jsonError(400, 'com.amazon.coral.service#AccessDeniedException', denial);
  if (admitWrites === undefined || admitWrites(operation, parameters)) return undefined;
  const throttled = 'Throughput exceeds the current capacity of your table or index.';
  return jsonError(400, 'com.amazonaws.dynamodb.v20120810#ThrottlingException', throttled);
}
