import { randomUUID } from 'node:crypto';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { Context } from 'aws-lambda';
import { CodedError } from '../domain/failures.ts';
import { secretName, tableName } from '../environment.ts';
import { inOwnWords } from '../foreign-error.ts';
import { requestsOfWorkers } from '../ledger/observations.ts';
import { createDynamoDbClient, createTable } from '../ledger/table.ts';
import { createTokenStore } from '../ledger/token-store.ts';
import { createReportingService } from '../reporting-service/client.ts';
import { createTally, type Tally } from '../reporting-service/coverage.ts';
import { readCredentials } from '../reporting-service/tokens/credentials.ts';
import { createHttp } from '../reporting-service/requests/http.ts';
import { createTokenSource } from '../reporting-service/tokens/tokens.ts';
import { followDeliveries } from './observation/followed-batches.ts';
import { readBatch } from './observation/read.ts';
import { parseObserveRequest, type ObserveRequest, type ObserveResponse } from './protocol.ts';

const table = createTable(createDynamoDbClient(), tableName());
const secrets = inOwnWords(new SecretsManagerClient({}));
const spent = new Set<string>();

/** How much of a worker's time it begins items in, and after how much of it not even a retry is begun. */
const shareForItems = 0.5;
const shareForAttempts = 0.9;

/**
 * Reads the list of an account, or one batch of what it leads to, and leaves facts in the ledger; returns counts, or the reason why
 * nothing can be read. Throws a `TypeError` where the event is not such a request.
 */
export async function handler(event: unknown, context: Context): Promise<ObserveResponse> {
  const now = new Date();
  const tally = createTally();
  const request = parseObserveRequest(event);
  const { phase, batch } = request;
  const options = { ...connect(request.service, tally, context.getRemainingTimeInMillis()), tally, table, now };
  try {
    if (phase === 'read') return await readBatch(request, options);
    const { deliveries, batches } = await followDeliveries(request, options);
    return { deliveries, batches };
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    // A reason that an operator understands is returned: of what is thrown, the engine hands on the message alone.
    return { failure: { code: error.name, message: error.message } };
  } finally {
    await requestsOfWorkers.put(table, { ...request, now }, tally.coverage, `${phase}#${batch}#${randomUUID()}`);
  }
}

/** The worker's own connection to the service, which begins nothing that would outlast the worker. */
function connect(settings: ObserveRequest['service'], tally: Tally, remainingMs: number) {
  const timeoutMs = settings.timeout * 1000;
  const now = performance.now();
  const beginUntil = now + remainingMs * shareForItems;
  const deadline = Math.max(beginUntil, now + remainingMs * shareForAttempts - timeoutMs);
  const http = createHttp({ timeoutMs, concurrency: settings.concurrency, tally, deadline });
  const tokens = createTokenSource({
    settings,
    http,
    store: createTokenStore(table),
    readCredentials: () => readCredentials(secrets, secretName()),
    spent,
  });
  return { service: createReportingService({ settings, http, tokens, tally }), beginUntil };
}
