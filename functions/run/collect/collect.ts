import { randomUUID } from 'node:crypto';
import { withRetry, type DurableContext } from '@aws/durable-execution-sdk-js';
import { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import type { Configuration } from '../../domain/configuration/configuration.ts';
import {
  batchResponseSchema,
  failureResponseSchema,
  listResponseSchema,
  type BatchResponse,
  type CollectRequest,
} from '../../collect/protocol.ts';
import { boundsOf } from '../../domain/period.ts';
import type { Batches, CollectionKey, Phase, WritableCollection } from '../../ledger/runs/collections.ts';
import { recordCollection, requireRun } from '../../ledger/runs/runs.ts';
import type { Table } from '../../ledger/table.ts';
import { readEarlier } from '../earlier-figures.ts';
import { RunError } from '../failure.ts';
import { digestBoundsOf, type DigestBounds } from '../inclusion.ts';
import { readCollected, type Collected } from './collected.ts';
import { requireReport } from '../find-report.ts';
import type { Plan } from '../plan/plan.ts';
import { retryUnexpected } from '../retry-unexpected.ts';
import { selectBroadcasts, selectContents, selectNewBroadcasts, selectRecipients } from './select.ts';

/** A collection that is complete in the ledger, and when it began, ISO 8601. */
interface Collection extends CollectionKey {
  collectedAt: string;
}

/**
 * Has the worker collect everything that the period's digest needs: the list; the broadcasts of deliveries that are new to
 * the ledger; the recipients of each delivery with a wanted status; each other broadcast that is needed; the content items of each
 * included delivery. Each is a number of batches, one after the other. What they find stays in the ledger, and only counts
 * are returned here. Throws a `RunError` with the worker's own reason where nothing can be collected.
 */
export async function collect(
  context: DurableContext,
  plan: Plan,
  options: {
    configuration: Configuration;
    table: Table;
    collectFunctionName: string;
    /** The time in epoch milliseconds. */
    clock: () => number;
    /** Whether the collection is recorded as the run's; one for a test mail is not. */
    record: boolean;
  },
): Promise<Collection> {
  const { configuration } = options;
  const { concurrency } = configuration.service;
  const { table, clock } = options;
  const report = requireReport(configuration, plan.report);
  const collection = await context.step('begin the collection', () => begin(plan, options), retryUnexpected);
  const ask = askerOf(context, options.collectFunctionName);
  const common = { ...requestOf(plan, collection), concurrency };

  /** Stores the work of a phase by what was found so far, and has it done. */
  const collectPhase = async (name: string, phase: Phase, select: Select): Promise<Batches> => {
    const store = async (): Promise<Batches> => {
      const { earlier, history } = await readEarlier(table, report, plan.period);
      const found = await readCollected(table, collection, { report, service: configuration.service, history });
      const { settleHours } = report;
      const bounds = digestBoundsOf(plan.period, { firstRun: earlier.length === 0, settleHours });
      return await select({ ...collection, now: new Date(clock()) }, found, bounds);
    };
    const batches = await context.step(`select ${name}`, store, retryUnexpected);
    await collectBatches(phase, batches, common, ask);
    return batches;
  };

  await ask('list', { ...common, phase: 'list' }, listResponseSchema);
  const { to } = await collectPhase('new broadcasts', 'broadcasts', (key, found) =>
    selectNewBroadcasts(table, key, found, report),
  );
  await collectPhase('recipients', 'recipients', (key, found) => selectRecipients(table, key, found));
  await collectPhase('broadcasts', 'broadcasts', (key, found, bounds) =>
    selectBroadcasts(table, key, found, bounds, to),
  );
  await collectPhase('content items', 'contents', (key, found, bounds) => selectContents(table, key, found, bounds));
  return collection;
}

/** Stores the batches of a phase, by what was found in those before. */
type Select = (key: WritableCollection, found: Collected, bounds: DigestBounds) => Promise<Batches>;

async function begin(
  plan: Plan,
  { table, record, clock }: Pick<Parameters<typeof collect>[2], 'table' | 'record' | 'clock'>,
): Promise<Collection> {
  const collectedAt = Temporal.Instant.fromEpochMilliseconds(clock()).toString();
  const collection = { run: plan.run, collection: randomUUID(), collectedAt };
  if (record) await recordCollection(table, await requireRun(table, plan.report, plan.period), collection.collection);
  return collection;
}

/** What all requests of a collection have in common. */
type CommonRequest = Omit<CollectRequest, 'phase'>;

function requestOf(plan: Plan, { run, collection }: CollectionKey): Omit<CommonRequest, 'concurrency'> {
  return { run, collection, report: plan.report, batch: 0, from: 0, bounds: boundsOf(plan.period) };
}

/** Collects batches of one phase, one after the other: one worker keeps as many requests in flight as are allowed. */
async function collectBatches(phase: Phase, { from, to }: Batches, common: CommonRequest, ask: Ask): Promise<void> {
  for (let batch = from; batch < to; batch += 1) {
    for (let left: Left | null = { from: 0, interrupted: [] }; left !== null;) {
      const name = `${phase} ${batch}${left.from === 0 ? '' : ` from ${left.from}`}`;
      const response: BatchResponse = await ask(name, { ...common, phase, batch, ...left }, batchResponseSchema);
      left = leftOf(response, left);
    }
  }
}

/** What is left of a batch: the interrupted items, and those from `from` on. */
type Left = Pick<Required<CollectRequest>, 'from' | 'interrupted'>;

/** What a response leaves to do; `null` where the batch is done. */
function leftOf({ asked, next, interrupted }: BatchResponse, before: Left): Left | null {
  if (next !== null) return { from: next, interrupted };
  return interrupted.length === 0 ? null : { from: before.from + asked + interrupted.length, interrupted };
}

/** Invokes the worker, under a name in the durable history, and reads its response. */
type Ask = <Response>(
  name: string,
  request: CollectRequest,
  schema: v.GenericSchema<unknown, Response>,
) => Promise<Response>;

/**
 * Invokes the worker; an invocation that fails, by a crash or a time-out, is retried twice. A reason why nothing can be
 * collected is a response and not a failed invocation, since of the latter the engine hands on only the message.
 */
function askerOf(context: DurableContext, functionName: string): Ask {
  return async (name, request, schema) => {
    const invoke = (ctx: DurableContext): Promise<unknown> =>
      ctx.invoke<CollectRequest, unknown>(name, functionName, request);
    const response = await withRetry(context, name, invoke, {
      wrapWithRunInChildContext: false,
      retryStrategy: (_error, attempt) => ({ shouldRetry: attempt < 3, delay: { seconds: 5 } }),
    });
    const failed = v.safeParse(failureResponseSchema, response);
    if (failed.success) throw RunError.of(failed.output.failure);
    return v.parse(schema, response);
  };
}
