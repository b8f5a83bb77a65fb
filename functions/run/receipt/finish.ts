import type { Metrics } from '@aws-lambda-powertools/metrics';
import type { Temporal } from 'temporal-polyfill';
import { readMessages } from '../../ledger/runs/messages.ts';
import { readRun, recordOutcome, recordSummary, type Run, type RunState, requireRun } from '../../ledger/runs/runs.ts';
import type { Table } from '../../ledger/table.ts';
import type { Dispatch } from '../send/dispatch.ts';
import type { Failure } from '../failure.ts';
import { countOutcome } from './run-metrics.ts';
import type { Plan } from '../plan/plan.ts';
import { readReceipt, type Balance } from './receipt.ts';

/** What an execution returns: the state of its run. It contains no address, because a durable history keeps it. */
export interface Finished {
  run: string;
  state: RunState;
  balance: Balance;
}

/**
 * Records the outcome of a trigger's work on a run, reads the balance and emits the metrics. A receipt that does not
 * balance raises an alarm of its own.
 */
export async function finishRun(
  plan: Plan,
  dispatch: Dispatch,
  { table, metrics, dryRun, now }: { table: Table; metrics: Metrics; dryRun: boolean; now: Temporal.Instant },
): Promise<Finished> {
  const run = await requireRun(table, plan.report, plan.period);
  const { stopped, sentNow } = dispatch;
  const state = await stateAfter(run, stopped, dryRun, table);
  await recordOutcome(table, run, {
    state,
    sentNow,
    finishedAt: now.toString(),
    ...(stopped === null ? {} : { error: stopped }),
  });
  return await reportOutcome(await requireRun(table, plan.report, plan.period), { table, metrics, now });
}

/** Records that a run failed, and why. One whose digest was discarded meanwhile stays as the discard left it: planned. */
export async function failRun(
  plan: Pick<Plan, 'report' | 'period'>,
  failure: Failure,
  { table, metrics, now }: { table: Table; metrics: Metrics; now: Temporal.Instant },
): Promise<void> {
  const run = await readRun(table, plan.report, plan.period.startDate);
  if (run === null || failure.code === 'discarded') return;
  await recordOutcome(table, run, { state: 'failed', sentNow: 0, finishedAt: now.toString(), error: failure });
  await reportOutcome(await requireRun(table, plan.report, plan.period), { table, metrics, now });
}

async function stateAfter(run: Run, stopped: Failure | null, dryRun: boolean, table: Table): Promise<RunState> {
  if (run.withheld === 'held') return 'held';
  if (stopped !== null) return 'sending';
  if (!dryRun || run.withheld === 'empty') return 'done';
  // A rehearsal sends nothing, so what was planned still is.
  for await (const { state } of readMessages(table, run.run)) if (state === 'planned') return 'kept';
  return 'done';
}

async function reportOutcome(
  run: Run,
  { table, metrics, now }: { table: Table; metrics: Metrics; now: Temporal.Instant },
): Promise<Finished> {
  const { balance, coverage, state } = await readReceipt(table, run, now.epochMilliseconds);
  const { balanced, sent, failed, unknown } = balance;
  await recordSummary(table, run, { balanced, sent, failed, unknown });
  countOutcome(metrics, { balance, state, incomplete: coverage.unavailable.length > 0 });
  return { run: run.run, state, balance };
}
