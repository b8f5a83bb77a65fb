import type { Temporal } from 'temporal-polyfill';
import { readMessages } from '../../ledger/runs/messages.ts';
import { readRun, recordOutcome, recordSummary, type Run, type RunState, requireRun } from '../../ledger/runs/runs.ts';
import type { Table } from '../../ledger/table.ts';
import type { Dispatch } from '../send/dispatch.ts';
import type { Failure } from '../failure.ts';
import type { Plan } from '../plan/plan.ts';
import { readReceipt, type Balance } from './receipt.ts';

/** What an execution returns: the state of its run. It contains no address, because a durable history keeps it. */
export interface Finished {
  run: string;
  state: RunState;
  balance: Balance;
  /** Why the run failed, or stopped sending early. */
  error?: NonNullable<Run['error']>;
}

/**
 * Records the outcome of a trigger's work on a run, and reads the balance. Where the trigger may leave messages planned, because
 * it holds the run or names its subscribers, a run with such messages is kept and not done.
 */
export async function finishRun(
  plan: Plan,
  dispatch: Dispatch,
  { table, mayLeave, now }: { table: Table; mayLeave: boolean; now: Temporal.Instant },
): Promise<Finished> {
  const run = await requireRun(table, plan.report, plan.period);
  const { stopped, sentNow } = dispatch;
  const state = await stateAfter(run, stopped, mayLeave, table);
  await recordOutcome(table, run, {
    state,
    sentNow,
    finishedAt: now.toString(),
    ...(stopped === null ? {} : { error: stopped }),
  });
  return await readFinished(plan, { table, now });
}

/**
 * Records that a run failed, and why. Returns `null` where that is recorded nowhere: of a run whose digest was discarded
 * meanwhile, which stays planned, and of one that was done before.
 */
export async function failRun(
  plan: Pick<Plan, 'report' | 'period'>,
  failure: Failure,
  { table, now }: { table: Table; now: Temporal.Instant },
): Promise<Finished | null> {
  const run = await readRun(table, plan.report, plan.period);
  if (run === null || failure.code === 'discarded') return null;
  const outcome = { state: 'failed', sentNow: 0, finishedAt: now.toString(), error: failure } as const;
  return (await recordOutcome(table, run, outcome)) ? await readFinished(plan, { table, now }) : null;
}

async function stateAfter(run: Run, stopped: Failure | null, mayLeave: boolean, table: Table): Promise<RunState> {
  if (run.withheld === 'held') return 'held';
  if (stopped !== null) return 'sending';
  if (!mayLeave || run.withheld === 'empty') return 'done';
  for await (const { state } of readMessages(table, run.run)) if (state === 'planned') return 'kept';
  return 'done';
}

async function readFinished(
  { report, period }: Pick<Plan, 'report' | 'period'>,
  { table, now }: { table: Table; now: Temporal.Instant },
): Promise<Finished> {
  const run = await requireRun(table, report, period);
  const { balance, state, error } = await readReceipt(table, run, now.epochMilliseconds);
  const { balanced, sent, failed, unknown } = balance;
  await recordSummary(table, run, { balanced, sent, failed, unknown });
  return { run: run.run, state, balance, ...(error === undefined ? {} : { error }) };
}
