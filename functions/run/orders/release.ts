import { releaseHeldRun } from '../../ledger/runs/runs.ts';
import { CodedError } from '../../domain/failures.ts';
import { readNamedRun } from '../find-run.ts';
import { refuseSealed, type Plan, type PlanOptions } from '../plan/plan.ts';
import type { ReleaseTrigger } from '../trigger.ts';

/**
 * Releases a held run: its kept digest goes to the subscribers it was planned with, and to nobody else. Throws a
 * `CodedError` where the run is not held.
 */
export async function releaseRun(trigger: ReleaseTrigger, options: PlanOptions): Promise<Plan> {
  const { configuration, table, execution, now } = options;
  const run = await readNamedRun(table, configuration.reports, trigger.run);
  const { report: name, period, intended, digest } = run;
  const plan = { run: run.run, report: name, period, intended, digest, begunAt: now.toString() };
  // This execution's own earlier write, whose answer was lost.
  if (run.withheld === undefined && run.released?.execution === execution) return plan;
  if (run.withheld !== 'held') {
    const next = run.state === 'done' ? '' : ' Use "run" to continue it.';
    throw new CodedError('not-held', `Run "${run.run}" is not held: it is ${run.state}.${next}`);
  }
  const { keepMonths } = configuration.ledger;
  refuseSealed(run.run, { known: true, plannedMs: Date.parse(run.plannedAt) }, { keepMonths, now });
  if (!(await releaseHeldRun(table, run, { execution, at: now.toString() }))) {
    throw new CodedError('not-held', `Run "${run.run}" is no longer held.`);
  }
  return plan;
}
