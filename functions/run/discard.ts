import type { Temporal } from 'temporal-polyfill';
import type { Configuration } from '../configuration.ts';
import { readDigest } from '../ledger/digests.ts';
import { expiresAfterMonths } from '../ledger/expiry.ts';
import { dropFigures } from '../ledger/figures.ts';
import { readMessages } from '../ledger/messages.ts';
import { discardKeptDigest, readRunsFrom, type Run } from '../ledger/runs.ts';
import { unrecordShown } from '../ledger/shown.ts';
import type { Table } from '../ledger/table.ts';
import { namesFor, type ReportNames } from '../report-names.ts';
import { RunError } from './failure.ts';
import { tellLaterDigests } from './keep.ts';
import { readNamedRun } from './named-run.ts';
import type { DiscardTrigger } from './trigger.ts';

/** What an execution returns that dropped a run's digest. */
export interface Discarded {
  run: string;
  state: 'planned';
  discarded: true;
}

/**
 * Drops a run's digest, with the figures and the marks that later digests go by, so that the run collects anew when it is
 * triggered. Possible while nobody was sent anything. Throws a `RunError` where there is nothing to drop, or it is too late.
 */
export async function discardRun(
  trigger: DiscardTrigger,
  options: { configuration: Configuration; table: Table; execution: string; now: Temporal.Instant },
): Promise<Discarded> {
  const { configuration, table, execution, now } = options;
  const run = await readNamedRun(table, configuration.reports, trigger.run);
  // Where this execution dropped it already and its answer was lost, what follows is to be done all the same.
  const droppedBefore = run.discarded?.execution === execution;
  const digest = droppedBefore ? run.discarded?.digest : run.digest;
  if (digest === undefined) {
    throw new RunError('nothing-kept', `Run "${run.run}" has no digest to drop: when it is triggered, it collects.`);
  }
  if (!droppedBefore) await drop(run, digest, { table, execution, at: now.toString() });
  const expiresAt = expiresAfterMonths(configuration.ledger.keepMonths);
  await forgetFigures(run, digest, { table, report: namesFor(configuration.reports, run.report), expiresAt });
  return { run: run.run, state: 'planned', discarded: true };
}

async function drop(
  run: Run,
  digest: string,
  { table, execution, at }: { table: Table; execution: string; at: string },
): Promise<void> {
  let sent = 0;
  for await (const { state } of readMessages(table, run.run)) if (state === 'claimed' || state === 'sent') sent += 1;
  if (sent > 0) {
    const message = `Run "${run.run}" cannot be dropped: ${sent} of ${run.intended} messages were sent, or may have been.`;
    throw new RunError('already-sent', message);
  }
  if (!(await discardKeptDigest(table, run, { execution, at, digest }))) {
    throw new RunError('already-sent', `Run "${run.run}" cannot be dropped: it is being sent.`);
  }
}

/** What later digests said of the same things, and what this run's own next digest may have said meanwhile, is noted again. */
async function forgetFigures(
  run: Run,
  id: string,
  { table, report, expiresAt }: { table: Table; report: ReportNames; expiresAt: number },
): Promise<void> {
  const { startDate } = run.period;
  const { shown } = await readDigest(table, run.run, id);
  await dropFigures(table, run.report, startDate);
  await unrecordShown(table, run.report, Object.keys(shown), startDate);
  for (const later of await readRunsFrom(table, report, startDate)) {
    if (later.digest !== undefined) await tellLaterDigests(table, later, later.digest, expiresAt);
  }
}
