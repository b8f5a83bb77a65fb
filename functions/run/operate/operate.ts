import type { DurableContext } from '@aws/durable-execution-sdk-js';
import { Temporal } from 'temporal-polyfill';
import { discardRun, type Discarded } from './discard.ts';
import { retryUnexpected } from '../retry-unexpected.ts';
import { sendTest, type Tested } from './send-test.ts';
import { listRuns, showRun, type Listed, type Shown } from './list-runs.ts';
import type { Dependencies } from '../dependencies.ts';
import type { DiscardTrigger, ListTrigger, ShowTrigger, TestTrigger } from '../trigger.ts';

/** What operators ask for that sends no run's messages: discard, list, show, and a test of the mail. */
export async function operate(
  trigger: DiscardTrigger | TestTrigger | ListTrigger | ShowTrigger,
  context: DurableContext,
  dependencies: Dependencies,
): Promise<Discarded | Tested | Listed | Shown> {
  const options = { ...dependencies, execution: context.executionContext.durableExecutionArn };
  if (trigger.action === 'test') return await sendTest(trigger, context, options);
  if (trigger.action === 'list') return await context.step('list', () => listRuns(trigger, options), retryUnexpected);
  if (trigger.action === 'show') return await context.step('show', () => showRun(trigger, options), retryUnexpected);
  const discard = (): Promise<Discarded> => discardRun(trigger, { ...options, now: Temporal.Now.instant() });
  return await context.step('discard', discard, retryUnexpected);
}
