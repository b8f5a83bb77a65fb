import type { DurableContext } from '@aws/durable-execution-sdk-js';
import { Temporal } from 'temporal-polyfill';
import type { Digest } from '../domain/digest.ts';
import { holdRun } from '../ledger/runs/runs.ts';
import { collect } from './collect/collect.ts';
import { dispatchMessages, type Dispatch } from './send/dispatch.ts';
import { finishRun, type Finished } from './receipt/finish.ts';
import { composeAndStore } from './compose/store-digest.ts';
import { recordUnnamedOperator } from './operate/audit.ts';
import { waitUntilOver } from './plan/period-over.ts';
import { findReport, periodMeant, planRun, refuseDropped, requireRun, type Plan } from './plan/plan.ts';
import { fingerprintOf, releaseRun } from './operate/release.ts';
import { retryUnknown } from './operate/retry-unknown.ts';
import { retryUnexpected } from './retry-unexpected.ts';
import { settleUnknown } from './send/settle.ts';
import type { Dependencies } from './dependencies.ts';
import type { ReleaseTrigger, RunTrigger } from './trigger.ts';

/** Plans what a trigger means. A release goes on with a run as it was planned. */
export async function planTriggered(
  trigger: RunTrigger | ReleaseTrigger,
  execution: string,
  dependencies: Dependencies,
): Promise<Plan> {
  const { configuration, table } = dependencies;
  const now =
    trigger.action === 'run' ? await waitUntilOver(periodMeant(trigger, configuration)) : Temporal.Now.instant();
  const fingerprint = fingerprintWith(dependencies);
  const plan =
    trigger.action === 'release'
      ? await releaseRun(trigger, { configuration, table, fingerprint, execution, now })
      : await planRun(trigger, { configuration, table, now });
  await recordUnnamedOperator(table, trigger, plan, { now, keepMonths: configuration.ledger.keepMonths });
  return plan;
}

/**
 * Carries out a planned run from where it stands: collect, compose and keep, send, settle, receipt. A run that has a
 * digest asks the service nothing.
 */
export async function carryOut(
  trigger: RunTrigger | ReleaseTrigger,
  plan: Plan,
  context: DurableContext,
  dependencies: Dependencies,
): Promise<Finished> {
  const { configuration, table, metrics } = dependencies;
  const { dryRun = false, hold = false, resendUnknown = false } = trigger.action === 'run' ? trigger : {};
  const before = await context.step('where it stands', () => readProgress(plan, dependencies), retryUnexpected);
  if (!before.kept) await collectAndKeep(plan, hold, context, dependencies);
  if (before.kept && hold) await context.step('hold', () => holdKept(plan, dependencies), retryUnexpected);
  if (resendUnknown) {
    await context.step('plan unknown again', () => retryUnknown(table, plan.run, Date.now()), retryUnexpected);
  }
  const { withheld } = await context.step('what to send', () => readProgress(plan, dependencies), retryUnexpected);
  const sending = !dryRun && !hold && !withheld;
  const nothing: Dispatch = { sentNow: 0, stopped: null };
  const dispatch = sending ? await dispatchMessages(context, plan, dependencies) : nothing;
  if (sending) await settleUnknown(context, plan.run, table, configuration.mail.settleMinutes);
  // A run that was only kept is not done, whoever wanted it so.
  const finish = () =>
    finishRun(plan, dispatch, { table, metrics, dryRun: dryRun || hold, now: Temporal.Now.instant() });
  return await context.step('receipt', finish, retryUnexpected);
}

async function collectAndKeep(
  plan: Plan,
  hold: boolean,
  context: DurableContext,
  dependencies: Dependencies,
): Promise<void> {
  const { configuration, table, collectFunctionName } = dependencies;
  const collection = await collect(context, plan, { configuration, table, collectFunctionName, noted: true });
  const collectedAt = Temporal.Instant.from(collection.collectedAt);
  const options = { configuration, table, collectedAt, hold, fingerprint: fingerprintWith(dependencies) };
  await context.step('keep', () => composeAndStore(plan, collection, options), retryUnexpected);
}

/** What tells one look of a digest's mail from another. */
function fingerprintWith({ configuration, render }: Dependencies): (digest: Digest) => string {
  const { mail } = configuration;
  return (digest) =>
    fingerprintOf(render({ digest, report: findReport(configuration, digest.report), mail, canUnsubscribe: false }));
}

async function holdKept({ report, period }: Plan, { table }: Dependencies): Promise<boolean> {
  return await holdRun(table, await requireRun(table, report, period));
}

/**
 * Where a run stands: whether its digest is kept, and whether its messages are withheld. Throws a `RunError` where the
 * digest that was released is not there any more: a release sends what an operator looked at, and never collects.
 */
async function readProgress(plan: Plan, { table }: Dependencies): Promise<{ kept: boolean; withheld: boolean }> {
  const run = await requireRun(table, plan.report, plan.period);
  if (plan.digest !== undefined) refuseDropped(run, plan.digest);
  return { kept: run.digest !== undefined, withheld: run.withheld !== undefined };
}
