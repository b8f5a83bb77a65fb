import { randomUUID } from 'node:crypto';
import { withRetry, type DurableContext } from '@aws/durable-execution-sdk-js';
import { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import type { Configuration, ReportConfiguration } from '../../domain/configuration/configuration.ts';
import {
  batchResponseSchema,
  failureResponseSchema,
  listResponseSchema,
  type BatchResponse,
  type CollectRequest,
} from '../../collect/protocol.ts';
import type { CollectionKey, Phase, WritableCollection } from '../../ledger/runs/collections.ts';
import { readFiguresBefore } from '../../ledger/runs/figures.ts';
import { recordCollection, requireRun } from '../../ledger/runs/runs.ts';
import type { Table } from '../../ledger/table.ts';
import { countedBy, needsRecount } from '../earlier-figures.ts';
import { RunError } from '../failure.ts';
import { digestBoundsOf, type DigestBounds } from '../inclusion.ts';
import { readCollected } from './collected.ts';
import { requireReport } from '../find-report.ts';
import type { Plan } from '../plan/plan.ts';
import { retryUnexpected } from '../retry-unexpected.ts';
import { selectBroadcasts, selectContents } from './select.ts';

/** A collection that is complete in the ledger, and when it began, ISO 8601. */
interface Collection extends CollectionKey {
  collectedAt: string;
}

/**
 * Has the worker collect everything that the period's digest needs, in four phases: the list; the recipients of each
 * delivery with a wanted status; each broadcast that is needed, once; the content items of each included delivery. A phase
 * is a number of batches, one after the other. What they find stays in the ledger, and only counts are returned here.
 * Throws a `RunError` with the worker's own reason where nothing can be collected.
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
  const { contentRecipients, concurrency } = configuration.service;
  const report = requireReport(configuration, plan.report);
  const collection = await context.step('begin the collection', () => begin(plan, report, options), retryUnexpected);
  const bounds = digestBoundsOf(plan.period, collection.firstRun);
  const ask = askerOf(context, options.collectFunctionName);
  const common = { ...requestOf(plan, collection, bounds), concurrency };
  const written = (): WritableCollection => ({ ...collection, now: new Date(options.clock()) });
  const collected = () => readCollected(options.table, report, collection, contentRecipients);

  const { batches } = await ask('list', { ...common, phase: 'list' }, listResponseSchema);
  await collectPhase('recipients', batches, common, ask);
  const ofBroadcasts = await context.step(
    'select broadcasts',
    async () => selectBroadcasts(options.table, written(), await collected(), { bounds, recount: collection.recount }),
    retryUnexpected,
  );
  await collectPhase('broadcasts', ofBroadcasts, common, ask);
  const ofContents = await context.step(
    'select content items',
    async () => selectContents(options.table, written(), await collected(), bounds),
    retryUnexpected,
  );
  await collectPhase('contents', ofContents, common, ask);
  return collection;
}

async function begin(
  plan: Plan,
  report: ReportConfiguration,
  {
    configuration,
    table,
    record,
    clock,
  }: Pick<Parameters<typeof collect>[2], 'configuration' | 'table' | 'record' | 'clock'>,
): Promise<Collection & { firstRun: boolean; recount: boolean }> {
  const { informingTypes } = configuration.service;
  const collectedAt = Temporal.Instant.fromEpochMilliseconds(clock()).toString();
  const collection = { run: plan.run, collection: randomUUID(), collectedAt };
  if (record) await recordCollection(table, await requireRun(table, plan.report, plan.period), collection.collection);
  const earlierFigures = await readFiguresBefore(table, report, plan.period);
  const recount = needsRecount(plan.period, { earlierFigures, ...countedBy(report, informingTypes) });
  return { ...collection, firstRun: earlierFigures.length === 0, recount };
}

/** What all requests of a collection have in common. */
type CommonRequest = Omit<CollectRequest, 'phase'>;

function requestOf(
  plan: Plan,
  { run, collection }: CollectionKey,
  { precedingStart, start, end, timeZone }: DigestBounds,
): Omit<CommonRequest, 'concurrency'> {
  const bounds = { precedingStart, start, end, timeZone };
  return { run, collection, report: plan.report, batch: 0, from: 0, bounds };
}

/** Collects the batches of one phase, one after the other: one worker keeps as many requests in flight as are allowed. */
async function collectPhase(phase: Phase, batches: number, common: CommonRequest, ask: Ask): Promise<void> {
  for (let batch = 0; batch < batches; batch += 1) {
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
