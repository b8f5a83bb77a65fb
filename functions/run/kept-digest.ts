import { withNote, type Digest } from '../digest/schema.ts';
import type { LinkedDigest } from '../ledger/page-links.ts';
import { hasOlderDigest, readDigest } from '../ledger/runs/digests.ts';
import { readRunsFrom, requireRun, type Run } from '../ledger/runs/runs.ts';
import type { Table } from '../ledger/table.ts';
import { CodedError } from '../domain/failures.ts';
import type { Plan } from './plan/plan.ts';

/** The id of the digest that a run sends. Throws a `CodedError` where it has none, or another one than `expected`: it was discarded meanwhile. */
export function refuseDropped(run: Run, expected = run.digest): string {
  if (run.digest === undefined || run.digest !== expected) throw discardedMeanwhile(run);
  return run.digest;
}

/** What stops the work on a run whose digest was discarded meanwhile. */
export function discardedMeanwhile({ run }: Run): CodedError {
  return new CodedError('discarded', `The digest of run "${run}" was discarded meanwhile: nothing is sent.`);
}

/** The digest that a run sends, with its note. Throws as `refuseDropped`. */
export async function openDigest(table: Table, plan: Pick<Plan, 'report' | 'period' | 'digest'>) {
  const run = await requireRun(table, plan.report, plan.period);
  const id = refuseDropped(run, plan.digest);
  return { id, digest: withNote(await readDigest(table, run.run, id), run.note ?? null) };
}

/** The digest that the page of a mail shows: its own, or the newest that was sent of the report that a warning judges; `null` where there is none. */
export async function pageOf(table: Table, { warning }: Pick<Digest, 'warning'>, own: LinkedDigest) {
  if (warning === null) return own;
  const runs = await readRunsFrom(table, { name: warning.report }, '0000');
  const { run, digest } = runs.findLast((run) => (run.summary?.sent ?? 0) > 0 && !hasOlderDigest(run)) ?? {};
  return run === undefined || digest === undefined ? null : { report: warning.report, run, digest };
}
