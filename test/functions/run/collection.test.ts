import { expect, test } from 'vitest';
import { putDeliveryList } from '../../../functions/ledger/runs/collections.ts';
import { collect } from '../../../functions/run/collection.ts';
import { parseCollectRequest, type CollectRequest } from '../../../functions/collect/protocol.ts';
import { createSesClient } from '../../../functions/run/send/ses.ts';
import { listedDelivery, week } from './compose/collected-samples.ts';
import { replayExecution } from '../../support/aws/replayed-execution.ts';
import { openLedger } from '../ledger/open-ledger.ts';
import { configured, reportOf } from './configured.ts';
import { dependenciesOf } from './kept-run.ts';

const ledger = await openLedger();

/** Collects with a worker that answers so, which the run does not survive. Gives why, and the orders. */
async function collectBy(outcome: (order: CollectRequest) => unknown): Promise<{ error: unknown; orders: unknown[] }> {
  const configuration = configured({ service: { concurrency: 3 } });
  const dependencies = dependenciesOf({ configuration, table: ledger.table, ses: createSesClient() });
  const options = { ...dependencies, report: reportOf({ statuses: ['sent'] }), record: false };
  const plan = { run: 'weekly_2026-W46', report: 'weekly', period: week, intended: 0 };
  const orders: unknown[] = [];
  const invoke = (order: unknown): unknown => outcome(parseCollectRequest(orders[orders.push(order) - 1]));
  const collecting = replayExecution((context) => collect(context, plan, options), undefined, invoke);
  return { error: await collecting.catch((caught: unknown) => caught), orders };
}

test('the worker gets the settings that the run was planned with; where it dies five times at one place, the run fails', async () => {
  const { error, orders } = await collectBy(() => ({ failed: 'Task timed out after 900.00 seconds' }));
  const message = expect.stringContaining('"collect" died 5 times at the same place, "list"');
  expect(error).toMatchObject({ name: 'invocation-died', message });
  const service = expect.objectContaining({ baseUrl: 'https://reporting.example.com', concurrency: 3 });
  expect(orders).toEqual(Array(5).fill(expect.objectContaining({ phase: 'list', service, statuses: ['sent'] })));
});

test('where the list has more deliveries than a run holds, it fails before any is collected, with their number', async () => {
  const deliveries = Array.from({ length: 50_001 }, (_, index) => listedDelivery(`d${index}`, 'sent'));
  const { error, orders } = await collectBy(async (order) => {
    await putDeliveryList(ledger.table, { ...order, now: new Date() }, { rows: 50_001, deliveries });
    return { answer: { asked: 50_001, left: null } };
  });
  const message = expect.stringContaining('50001 deliveries, and a run holds 50000');
  expect([error, orders.length]).toEqual([expect.objectContaining({ name: 'account-too-large', message }), 1]);
});
