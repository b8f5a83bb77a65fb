import type { ReportConfiguration } from '../../functions/domain/configuration/configuration.ts';
import { markOptedOut, messageKey, readMessages, type MessageRow } from '../../functions/ledger/runs/messages.ts';
import { readDigest } from '../../functions/ledger/runs/digests.ts';
import { releaseHeldRun, runKey, type PeriodKey, type Run } from '../../functions/ledger/runs/runs.ts';
import type { Table } from '../../functions/ledger/table.ts';
import { isHeldByReport } from '../../functions/run/compose/store-digest.ts';
import { readRunOf } from '../../functions/run/find-run.ts';
import { readOptOuts } from '../../functions/run/send/opt-outs.ts';

/** Removes a run and its messages from a copy of the ledger, so that a dry run plans and collects it anew. */
export async function forgetRun(table: Table, run: Run): Promise<void> {
  const ids: string[] = [];
  for await (const { id } of readMessages(table, run.run)) ids.push(id);
  for (const id of ids) await table.remove(messageKey(run.run, id));
  await table.remove(runKey(run));
}

/**
 * A dry run was held, so that nothing is sent. Leaves the run in a copy of the ledger as it would be right before sending: held
 * only where the report's settings hold it, and without those who get no mail.
 */
export async function stopBeforeSending(table: Table, report: ReportConfiguration, period: PeriodKey): Promise<void> {
  const run = await readRunOf(table, report, period);
  if (run?.digest === undefined || run.withheld !== 'held') return;
  const { digest } = await readDigest(table, run.run, run.digest);
  if (isHeldByReport(report, digest)) return;
  const released = { execution: 'dry-run', at: digest.collectedAt, changed: unchanged };
  await releaseHeldRun(table, run, released);
  const rows: MessageRow[] = [];
  for await (const row of readMessages(table, run.run)) rows.push(row);
  for (const [id, state] of await readOptOuts(table, report, rows)) await markOptedOut(table, run.run, id, state);
}

const unchanged = { subscribersAdded: 0, subscribersRemoved: 0, mail: false };
