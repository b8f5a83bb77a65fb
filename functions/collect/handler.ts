import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { Context } from 'aws-lambda';
import configuration from 'virtual:configuration';
import { secretName, tableName } from '../environment.ts';
import { putCoverage, putFound, readWork, type Found, type Pass, type Work } from '../ledger/collections.ts';
import { createDynamoDbClient, createTable } from '../ledger/table.ts';
import { createTokenShelf } from '../ledger/tokens.ts';
import { createReportingService, type ReportingService } from '../reporting-service/client.ts';
import { createTally, type Tally } from '../reporting-service/coverage.ts';
import { readCredentials } from '../reporting-service/credentials.ts';
import { createGate } from '../reporting-service/gate.ts';
import { createHttp } from '../reporting-service/http.ts';
import { createTokenSource } from '../reporting-service/tokens.ts';
import { workThrough } from './batch.ts';
import { collectBroadcast } from './broadcasts.ts';
import { collectContent } from './contents.ts';
import { collectList } from './list.ts';
import { collectRecipients } from './recipients.ts';
import { parseOrder, type CollectAnswer, type Order } from './order.ts';

const table = createTable(createDynamoDbClient(), tableName());
const secrets = new SecretsManagerClient({});

/**
 * Collects one batch of one pass and leaves what it found in the ledger; returns counts. Throws where the order is wrong,
 * where the credentials are missing or refused, and where the list cannot be had.
 */
export async function handler(event: unknown, context: Context): Promise<CollectAnswer> {
  const order = parseOrder(event);
  const tally = createTally();
  const service = connect(order, tally);
  try {
    if (order.pass === 'list') {
      const report = configuration.reports.find((configured) => configured.name === order.report);
      if (report === undefined) throw new TypeError('The order names a report that is not configured.');
      return { pass: 'list', ...(await collectList({ service, tally, table, key: order, report })) };
    }
    return await collectBatch(order, order.pass, service, tally, context);
  } finally {
    await putCoverage(table, order, `${order.pass}#${order.batch}#${order.from}`, tally.coverage);
  }
}

function connect(order: Order, tally: Tally): ReportingService {
  const settings = configuration.service;
  const gate = createGate(order.concurrency);
  const http = createHttp({ timeoutMs: settings.timeout * 1000, gate, tally });
  const tokens = createTokenSource({
    settings,
    http,
    shelf: createTokenShelf(table),
    readCredentials: () => readCredentials(secrets, secretName()),
  });
  return createReportingService({ settings, http, tokens, tally });
}

/** Half of the time a worker has is for beginning requests, the other half for those that are retried. */
function deadlineOf(context: Context): number {
  return Date.now() + context.getRemainingTimeInMillis() / 2;
}

/** The items of one batch of a pass; each pass has its own collector. */
async function collectBatch(
  order: Order,
  pass: Pass,
  service: ReportingService,
  tally: Tally,
  context: Context,
): Promise<CollectAnswer> {
  const { window } = order;
  const { ratingFilter } = configuration.service;
  const at = { order, deadline: deadlineOf(context) };
  if (pass === 'recipients') {
    return await workBatch(at, pass, (item) => collectRecipients(item, { service, tally, window }));
  }
  if (pass === 'broadcasts') return await workBatch(at, pass, (item) => collectBroadcast(item, { service, window }));
  return await workBatch(at, pass, (item) => collectContent(item, { service, tally, window, ratingFilter }));
}

async function workBatch<P extends Pass>(
  { order, deadline }: { order: Order; deadline: number },
  pass: P,
  collectItem: (item: Work<P>) => Promise<Found<P>>,
): Promise<CollectAnswer> {
  const { batch, from, concurrency } = order;
  const work = await readWork(table, order, pass, batch);
  const { results, next } = await workThrough(work, { from, width: concurrency, deadline }, collectItem);
  await putFound(table, order, pass, { batch, from }, results);
  return { pass, asked: results.length, next };
}
