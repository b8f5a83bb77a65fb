import type { Temporal } from 'temporal-polyfill';
import { readMessages, type MessageRow } from '../../ledger/runs/messages.ts';
import { readRun, recordOutcome, requireRun, type Run, type RunState } from '../../ledger/runs/runs.ts';
import type { Table } from '../../ledger/table.ts';
import type { Dispatch } from '../send/dispatch.ts';
import type { Failure } from '../failure.ts';
import { discardedMeanwhile, refuseDropped } from '../kept-digest.ts';
import type { Plan } from '../plan/plan.ts';
import { balanceOf } from './receipt.ts';

/** What an execution returns: the state of its run. It contains no address, because a durable history keeps it. */
export type Finished = NonNullable<Awaited<ReturnType<typeof record>>>;

/**
 * Records the outcome of a trigger's work on a run, with its balance. Where the trigger may leave messages planned, because
 * it holds the run or names its subscribers, a run with such messages is kept and not done. Throws a `RunError` where the
 * run's digest was discarded meanwhile.
 */
export async function finishRun(
  plan: Plan,
  { stopped, sentNow }: Dispatch,
  { table, mayLeave, now }: { table: Table; mayLeave: boolean; now: Temporal.Instant },
): Promise<Finished> {
  const run = await requireRun(table, plan.report, plan.period);
  refuseDropped(run);
  const rows = await Array.fromAsync(readMessages(table, run.run));
  const state = stateAfter(run, rows, stopped, mayLeave);
  const finished = await record(table, run, rows, { state, sentNow, now, error: stopped ?? undefined }, plan.begunAt);
  if (finished === null) throw discardedMeanwhile(run);
  return finished;
}

/**
 * Records that a run failed, and why. Returns `null` where that is recorded nowhere: of a run whose digest was discarded
 * meanwhile, which stays planned, and of one that was done before.
 */
export async function failRun(
  plan: Pick<Plan, 'report' | 'period' | 'begunAt'>,
  failure: Failure,
  { table, now }: { table: Table; now: Temporal.Instant },
): Promise<Finished | null> {
  const run = await readRun(table, plan.report, plan.period);
  if (run === null || failure.code === 'discarded') return null;
  const outcome = { state: 'failed', sentNow: 0, now, error: failure } as const;
  const rows = await Array.fromAsync(readMessages(table, run.run));
  return await record(table, run, rows, outcome, plan.begunAt);
}

function stateAfter(run: Run, rows: readonly MessageRow[], stopped: Failure | null, mayLeave: boolean): RunState {
  if (run.withheld === 'held') return 'held';
  if (stopped !== null) return 'sending';
  if (!mayLeave || run.withheld === 'empty') return 'done';
  return rows.some(({ state }) => state === 'planned') ? 'kept' : 'done';
}

/** Writes how the trigger's work on a run ended, with what its receipt says of the balance; `null` where that is not recorded. */
async function record(
  table: Table,
  run: Run,
  rows: readonly MessageRow[],
  { now, ...outcome }: Pick<Run, 'state' | 'sentNow' | 'error'> & { now: Temporal.Instant },
  begunAt = now.toString(),
) {
  const balance = balanceOf({ ...run, ...outcome }, rows);
  const { balanced, sent, failed, unknown } = balance;
  const summary = { balanced, sent, failed, unknown };
  const workedMs = (run.workedMs ?? 0) + now.epochMilliseconds - Date.parse(begunAt);
  const finishedAt = now.toString();
  const isRecorded = await recordOutcome(table, run, { ...outcome, finishedAt, workedMs, summary });
  return isRecorded ? { run: run.run, state: outcome.state, balance, error: outcome.error } : null;
}
