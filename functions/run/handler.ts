import { Logger } from '@aws-lambda-powertools/logger';
import { withDurableExecution, type DurableContext } from '@aws/durable-execution-sdk-js';
import { Temporal } from 'temporal-polyfill';
import { retryUnknown } from '../ledger/runs/claims.ts';
import { bindNote, holdRun, requireRun } from '../ledger/runs/runs.ts';
import { whyMaybeRenamed } from '../ledger/renamed-reports.ts';
import type { Table } from '../ledger/table.ts';
import { composeAndStore, needOf } from './compose.ts';
import { openDependencies, type Dependencies } from './dependencies.ts';
import { step } from './step.ts';
import { CodedError, failureOf } from '../domain/failures.ts';
import { describeError } from '../foreign-error.ts';
import { answerOrder } from './orders/answer-order.ts';
import { discardRun } from './orders/discard.ts';
import { releaseRun } from './orders/release.ts';
import { sendTest } from './orders/test-mail.ts';
import { refuseDropped } from './kept-digest.ts';
import { settleUnknown } from './send/send-once.ts';
import { requireReport } from './find-run.ts';
import { observeDaily, observe } from './observe/observe.ts';
import { planRun, type NothingDone, type Plan } from './plan/plan.ts';
import { failRun, finishRun, type Finished } from './receipt/receipt.ts';
import { dispatchMessages, type Dispatch } from './send/dispatch.ts';
import type { ReleaseTrigger, RunTrigger } from './trigger.ts';

const logger = new Logger({ serviceName: 'run' });

/**
 * The durable function: the work on one report for one period, or what operators ask for beside it. A run whose failure is
 * in the ledger and an order that is refused are answers. What is recorded nowhere fails the execution, with a `CodedError`
 * whose name is a stable code.
 */
export const handler = withDurableExecution(async (event: unknown, context: DurableContext) => {
  context.configureLogger({ customLogger: logger });
  try {
    const dependencies = openDependencies();
    return await answerOrder(event, context, dependencies, async (trigger) => {
      if (trigger.action === 'observe') return await observeDaily(context, dependencies);
      if (trigger.action === 'test') return await sendTest(trigger, context, dependencies);
      if (trigger.action === 'discard') {
        const execution = context.executionContext.durableExecutionArn;
        const options = () => ({ ...dependencies, execution, now: Temporal.Now.instant() });
        return await step(context, 'discard', () => discardRun(trigger, options()));
      }
      return await runReport(trigger, context, dependencies);
    });
  } catch (error) {
    const failure = failureOf(error);
    context.logger.error('The execution failed.', { code: failure.code, error: describeError(error) });
    throw new CodedError(failure.code, failure.message);
  }
});

/**
 * One run, whatever triggers it: plan, collect, compose, send, receipt. It goes on from where the run is: one that has a
 * digest asks the service nothing. A failure is returned once it is in the run's receipt, and thrown where it cannot be. The
 * schedule of a report that is paused, off or not due triggers nothing, and a release goes on with the run as it was planned.
 */
export async function runReport(
  trigger: RunTrigger | ReleaseTrigger,
  context: DurableContext,
  dependencies: Dependencies,
): Promise<Finished | NothingDone> {
  const { configuration, isLocal, table } = dependencies;
  const { hold = false, resendUnknown = false } = trigger.action === 'run' ? trigger : {};

  const execution = context.executionContext.durableExecutionArn;
  const plan = await step<Plan | NothingDone>(context, 'plan', async () => {
    const options = { ...dependencies, execution, now: Temporal.Now.instant() };
    if (trigger.action === 'release') return await releaseRun(trigger, options);
    // On a laptop nobody is mailed.
    const renamed = isLocal ? null : await whyMaybeRenamed(table, trigger.report, configuration.reports);
    if (renamed !== null) throw new CodedError('renamed', renamed);
    return await planRun(trigger, options);
  });
  if (!('run' in plan)) {
    context.logger.info('The report is not on, or not due: its schedule triggers nothing.', { ...plan });
    return plan;
  }
  let finished: Finished;
  try {
    const report = trigger.action === 'run' ? trigger.report : requireReport(configuration, plan.report);
    const options = { ...dependencies, report };
    const { hasDigest, sinceMs } = await step(context, 'progress', () => readProgress(plan, table));
    if (!hasDigest) {
      const observation = await observe(context, needOf(report, plan, sinceMs), options);
      await step(context, 'compose', () => composeAndStore(plan, observation, { ...options, hold, now: new Date() }));
    } else if (hold) {
      await step(context, 'hold', async () => holdRun(table, plan));
    }
    if (resendUnknown) await step(context, 'retry unknown', () => retryUnknown(table, plan.run, execution, Date.now()));

    const { isWithheld } = await step(context, 'what to send', async () => {
      await bindNote(table, await requireRun(table, plan.report, plan.period));
      return await readProgress(plan, table);
    });
    let dispatch: Dispatch = { sentNow: 0, stopped: null };
    if (!hold && !isWithheld) {
      dispatch = await dispatchMessages(context, plan, options);
      await settleUnknown(context, plan.run, table, configuration.mail.settleMinutes);
    }

    const finish = { table, mayLeave: hold || plan.resends === true || plan.subscribers !== undefined };
    finished = await step(context, 'receipt', () =>
      finishRun(plan, dispatch, { ...finish, now: Temporal.Now.instant() }),
    );
  } catch (error) {
    const failure = failureOf(error);
    context.logger.error('The run failed.', { run: plan.run, code: failure.code, error: describeError(error) });
    const failed = await step(context, 'fail', () => failRun(plan, failure, { table, now: Temporal.Now.instant() }));
    if (failed === null) throw error;
    finished = failed;
  }
  const { run, state, balance } = finished;
  context.logger.info('The run ended.', { run, state, ...balance });
  return finished;
}

/**
 * How far a run is: whether it has a digest, and whether its messages are withheld. Throws a `CodedError` where the digest
 * that was released is gone: a release sends what an operator looked at, and never collects.
 */
async function readProgress(plan: Plan, table: Table) {
  const run = await requireRun(table, plan.report, plan.period);
  if (plan.digest !== undefined) refuseDropped(run, plan.digest);
  const { digest, withheld, discarded } = run;
  const sinceMs = discarded === undefined ? 0 : Date.parse(discarded.at);
  return { hasDigest: digest !== undefined, isWithheld: withheld !== undefined, sinceMs };
}
