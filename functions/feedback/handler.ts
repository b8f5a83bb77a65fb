import { Logger } from '@aws-lambda-powertools/logger';
import configuration from 'virtual:configuration-without-addresses' with { type: 'json' };
import { tableName } from '../environment.ts';
import { recordExpires } from '../ledger/retention.ts';
import { createDynamoDbClient, createTable } from '../ledger/table.ts';
import { parseSesEvent } from './parse-event.ts';
import { settleEvent } from './settle-event.ts';

const table = createTable(createDynamoDbClient(), tableName());
const logger = new Logger({ serviceName: 'feedback' });

/** Records one event of SES in the ledger. Throws where it cannot be read: EventBridge retries it, then keeps it for operators. */
export async function handler(event: unknown): Promise<void> {
  const sesEvent = parseSesEvent(event);
  if (sesEvent === null) {
    logger.info('An event for a message that no run sent.');
    return;
  }
  const now = new Date();
  const expiresAt = recordExpires(configuration.ledger, now);
  const outcome = await settleEvent(table, sesEvent, { at: now.toISOString(), expiresAt });
  const { run, id } = sesEvent.origin;
  logger.info('An event of SES.', { run, messageRow: id, kind: sesEvent.fact.kind, outcome });
}
