import type { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import type { Configuration } from '../../domain/configuration/configuration.ts';
import { partsOfRunName, runName } from '../../domain/period.ts';
import { namesFor, type ReportNames } from '../../domain/report-names.ts';
import { expiresAfterMonths, type Table } from '../../ledger/table.ts';
import { recordAction, unnamedOperator, type ActionName } from '../../ledger/runs/actions.ts';
import { dueOf } from '../../domain/schedule.ts';
import { requireReport } from '../find-report.ts';
import { findNamedRun, readRunOf } from '../find-run.ts';
import { runNamed, type Trigger } from '../trigger.ts';

/** The ledger's record of what an operator ordered. */
export interface OrderRecord {
  report: ReportNames;
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
export function recordOfEvent(event: unknown, reports: readonly ReportNames[]): OrderRecord | null {
  const parsed = v.safeParse(recordedEvent, event);
  if (!parsed.success) return null;
  return { report: reportOfOrder(parsed.output, reports), key: parsed.output.operation };
}

/** Whether a trigger is an order: no schedule gave it. */
export function isOrder(trigger: Trigger): boolean {
  return trigger.action !== 'run' || trigger.trigger !== 'schedule';
}

/** The names of the report that an order is about. */
export function reportOfOrder(of: { report: string } | { run: string }, reports: readonly ReportNames[]): ReportNames {
  return namesFor(reports, 'report' in of ? of.report : (partsOfRunName(of.run)?.report ?? of.run));
}

/** Records an order that came without the operators' command; who gave it is not known here. Returns the record's key. */
export async function recordUnnamedOrder(
  order: Trigger,
  { configuration, table, now }: { configuration: Configuration; table: Table; now: Temporal.Instant },
): Promise<string> {
  const run = await runOfOrder(order, { configuration, table, now });
  const action = { what: actionNameOf(order), by: unnamedOperator, at: now.toString() };
  const expiresAt = expiresAfterMonths(configuration.ledger.keepMonths, new Date(now.epochMilliseconds));
  const report = reportOfOrder(order, configuration.reports).name;
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
  return (await readRunOf(table, report, period))?.run ?? runName(report.name, period);
}
