import type { DurableContext } from '@aws/durable-execution-sdk-js';
import { Temporal } from 'temporal-polyfill';
import {
  recordOrderOutcome,
  type OrderOutcome,
  recordAction,
  unnamedOperator,
  type ActionName,
} from '../../ledger/runs/actions.ts';
import { failureIn, isDone, type Declined, failureOf, isRefusal, retryUnexpected } from '../failure.ts';
import type { Dependencies } from '../dependencies.ts';
import { parseTrigger, type Trigger, runNamed } from '../trigger.ts';
import * as v from 'valibot';
import type { Configuration } from '../../domain/configuration/configuration.ts';
import { partsOfRunName, runName } from '../../domain/period.ts';
import { readPresentName } from '../../ledger/reports.ts';
import { readRun } from '../../ledger/runs/runs.ts';
import { expiresAfterMonths, type Table } from '../../ledger/table.ts';
import { dueOf } from '../../domain/schedule.ts';
import { requireReport, findNamedRun } from '../find-run.ts';

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
  let record = recordOfEvent(event);
  const recordOutcome = async (of: OrderRecord | null, outcome: OrderOutcome): Promise<void> => {
    if (of === null) return;
    const { report, key } = of;
    const noted = async () => {
      const name = await readPresentName(table, report.name, reports);
      await recordOrderOutcome(table, { name }, key, outcome);
    };
    await context.step('outcome', noted, retryUnexpected);
  };
  let trigger: Trigger;
  let result: T;
  try {
    trigger = parseTrigger(event, reports);
    if (record === null && isOrder(trigger)) {
      const order = trigger;
      const noted = () => recordUnnamedOrder(order, { configuration, table, now: Temporal.Now.instant() });
      record = {
        report: reportOfOrder(order),
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

/** The ledger's record of what an operator ordered. */
export interface OrderRecord {
  report: { name: string };
  key: string;
}

const name = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/));
const recordedEvent = v.union([
  v.object({ operation: name, report: name }),
  v.object({ operation: name, run: runNamed }),
]);

/**
 * The record that the operators' command made before it triggered the run function; `null` where the event names none. The
 * rest of the event may be wrong: an order that is refused for that has a record, too.
 */
export function recordOfEvent(event: unknown): OrderRecord | null {
  const parsed = v.safeParse(recordedEvent, event);
  if (!parsed.success) return null;
  return { report: reportOfOrder(parsed.output), key: parsed.output.operation };
}

/** Whether a trigger is an order: no schedule gave it. */
export function isOrder(trigger: Trigger): boolean {
  return trigger.action !== 'run' || trigger.trigger !== 'schedule';
}

/** The report that an order is about. */
export function reportOfOrder(of: { report: string } | { run: string }): { name: string } {
  return { name: 'report' in of ? of.report : (partsOfRunName(of.run)?.report ?? of.run) };
}

/** Records an order that came without the operators' command; who gave it is not known here. Returns the record's key. */
export async function recordUnnamedOrder(
  order: Trigger,
  { configuration, table, now }: { configuration: Configuration; table: Table; now: Temporal.Instant },
): Promise<string> {
  const run = await runOfOrder(order, { configuration, table, now });
  const action = { what: actionNameOf(order), by: unnamedOperator, at: now.toString() };
  const expiresAt = expiresAfterMonths(configuration.ledger.keepMonths, new Date(now.epochMilliseconds));
  const report = await readPresentName(table, reportOfOrder(order).name, configuration.reports);
  return await recordAction(table, { report }, { ...action, run }, expiresAt);
}

/** What an order is called in the ledger's record. */
export function actionNameOf(order: Trigger): ActionName {
  if (order.action !== 'run') return order.action;
  if (order.resendUnknown === true) return 'resend-unknown';
  return order.hold === true ? 'hold' : 'run';
}

/** The name of the run that an order is about. */
async function runOfOrder(
  order: Trigger,
  { configuration, table, now }: { configuration: Configuration; table: Table; now: Temporal.Instant },
): Promise<string> {
  if ('run' in order) return (await findNamedRun(table, configuration.reports, order.run))?.run ?? order.run;
  const report = requireReport(configuration, order.report);
  const { period } = dueOf(report, order.scheduledTime, now);
  return (await readRun(table, report.name, period))?.run ?? runName(report.name, period);
}
