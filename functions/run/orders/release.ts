import type { Temporal } from 'temporal-polyfill';
import type { ReportConfiguration } from '../../domain/configuration/configuration.ts';
import { readDigest } from '../../ledger/runs/digests.ts';
import { isCard, readMessages } from '../../ledger/runs/messages.ts';
import { releaseHeldRun, type Changed, type Run } from '../../ledger/runs/runs.ts';
import { readSubscribers } from '../../ledger/persons/members.ts';
import { openHashes } from '../../ledger/persons/persons.ts';
import type { Dependencies } from '../dependencies.ts';
import { RunError } from '../failure.ts';
import { readNamedRun, requireReport } from '../find-run.ts';
import { fingerprintOf } from '../kept-digest.ts';
import { refuseSealed, type Plan } from '../plan/plan.ts';
import type { ReleaseTrigger } from '../trigger.ts';

/**
 * Releases a held run: its kept digest goes to the subscribers it was planned with, and to nobody else. Records what has
 * changed since. Throws a `RunError` where the run is not held.
 */
export async function releaseRun(
  trigger: ReleaseTrigger,
  options: Dependencies & { execution: string; now: Temporal.Instant },
): Promise<Plan> {
  const { configuration, table, execution, now } = options;
  const run = await readNamedRun(table, configuration.reports, trigger.run);
  const { report: name, period, intended, digest } = run;
  const plan = { run: run.run, report: name, period, intended, digest, begunAt: now.toString() };
  // This execution's own earlier write, whose answer was lost.
  if (run.withheld === undefined && run.released?.execution === execution) return plan;
  if (run.withheld !== 'held') {
    const next = run.state === 'done' ? '' : ' Use "run" to continue it.';
    throw new RunError('not-held', `Run "${run.run}" is not held: it is ${run.state}.${next}`);
  }
  const { keepMonths } = configuration.ledger;
  refuseSealed(run.run, { known: true, plannedMs: Date.parse(run.plannedAt) }, { keepMonths, now });
  const report = requireReport(configuration, run.report);
  const changed = await findChanges(run, { ...options, report });
  if (!(await releaseHeldRun(table, run, { execution, at: now.toString(), changed }))) {
    throw new RunError('not-held', `Run "${run.run}" is no longer held.`);
  }
  return plan;
}

async function findChanges(run: Run, options: Dependencies & { report: ReportConfiguration }): Promise<Changed> {
  const { table, report } = options;
  const rows = await Array.fromAsync(readMessages(table, run.run));
  const planned = new Set(rows.flatMap((row) => (isCard(row) ? [] : row.id)));
  const subscribers = await readSubscribers(table, report, await openHashes(table));
  const now = new Set(subscribers.map(({ hash }) => hash));
  const { digest } = await readDigest(table, run.run, run.digest ?? '');
  return {
    subscribersAdded: [...now].filter((id) => !planned.has(id)).length,
    subscribersRemoved: [...planned].filter((id) => !now.has(id)).length,
    mail: run.mail === undefined ? null : run.mail !== fingerprintOf(digest, options),
  };
}
