import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { Context } from 'aws-lambda';
import { secretName, tableName } from '../environment.ts';
import { inOwnWords } from '../foreign-error.ts';
import { putCoverage, putDeliveryList, putWait } from '../ledger/runs/collections.ts';
import { createDynamoDbClient, createTable } from '../ledger/table.ts';
import { createTokenStore } from '../ledger/token-store.ts';
import { createReportingService } from '../reporting-service/client.ts';
import { createTally, type Tally } from '../reporting-service/coverage.ts';
import { CredentialsError, readCredentials } from '../reporting-service/tokens/credentials.ts';
import { createHttp } from '../reporting-service/requests/http.ts';
import { TokenSource } from '../reporting-service/tokens/tokens.ts';
import { ListError, readDeliveries } from './list.ts';
import { parseCollectRequest, type CollectRequest, type CollectResponse } from './protocol.ts';
import { collectBatch } from './batch.ts';

const table = createTable(createDynamoDbClient(), tableName());
const secrets = inOwnWords(new SecretsManagerClient({}));
const spent = new Set<string>();

/** How much of a worker's time it begins items in, and after how much of it not even a retry is begun. */
const shareForItems = 0.5;
const shareForAttempts = 0.9;

/**
 * Collects one batch of one phase and leaves what it found in the ledger; returns counts, or the reason why nothing can
 * be collected. Throws a `TypeError` where the event is not a request to collect.
 */
export async function handler(event: unknown, context: Context): Promise<CollectResponse> {
  const request = parseCollectRequest(event);
  const now = new Date();
  const tally = createTally();
  const { service, beginUntil } = connect(request, tally, context.getRemainingTimeInMillis());
  try {
    if (request.phase !== 'list') {
      return await collectBatch(request, request.phase, { service, tally, table, beginUntil, now });
    }
    const list = await readDeliveries(service.deliveries(), request, tally);
    await putDeliveryList(table, { ...request, now }, list);
    return { asked: list.deliveries.length, left: null };
  } catch (error) {
    if (!(error instanceof ListError || error instanceof CredentialsError)) throw error;
    // A reason that an operator understands is returned: of what is thrown, the engine hands on the message alone.
    return { failure: { code: error.name, message: error.message } };
  } finally {
    await putCoverage(table, { ...request, now }, `${request.phase}#${request.batch}#${request.from}`, tally.coverage);
  }
}

/** The worker's own connection to the service, which begins nothing that would outlast the worker. */
function connect(request: CollectRequest, tally: Tally, remainingMs: number) {
  const settings = request.service;
  const timeoutMs = settings.timeout * 1000;
  const now = performance.now();
  const beginUntil = now + remainingMs * shareForItems;
  const deadline = Math.max(beginUntil, now + remainingMs * shareForAttempts - timeoutMs);
  const onWait = (wait: string | null): Promise<void> => putWait(table, { ...request, now: new Date() }, wait);
  const http = createHttp({ timeoutMs, concurrency: settings.concurrency, tally, deadline, onWait });
  const tokens = new TokenSource({
    settings,
    http,
    store: createTokenStore(table),
    readCredentials: () => readCredentials(secrets, secretName()),
    spent,
  });
  return { service: createReportingService({ settings, http, tokens, tally }), beginUntil };
}
