import { countSent } from '../../ledger/runs/messages.ts';
import { discardKeptDigest, type Run } from '../../ledger/runs/runs.ts';
import type { Table } from '../../ledger/table.ts';
import { CodedError } from '../../domain/failures.ts';
import { readNamedRun } from '../find-run.ts';
import type { PlanOptions } from '../plan/plan.ts';
import type { DiscardTrigger } from '../trigger.ts';

/**
 * Drops the digest that a run has, so that the account is observed again when the run is triggered. Possible while nobody was sent
 * anything. Where the run changes between the look at it and the write, because it was released or begun to be sent, it is looked at
 * again, and what holds then counts. Throws a `CodedError` where there is nothing to drop, or it is too late.
 */
export async function discardRun({ run: name }: DiscardTrigger, { configuration, table, execution, now }: PlanOptions) {
  let meant: string | undefined;
  for (;;) {
    const run = await readNamedRun(table, configuration.reports, name);
    const dropped = { run: run.run, state: 'planned', discarded: true } as const;
    // This execution's own earlier write, whose answer was lost: what follows it is to be done all the same.
    if (run.discarded?.execution === execution) return dropped;
    const digest = (meant ??= run.digest);
    if (digest === undefined || run.digest !== digest) {
      const none = `Run "${run.run}" has no digest to discard: the next "run" collects again.`;
      const another = `The digest of run "${run.run}" was discarded meanwhile, and it has a new one.`;
      throw new CodedError('nothing-kept', run.digest === undefined ? none : another);
    }
    const tooLate = await whyTooLate(table, run);
    if (tooLate !== null) throw new CodedError('already-sent', tooLate);
    if (await discardKeptDigest(table, run, { execution, at: now.toString(), digest })) return dropped;
  }
}

/**
 * Why it is too late to discard a run's digest; `null` where it is not. A run that is being sent and has an error was given up by
 * the execution that sent it.
 */
export async function whyTooLate(table: Table, run: Run): Promise<string | null> {
  if (run.state === 'sending' && run.error === undefined)
    return `Run "${run.run}" cannot be discarded: it is being sent.`;
  const sent = await countSent(table, run.run);
  if (sent === 0) return null;
  return `Run "${run.run}" cannot be discarded: ${sent} of ${run.intended} messages were sent, or may have been.`;
}
