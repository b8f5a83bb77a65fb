import type { Temporal } from 'temporal-polyfill';
import type { Configuration } from '../../domain/configuration/configuration.ts';
import { recordReportSeen } from '../../ledger/reports.ts';
import type { Table } from '../../ledger/table.ts';
import { requireReport } from '../find-run.ts';
import type { RunTrigger } from '../trigger.ts';

/** What an execution returns that a paused report's schedule triggered: nothing was done. */
export interface Paused {
  report: string;
  paused: { at: string; by: string };
}

/**
 * The pause that a trigger meets, `null` where it meets none: a report that is paused is not run by its schedule, but by
 * an operator who asks for it. The pause is a flag in the ledger, because a deployment would undo a disabled schedule.
 */
export async function readReportPause(
  { trigger, report }: Pick<RunTrigger, 'trigger' | 'report'>,
  { configuration, table, now }: { configuration: Configuration; table: Table; now: Temporal.Instant },
): Promise<Paused | null> {
  if (trigger !== 'schedule') return null;
  const { pausedAt, pausedBy } = await recordReportSeen(table, requireReport(configuration, report), now.toString());
  return pausedAt === undefined ? null : { report, paused: { at: pausedAt, by: pausedBy ?? '' } };
}
