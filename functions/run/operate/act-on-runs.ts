import type { DurableContext } from '@aws/durable-execution-sdk-js';
import { Temporal } from 'temporal-polyfill';
import type { Dependencies } from '../dependencies.ts';
import { retryUnexpected } from '../retry-unexpected.ts';
import type { ReleaseTrigger, RunTrigger, Trigger } from '../trigger.ts';
import { discardRun, type Discarded } from './discard.ts';
import { sendTest, type Tested } from './send-test.ts';

/** What operators ask for that sends no run's messages: a test of the mail, and a discard. */
export async function actOnRuns(
  trigger: Exclude<Trigger, RunTrigger | ReleaseTrigger>,
  context: DurableContext,
  dependencies: Dependencies,
): Promise<Tested | Discarded> {
  if (trigger.action === 'test') {
    return await sendTest(trigger, context, { ...dependencies, now: Temporal.Now.instant() });
  }
  const execution = context.executionContext.durableExecutionArn;
  const discard = (): Promise<Discarded> =>
    discardRun(trigger, { ...dependencies, execution, now: Temporal.Now.instant() });
  return await context.step('discard', discard, retryUnexpected);
}
