import type { DurableContext } from '@aws/durable-execution-sdk-js';
import { Temporal } from 'temporal-polyfill';
import * as actions from '../../ledger/runs/actions.ts';
import { step } from '../step.ts';
import { failureIn, type Declined, failureOf, isRefusal } from '../../domain/failures.ts';
import { parseTrigger, type Order, type Trigger } from '../trigger.ts';
import * as v from 'valibot';
import type { PlanOptions } from '../plan/plan.ts';
import { partsOfRunName, runName } from '../../domain/period.ts';
import { readPresentName } from '../../ledger/renamed-reports.ts';
import { readRun } from '../../ledger/runs/runs.ts';
import { recordExpires } from '../../ledger/retention.ts';
import { dueOf } from '../../domain/schedule.ts';

/**
 * Has an event's trigger carried out, and answers what was done, or why it was refused or failed. Where an operator gave
 * it, the ledger's record of the order says what became of it. Throws what is written in the ledger nowhere, and what
 * nobody expected: only these fail an execution.
 */
export async function answerOrder<T>(
  event: unknown,
  context: DurableContext,
  { configuration, table }: Pick<PlanOptions, 'configuration' | 'table'>,
  carryOut: (trigger: Trigger) => Promise<T>,
): Promise<T | Declined> {
  const { reports } = configuration;
  let record = recordOfEvent(event);
  const recordOutcome = async (outcome: actions.OrderOutcome): Promise<void> => {
    if (record === null) return;
    const { report, key } = record;
    const noted = async () =>
      await actions.recordOrderOutcome(table, { name: await readPresentName(table, report, reports) }, key, outcome);
    await step(context, 'outcome', noted);
  };
  let trigger: Trigger;
  let result: T;
  try {
    trigger = parseTrigger(event, reports);
    // Whatever no schedule gave is an order.
    if (record === null && trigger.action !== 'observe' && !('trigger' in trigger)) {
      const order = trigger;
      const noted = () => recordUnnamedOrder(order, { configuration, table, now: Temporal.Now.instant() });
      record = await step(context, 'order', noted);
    }
    result = await carryOut(trigger);
  } catch (error) {
    const failure = failureOf(error);
    const state = isRefusal(failure) ? 'refused' : 'failed';
    await recordOutcome({ state, error: failure });
    if (state === 'failed' && (record === null || failure.code === 'internal')) throw error;
    context.logger.info('The trigger was not carried out.', { state, code: failure.code });
    return { state, error: failure };
  }
  const failure = failureIn(result);
  await recordOutcome(
    failure === null ? { state: 'done', ...noteOn(trigger, result) } : { state: 'failed', error: failure },
  );
  return result;
}

/** That nothing is left to hold of a run that is done: it was sent before, or is skipped because it is empty. */
function noteOn(trigger: Trigger, result: unknown): Pick<actions.OrderOutcome, 'note'> {
  const isHold = trigger.action === 'run' && trigger.hold === true;
  const isDone = v.is(v.object({ state: v.literal('done') }), result);
  return isHold && isDone ? { note: 'Nothing was held: the run is done.' } : {};
}

const name = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/));
const recordedEvent = v.object({ operation: name, report: v.optional(name), run: v.optional(v.string(), '') });

/**
 * The record that the operators' command made before it triggered the run function; `null` where the event names none. The
 * rest of the event may be wrong: an order that is refused for that has a record, too.
 */
function recordOfEvent(event: unknown) {
  const parsed = v.safeParse(recordedEvent, event);
  if (!parsed.success) return null;
  const { operation: key, run, report = partsOfRunName(run)?.report } = parsed.output;
  return report === undefined ? null : { report, key };
}

async function recordUnnamedOrder(order: Order, { configuration, table, now }: Omit<PlanOptions, 'execution'>) {
  const { reports, ledger } = configuration;
  const action = { what: actionNameOf(order), by: actions.unnamedOperator, at: now.toString() };
  const expiresAt = recordExpires(ledger, new Date(now.epochMilliseconds));
  const meant =
    'run' in order
      ? partsOfRunName(order.run)
      : { report: order.report.name, period: dueOf(order.report, order.scheduledTime, now).period };
  if (meant === null) throw new TypeError('Expected the name of a run.');
  const report = await readPresentName(table, meant.report, reports);
  const run = (await readRun(table, report, meant.period))?.run ?? runName(meant.report, meant.period);
  return { report, key: await actions.recordAction(table, report, { ...action, run }, expiresAt) };
}

function actionNameOf(order: Order): actions.ActionName {
  if (order.action !== 'run') return order.action;
  if (order.resendUnknown === true) return 'resend-unknown';
  return order.hold === true ? 'hold' : 'run';
}
