import type { DurableContext } from '@aws/durable-execution-sdk-js';
import { Temporal } from 'temporal-polyfill';
import { recordOrderOutcome, type OrderOutcome } from '../../ledger/runs/actions.ts';
import { failureIn, isDone, type Declined } from '../answer.ts';
import type { Dependencies } from '../dependencies.ts';
import { failureOf, isRefusal } from '../failure.ts';
import { retryUnexpected } from '../retry-unexpected.ts';
import { parseTrigger, type Trigger } from '../trigger.ts';
import { isOrder, recordOfEvent, recordUnnamedOrder, reportOfOrder, type OrderRecord } from './audit.ts';

/**
 * Has an event's trigger carried out, and answers what was done, or why it was refused or failed. Where an operator gave
 * it, the ledger's record of the order says what became of it. Throws what is written in the ledger nowhere, and what
 * nobody expected: only these fail an execution.
 */
export async function answerOrder<T>(
  event: unknown,
  context: DurableContext,
  { configuration, table }: Pick<Dependencies, 'configuration' | 'table'>,
  carryOut: (trigger: Trigger) => Promise<T>,
): Promise<T | Declined> {
  const { reports } = configuration;
  let record = recordOfEvent(event, reports);
  const recordOutcome = async (of: OrderRecord | null, outcome: OrderOutcome): Promise<void> => {
    if (of === null) return;
    const { report, key } = of;
    await context.step('outcome', () => recordOrderOutcome(table, report, key, outcome), retryUnexpected);
  };
  let trigger: Trigger;
  let result: T;
  try {
    trigger = parseTrigger(event, reports);
    if (record === null && isOrder(trigger)) {
      const order = trigger;
      const noted = () => recordUnnamedOrder(order, { configuration, table, now: Temporal.Now.instant() });
      record = {
        report: reportOfOrder(order, reports),
        key: await context.step('order', noted, retryUnexpected),
      };
    }
    result = await carryOut(trigger);
  } catch (error) {
    const failure = failureOf(error);
    const state = isRefusal(failure) ? 'refused' : 'failed';
    await recordOutcome(record, { state, error: failure });
    if (state === 'failed' && (record === null || failure.code === 'internal')) throw error;
    context.logger.info('The trigger was not carried out.', { state, code: failure.code });
    return { state, error: failure };
  }
  const failure = failureIn(result);
  await recordOutcome(
    record,
    failure === null ? { state: 'done', ...noteOn(trigger, result) } : { state: 'failed', error: failure },
  );
  return result;
}

/** That nothing is left to hold of a run that is done: it was sent before, or is skipped because it is empty. */
function noteOn(trigger: Trigger, result: unknown): Pick<OrderOutcome, 'note'> {
  const isLate = trigger.action === 'run' && trigger.hold === true && isDone(result);
  return isLate ? { note: 'Nothing was held: the run is done.' } : {};
}
