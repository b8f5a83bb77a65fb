import type { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import { gapSchema } from '../../digest/schema.ts';
import { closings } from '../../ledger/observations.ts';
import { hasOlderDigest, readDigest } from '../../ledger/runs/digests.ts';
import { readAddresses } from '../../ledger/persons/persons.ts';
import { isCard, readMessages, withheldStates, type MessageRow } from '../../ledger/runs/messages.ts';
import { readRun, recordOutcome, requireRun, runStateSchema, type Run, type RunState } from '../../ledger/runs/runs.ts';
import type { Table } from '../../ledger/table.ts';
import { isLongClaimed, longestInvocationMs } from '../../ledger/runs/claims.ts';
import { coverageSchema, emptyCoverage } from '../../reporting-service/coverage.ts';
import { countWords } from '../../domain/counts-by-word.ts';
import { publishedPeriodSchema } from '../../domain/period.ts';
import type { Failure } from '../../domain/failures.ts';
import { discardedMeanwhile, refuseDropped } from '../kept-digest.ts';
import type { Plan } from '../plan/plan.ts';
import type { Dispatch } from '../send/dispatch.ts';

/** What may become of an intended message. */
export const outcomes = ['sent', ...withheldStates, 'failed', 'unknown', 'planned', 'held', 'skipped'] as const;
type Outcome = (typeof outcomes)[number];

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

const outcomeCounts = v.object(v.entriesFromList(outcomes, v.optional(count, 0)));

/** What became of a run so far, over all its triggers: every intended message with its outcome, and the balance. */
export const receiptSchema = v.object({
  schemaVersion: v.literal(1),
  run: v.string(),
  report: v.string(),
  period: publishedPeriodSchema,
  state: runStateSchema,
  messages: v.array(
    v.object({
      /** The address, `forgotten` where the ledger has it no more; of a card the channel's kind and name: `teams:managers`. */
      to: v.string(),
      outcome: v.picklist(outcomes),
      /** SES's id of the message, once SES accepted it; a card has none. */
      messageId: v.nullable(v.string()),
      /** SES's own name of why it refused, or what a channel's webhook answered. */
      refusal: v.exactOptional(v.string()),
      /**
       * For an unknown outcome: SES sent no event about it, although it did about others of the run. The message was
       * probably not sent.
       */
      noEvent: v.exactOptional(v.literal(true)),
    }),
  ),
  balance: v.object({
    intended: count,
    ...v.entriesFromList(outcomes, count),
    /** Of the sent ones, those that the last trigger sent. */
    sentNow: count,
    /** Whether every intended message has an outcome that the run's state explains. */
    balanced: v.boolean(),
  }),
  coverage: v.object({
    ...coverageSchema.entries,
    /** All that was not available. */
    unavailable: v.array(gapSchema),
  }),
  error: v.exactOptional(v.object({ code: v.string(), message: v.string() })),
});

export type Receipt = v.InferOutput<typeof receiptSchema>;

/** The receipt of a run, from the ledger, as it is at `now` (epoch milliseconds). */
export async function readReceipt(table: Table, run: Run, now: number): Promise<Receipt> {
  const rows = await readMessages(table, run.run);
  const lastEvent = rows.reduce((last, row) => Math.max(last, lastEventOf(row)), -Infinity);
  const ids = rows.flatMap((row) => (isCard(row) ? [] : row.id));
  const addresses = await readAddresses(table, ids);
  const messages = rows.map((row) => ({
    to: row.channel ?? addresses.get(row.id) ?? 'forgotten',
    outcome: outcomeOf(run, row.state),
    messageId: row.messageId ?? null,
    ...(row.refusal === undefined ? {} : { refusal: row.refusal }),
    ...(lacksEvent(row, { lastEvent, now }) ? { noEvent: true as const } : {}),
  }));
  return v.parse(receiptSchema, {
    ...run,
    schemaVersion: 1,
    messages: messages.toSorted((a, b) => (a.to < b.to ? -1 : 1)),
    balance: balanceOf(run, rows),
    coverage: await readCoverageOf(table, run),
  });
}

/** The receipt of a run that failed before the ledger knew of it. */
export function failedReceipt(run: Pick<Run, 'run' | 'report' | 'period'>, error: { code: string; message: string }) {
  const failed = { ...run, state: 'failed' as const, error, intended: 0, sentNow: 0 };
  const found = { messages: [], balance: balanceOf(failed, []), coverage: { ...emptyCoverage(), unavailable: [] } };
  return v.parse(receiptSchema, { ...failed, schemaVersion: 1, ...found });
}

/** The instant of a message's last event of SES, in epoch milliseconds. */
function lastEventOf(row: MessageRow): number {
  const { deliveredAt, bouncedAt, softBouncedAt, complainedAt, rejectedAt, heldBackAt } = row;
  const instants = [deliveredAt, bouncedAt, softBouncedAt, complainedAt, rejectedAt, heldBackAt];
  return Math.max(...instants.map((at) => (at === undefined ? -Infinity : Date.parse(at))));
}

/**
 * Whether a claimed message should have had an event by now: other events of the run came around its claim or later, and no
 * invocation can still be sending it. From then on an operator can have it sent again.
 */
function lacksEvent(row: MessageRow, { lastEvent, now }: { lastEvent: number; now: number }): boolean {
  const { state, claimedAt = 0 } = row;
  return state === 'claimed' && !isCard(row) && isLongClaimed(row, now) && lastEvent > claimedAt - longestInvocationMs;
}

export function outcomeOf({ withheld }: Pick<Run, 'withheld'>, state: MessageRow['state']): Outcome {
  if (state === 'claimed') return 'unknown';
  if (state !== 'planned') return state;
  if (withheld === 'held') return 'held';
  return withheld === 'empty' ? 'skipped' : 'planned';
}

/**
 * Counts the outcomes. They balance if no row got lost and no message is planned without a reason: a run that is done has
 * left nobody out.
 */
export function balanceOf(
  run: Pick<Run, 'intended' | 'sentNow' | 'state' | 'withheld' | 'error'>,
  rows: ReadonlyArray<Pick<MessageRow, 'state'>>,
): Receipt['balance'] {
  const { intended, sentNow, state, error } = run;
  const counts = v.parse(outcomeCounts, countWords(rows.map((row) => outcomeOf(run, row.state))));
  const explained = counts.planned === 0 || state !== 'done' || error !== undefined;
  return { intended, ...counts, sentNow, balanced: rows.length === intended && explained };
}

async function readCoverageOf(table: Table, run: Run): Promise<Receipt['coverage']> {
  const closing = run.observation === undefined ? null : await closings.read(table, run.observation);
  const { digest } = run;
  const unavailable =
    digest === undefined || hasOlderDigest(run) ? [] : (await readDigest(table, run.run, digest)).unavailable;
  return { ...(closing?.coverage ?? emptyCoverage()), unavailable };
}

/** What an execution returns: the state of its run. It contains no address, because a durable history keeps it. */
export type Finished = NonNullable<Awaited<ReturnType<typeof record>>>;

/**
 * Records the outcome of a trigger's work on a run, with its balance. Where the trigger may leave messages planned, because
 * it holds the run or names its subscribers, a run with such messages is kept and not done. Throws a `CodedError` where the
 * run's digest was discarded meanwhile.
 */
export async function finishRun(
  plan: Plan,
  { stopped, sentNow }: Dispatch,
  { table, mayLeave, now }: { table: Table; mayLeave: boolean; now: Temporal.Instant },
): Promise<Finished> {
  const run = await requireRun(table, plan.report, plan.period);
  refuseDropped(run);
  const rows = await readMessages(table, run.run);
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
  return await record(table, run, await readMessages(table, run.run), outcome, plan.begunAt);
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
  const isRecorded = await recordOutcome(table, run, { ...outcome, finishedAt: now.toString(), workedMs, summary });
  return isRecorded ? { run: run.run, state: outcome.state, balance, error: outcome.error } : null;
}
