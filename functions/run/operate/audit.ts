import type { Temporal } from 'temporal-polyfill';
import { recordAction, unnamedOperator, type ActionName } from '../../ledger/runs/actions.ts';
import { expiresAfterMonths } from '../../ledger/expiry.ts';
import type { Table } from '../../ledger/table.ts';
import type { ReleaseTrigger, RunTrigger } from '../trigger.ts';

/**
 * Records what an operator ordered without the operators' command, which has recorded it already and passes the record's key.
 * Who it was is not known here.
 */
export async function recordUnnamedOperator(
  table: Table,
  trigger: RunTrigger | ReleaseTrigger,
  { run, report }: { run: string; report: string },
  { now, keepMonths }: { now: Temporal.Instant; keepMonths: number },
): Promise<void> {
  if (trigger.operation !== undefined || (trigger.action === 'run' && trigger.trigger === 'schedule')) return;
  const action = { what: actionNameOf(trigger), by: unnamedOperator, at: now.toString(), run };
  await recordAction(table, { report }, action, expiresAfterMonths(keepMonths, new Date(now.epochMilliseconds)));
}

/** What a trigger is called in the ledger's record. */
export function actionNameOf(trigger: RunTrigger | ReleaseTrigger): ActionName {
  if (trigger.action === 'release') return 'release';
  if (trigger.resendUnknown === true) return 'resend-unknown';
  return trigger.hold === true ? 'hold' : 'run';
}
