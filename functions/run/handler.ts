import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics } from '@aws-lambda-powertools/metrics';
import { withDurableExecution, type DurableContext } from '@aws/durable-execution-sdk-js';
import type { SESClient } from '@aws-sdk/client-ses';
import { Temporal } from 'temporal-polyfill';
import configuration from 'virtual:configuration';
import * as templates from 'virtual:templates';
import { collectFunctionName, tableName } from '../environment.ts';
import { readRun } from '../ledger/runs.ts';
import { createDynamoDbClient, createTable } from '../ledger/table.ts';
import { collect } from './collect.ts';
import { dispatchMessages, type Dispatch } from './dispatch.ts';
import { failureOf, RunError, type Failure } from './failure.ts';
import { failRun, finishRun, type Finished } from './finish.ts';
import { keepComposed } from './keep.ts';
import { planRun, type Plan } from './plan.ts';
import { createRenderer } from './render.ts';
import { retryUnexpected } from './retry.ts';
import { createSesClient } from './ses.ts';
import { settleUnknown } from './settle.ts';
import { parseTrigger, type Trigger } from './trigger.ts';

const table = createTable(createDynamoDbClient(), tableName());
const metrics = new Metrics({ namespace: 'BroadcastDigest', serviceName: 'run' });
const logger = new Logger({ serviceName: 'run' });
const render = createRenderer(templates);
let ses: SESClient | null = null;

/**
 * One run, whatever triggers it: plan, collect, compose and keep, send, settle, receipt. Where the run already stands, it
 * goes on from there: one that has a digest asks the service nothing. Fails with the reason in its receipt.
 */
export const handler = withDurableExecution(async (event: unknown, context: DurableContext): Promise<Finished> => {
  context.configureLogger({ customLogger: logger });
  ses?.destroy();
  ses = createSesClient();
  let plan: Plan | null = null;
  try {
    const trigger = parseTrigger(event);
    const planned = await context.step(
      'plan',
      () => planRun(trigger, { configuration, table, now: Temporal.Now.instant() }),
      retryUnexpected,
    );
    plan = planned;
    return await carryOut(trigger, planned, context, ses);
  } catch (error) {
    const failure = failureOf(error);
    context.logger.error('The run failed.', { run: plan?.run, code: failure.code, error });
    if (plan !== null) await fail(plan, failure, context);
    throw RunError.of(failure);
  }
});

async function fail(plan: Plan, failure: Failure, context: DurableContext): Promise<void> {
  await context.step('fail', () => failRun(plan, failure, { table, metrics }), retryUnexpected);
}

async function carryOut(trigger: Trigger, plan: Plan, context: DurableContext, ses: SESClient): Promise<Finished> {
  const before = await context.step('where it stands', () => standOf(plan), retryUnexpected);
  if (!before.kept) {
    const collectFunction = collectFunctionName();
    const collection = await collect(context, plan, { configuration, table, collectFunctionName: collectFunction });
    const collectedAt = Temporal.Instant.from(collection.collectedAt);
    await context.step(
      'keep',
      () => keepComposed(plan, collection, { configuration, table, collectedAt }),
      retryUnexpected,
    );
  }
  const dryRun = trigger.dryRun ?? false;
  const { withheld } = await context.step('what to send', () => standOf(plan), retryUnexpected);
  const nothing: Dispatch = { sentNow: 0, stopped: null };
  const sending = !dryRun && !withheld;
  const dispatch = sending ? await dispatchMessages(context, plan, { configuration, table, ses, render }) : nothing;
  if (sending) await settleUnknown(context, plan.run, table, configuration.mail.settleMinutes);
  return await context.step('receipt', () => finishRun(plan, dispatch, { table, metrics, dryRun }), retryUnexpected);
}

/** Where a run stands: whether its digest is kept, and whether its messages are withheld. */
async function standOf({ report, period }: Plan): Promise<{ kept: boolean; withheld: boolean }> {
  const run = await readRun(table, report, period.startDate);
  return { kept: run?.digest !== undefined, withheld: run?.withheld !== undefined };
}
