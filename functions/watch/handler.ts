import { Logger } from '@aws-lambda-powertools/logger';
import { Temporal } from 'temporal-polyfill';
import configuration from 'virtual:configuration-without-addresses';
import { tableName } from '../environment.ts';
import { rekeyForgottenRows } from '../ledger/addresses/forgotten-rows.ts';
import { createDynamoDbClient, createTable } from '../ledger/table.ts';
import { inspectReport, type Findings } from './inspect.ts';

const table = createTable(createDynamoDbClient(), tableName());
const logger = new Logger({ serviceName: 'watch' });

/**
 * Checks every report for runs that are overdue or held too long and messages that are still unknown, and reports them for
 * operators to act on. All that it changes itself are the keys of rows whose address was forgotten.
 */
export async function handler(): Promise<void> {
  const now = Temporal.Now.instant();
  const findings: Findings[] = [];
  for (const report of configuration.reports) findings.push(await inspectReport(table, report, now));
  for (const { report, overdue, heldTooLong, unknown } of findings) {
    if (overdue !== null) logger.warn('A run is overdue.', { report, run: overdue });
    for (const run of heldTooLong) logger.warn('A run has been held for too long.', { report, run });
    for (const { run, messages } of unknown) logger.warn('Messages are still unknown.', { report, run, messages });
  }
  const { rekeyed } = await rekeyForgottenRows(table, now.epochMilliseconds);
  if (rekeyed > 0) logger.info('Rows of forgotten addresses have a new key.', { rows: rekeyed });
}
