import { randomUUID } from 'node:crypto';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { Context } from 'aws-lambda';
import { secretName, tableName } from '../environment.ts';
import { inOwnWords } from '../foreign-error.ts';
import { putRequests } from '../ledger/observations.ts';
import { putCoverage, putDeliveryList, putWait } from '../ledger/runs/collections.ts';
import { createDynamoDbClient, createTable } from '../ledger/table.ts';
import { createTokenStore } from '../ledger/token-store.ts';
import { createReportingService } from '../reporting-service/client.ts';
import { createTally, type Tally } from '../reporting-service/coverage.ts';
import { CredentialsError, readCredentials } from '../reporting-service/tokens/credentials.ts';
import { createHttp } from '../reporting-service/requests/http.ts';
import { TokenSource } from '../reporting-service/tokens/tokens.ts';
import { ListError, readDeliveries } from './list.ts';
import { planObservation } from './observation/plan.ts';
import { readBatch } from './observation/read.ts';
import {
  isObserveRequest,
  parseCollectRequest,
  parseObserveRequest,
  type CollectRequest,
  type CollectResponse,
  type FailureResponse,
  type ObserveRequest,
  type ObserveResponse,
} from './protocol.ts';
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
export async function handler(event: unknown, context: Context): Promise<CollectResponse | ObserveResponse> {
  const now = new Date();
  const tally = createTally();
  const remainingMs = context.getRemainingTimeInMillis();
  if (isObserveRequest(event)) return await observe(parseObserveRequest(event), { tally, remainingMs, now });
  const request = parseCollectRequest(event);
  const onWait = (wait: string | null): Promise<void> => putWait(table, { ...request, now: new Date() }, wait);
  const { service, beginUntil } = connect(request.service, tally, remainingMs, onWait);
  try {
    if (request.phase !== 'list') {
      return await collectBatch(request, request.phase, { service, tally, table, beginUntil, now });
    }
    const list = await readDeliveries(service.deliveries(), request, tally);
    await putDeliveryList(table, { ...request, now }, list);
    return { asked: list.deliveries.length, left: null };
  } catch (error) {
    return failureOf(error);
  } finally {
    await putCoverage(table, { ...request, now }, `${request.phase}#${request.batch}#${request.from}`, tally.coverage);
  }
}

/** A reason that an operator understands is returned: of what is thrown, the engine hands on the message alone. */
function failureOf(error: unknown): FailureResponse {
  if (!(error instanceof ListError || error instanceof CredentialsError)) throw error;
  return { failure: { code: error.name, message: error.message } };
}

/** The same for an observation: the list, or one batch of what it leads to. */
async function observe(
  request: ObserveRequest,
  { tally, remainingMs, now }: { tally: Tally; remainingMs: number; now: Date },
): Promise<ObserveResponse> {
  const { phase, batch } = request;
  const { service, beginUntil } = connect(request.service, tally, remainingMs);
  const options = { service, tally, table, beginUntil, now };
  try {
    if (phase === 'read') return await readBatch(request, options);
    const { deliveries, batches } = await planObservation(request, options);
    return { deliveries, batches };
  } catch (error) {
    return failureOf(error);
  } finally {
    await putRequests(table, { ...request, now }, `${phase}#${batch}#${randomUUID()}`, tally.coverage);
  }
}

/** The worker's own connection to the service, which begins nothing that would outlast the worker. */
function connect(
  settings: CollectRequest['service'],
  tally: Tally,
  remainingMs: number,
  onWait?: (wait: string | null) => Promise<void>,
) {
  const timeoutMs = settings.timeout * 1000;
  const now = performance.now();
  const beginUntil = now + remainingMs * shareForItems;
  const deadline = Math.max(beginUntil, now + remainingMs * shareForAttempts - timeoutMs);
  const waits = onWait === undefined ? {} : { onWait };
  const http = createHttp({ timeoutMs, concurrency: settings.concurrency, tally, deadline, ...waits });
  const tokens = new TokenSource({
    settings,
    http,
    store: createTokenStore(table),
    readCredentials: () => readCredentials(secrets, secretName()),
    spent,
  });
  return { service: createReportingService({ settings, http, tokens, tally }), beginUntil };
}
