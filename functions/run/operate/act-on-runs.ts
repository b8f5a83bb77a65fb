import type { DurableContext } from '@aws/durable-execution-sdk-js';
import { Temporal } from 'temporal-polyfill';
import type { Dependencies } from '../dependencies.ts';
import { retryUnexpected } from '../retry-unexpected.ts';
import type { ReleaseTrigger, RunTrigger, Trigger } from '../trigger.ts';
import { discardRun, type Discarded } from './discard.ts';
import { listRuns, showRun, type Listed, type ShownRun } from './list-runs.ts';
import { sendTest, type Tested } from './send-test.ts';

/** What operators ask for that sends no run's messages: a test of the mail, a discard, and what the ledger knows of runs. */
export async function actOnRuns(
  trigger: Exclude<Trigger, RunTrigger | ReleaseTrigger>,
  context: DurableContext,
  dependencies: Dependencies,
): Promise<Tested | Discarded | Listed | ShownRun> {
  const step = <T>(name: string, work: () => Promise<T>): Promise<T> => context.step(name, work, retryUnexpected);
  if (trigger.action === 'test') {
    return await sendTest(trigger, context, { ...dependencies, now: Temporal.Now.instant() });
  }
  if (trigger.action === 'list') return await step('list', () => listRuns(trigger, dependencies));
  if (trigger.action === 'show') return await step('show', () => showRun(trigger, dependencies));
  const execution = context.executionContext.durableExecutionArn;
  const discard = (): Promise<Discarded> =>
    discardRun(trigger, { ...dependencies, execution, now: Temporal.Now.instant() });
  return await step('discard', discard);
}
