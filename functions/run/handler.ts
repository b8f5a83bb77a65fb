import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics } from '@aws-lambda-powertools/metrics';
import { withDurableExecution, type DurableContext } from '@aws/durable-execution-sdk-js';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { SESClient } from '@aws-sdk/client-ses';
import { Temporal } from 'temporal-polyfill';
import configuration from 'virtual:configuration';
import * as templates from 'virtual:templates';
import {
  collectFunctionName,
  configurationSet,
  metricsNamespace,
  tableName,
  unsubscribeSecretName,
  unsubscribeUrl,
} from '../environment.ts';
import type { Digest } from '../digest.ts';
import { holdRun, readRun } from '../ledger/runs.ts';
import { createDynamoDbClient, createTable } from '../ledger/table.ts';
import { collect } from './collect.ts';
import { discardRun, type Discarded } from './discard.ts';
import { dispatchMessages, type Dispatch } from './dispatch.ts';
import { failureOf, RunError, type Failure } from './failure.ts';
import { failRun, finishRun, type Finished } from './finish.ts';
import { keepComposed } from './keep.ts';
import { openLeaveLinks, type LeaveLinks } from './leave-link.ts';
import { readPause, type Paused } from './pause.ts';
import { noteUnnamed } from './note.ts';
import { findReport, planRun, requireRun, type Plan } from './plan.ts';
import { fingerprintOf, releaseRun } from './release.ts';
import { createRenderer } from './render.ts';
import { planUnknownAgain } from './resend.ts';
import { retryUnexpected } from './retry.ts';
import { sendTest, type Tested } from './send-test.ts';
import { createSesClient } from './ses.ts';
import { settleUnknown } from './settle.ts';
import { listRuns, showRun, type Listed, type Shown } from './tell.ts';
import {
  parseTrigger,
  type DiscardTrigger,
  type ListTrigger,
  type ReleaseTrigger,
  type RunTrigger,
  type ShowTrigger,
  type TestTrigger,
} from './trigger.ts';

const table = createTable(createDynamoDbClient(), tableName());
const secrets = new SecretsManagerClient({});
const metrics = new Metrics({ namespace: metricsNamespace(), serviceName: 'run' });
const logger = new Logger({ serviceName: 'run' });
const render = createRenderer(templates);
const namesOfReports = configuration.reports.map(({ name }) => name);
let ses: SESClient | null = null;

/** What an execution returns. */
type Outcome = Finished | Paused | Discarded | Tested | Listed | Shown;

/**
 * One run, whatever triggers it: plan, collect, compose and keep, send, settle, receipt. Where the run already stands, it
 * goes on from there: one that has a digest asks the service nothing. Fails with the reason in its receipt. The schedule of
 * a paused report triggers nothing. What else operators ask of it, it answers here too.
 */
export const handler = withDurableExecution(async (event: unknown, context: DurableContext): Promise<Outcome> => {
  context.configureLogger({ customLogger: logger });
  ses?.destroy();
  ses = createSesClient();
  let plan: Plan | null = null;
  try {
    const trigger = parseTrigger(event, namesOfReports);
    if (trigger.action !== 'run' && trigger.action !== 'release') return await operate(trigger, context, ses);
    const pause = trigger.action === 'run' ? await pauseOf(trigger, context) : null;
    if (pause !== null) {
      context.logger.info('The report is paused: its schedule triggers nothing.', { ...pause });
      return pause;
    }
    const planned = await context.step('plan', () => planOf(trigger, context), retryUnexpected);
    plan = planned;
    return await carryOut(trigger, planned, context, ses);
  } catch (error) {
    const failure = failureOf(error);
    context.logger.error('The run failed.', { run: plan?.run, code: failure.code, error });
    if (plan !== null) await fail(plan, failure, context);
    throw RunError.of(failure);
  }
});

function pauseOf(trigger: RunTrigger, context: DurableContext): Promise<Paused | null> {
  return context.step('pause', () => readPause(trigger, { table, now: Temporal.Now.instant() }), retryUnexpected);
}

/** A release goes on with a run as it was planned; any other trigger plans. */
async function planOf(trigger: RunTrigger | ReleaseTrigger, context: DurableContext): Promise<Plan> {
  const now = Temporal.Now.instant();
  const execution = context.executionContext.durableExecutionArn;
  const plan =
    trigger.action === 'release'
      ? await releaseRun(trigger, { configuration, table, fingerprint, execution, now })
      : await planRun(trigger, { configuration, table, now });
  await noteUnnamed(table, trigger, plan, { now, keepMonths: configuration.ledger.keepMonths });
  return plan;
}

/** What operators ask for that sends no run's messages. */
async function operate(
  trigger: DiscardTrigger | TestTrigger | ListTrigger | ShowTrigger,
  context: DurableContext,
  ses: SESClient,
): Promise<Discarded | Tested | Listed | Shown> {
  const execution = context.executionContext.durableExecutionArn;
  const now = (): Temporal.Instant => Temporal.Now.instant();
  const options = { configuration, table, execution };
  switch (trigger.action) {
    case 'discard':
      return await context.step('discard', () => discardRun(trigger, { ...options, now: now() }), retryUnexpected);
    case 'test': {
      const collectFunction = collectFunctionName();
      const sending = { ses, configurationSet: configurationSet(), render, collectFunctionName: collectFunction };
      return await sendTest(trigger, context, { ...options, ...sending });
    }
    case 'list':
      return await context.step('list', () => listRuns(trigger, options), retryUnexpected);
    case 'show':
      return await context.step('show', () => showRun(trigger, options), retryUnexpected);
  }
}

function leaveLinks(): Promise<LeaveLinks> {
  return openLeaveLinks(secrets, { secretName: unsubscribeSecretName(), url: unsubscribeUrl() });
}

function fingerprint(digest: Digest): string {
  const report = findReport(configuration, digest.report);
  return fingerprintOf(render({ digest, report, mail: configuration.mail, canLeave: false }));
}

async function fail(plan: Plan, failure: Failure, context: DurableContext): Promise<void> {
  await context.step('fail', () => failRun(plan, failure, { table, metrics }), retryUnexpected);
}

async function carryOut(
  trigger: RunTrigger | ReleaseTrigger,
  plan: Plan,
  context: DurableContext,
  ses: SESClient,
): Promise<Finished> {
  const { dryRun = false, hold = false, resendUnknown = false } = trigger.action === 'run' ? trigger : {};
  const before = await context.step('where it stands', () => standOf(plan), retryUnexpected);
  if (!before.kept) {
    const collectFunction = collectFunctionName();
    const collection = await collect(context, plan, {
      configuration,
      table,
      collectFunctionName: collectFunction,
      noted: true,
    });
    const collectedAt = Temporal.Instant.from(collection.collectedAt);
    await context.step(
      'keep',
      () => keepComposed(plan, collection, { configuration, table, collectedAt, hold, fingerprint }),
      retryUnexpected,
    );
  }
  if (before.kept && hold) await context.step('hold', () => holdKept(plan), retryUnexpected);
  if (resendUnknown) {
    await context.step('plan unknown again', () => planUnknownAgain(table, plan.run, Date.now()), retryUnexpected);
  }
  const { withheld } = await context.step('what to send', () => standOf(plan), retryUnexpected);
  const nothing: Dispatch = { sentNow: 0, stopped: null };
  const sending = !dryRun && !hold && !withheld;
  const options = { configuration, table, ses, configurationSet: configurationSet(), render, leaveLinks };
  const dispatch = sending ? await dispatchMessages(context, plan, options) : nothing;
  if (sending) await settleUnknown(context, plan.run, table, configuration.mail.settleMinutes);
  // A run that was only kept is not done, whoever wanted it so.
  const finish = { table, metrics, dryRun: dryRun || hold };
  return await context.step('receipt', () => finishRun(plan, dispatch, finish), retryUnexpected);
}

async function holdKept({ report, period }: Plan): Promise<boolean> {
  return await holdRun(table, await requireRun(table, report, period));
}

/** Where a run stands: whether its digest is kept, and whether its messages are withheld. */
async function standOf({ report, period }: Plan): Promise<{ kept: boolean; withheld: boolean }> {
  const run = await readRun(table, report, period.startDate);
  return { kept: run?.digest !== undefined, withheld: run?.withheld !== undefined };
}
