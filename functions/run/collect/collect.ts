import { randomUUID } from 'node:crypto';
import { withRetry, NestingType, type DurableContext } from '@aws/durable-execution-sdk-js';
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
import type { CollectionKey, Phase } from '../../ledger/runs/collections.ts';
import { readFiguresBefore } from '../../ledger/runs/figures.ts';
import { recordCollection, requireRun } from '../../ledger/runs/runs.ts';
import type { Table } from '../../ledger/table.ts';
import type { ReportNames } from '../../domain/report-names.ts';
import { RunError, type Failure } from '../failure.ts';
import { digestBoundsOf, type DigestBounds } from '../compose/inclusion.ts';
import { readCollected } from '../compose/store-digest.ts';
import { requireReport } from '../find-report.ts';
import type { Plan } from '../plan/plan.ts';
import { retryUnexpected } from '../retry-unexpected.ts';
import { selectBroadcasts, selectContents } from './select.ts';

/**
 * The fewest requests in flight that are worth a worker of their own, and the most workers. One keeps up with far more:
 * a request takes less than a millisecond of its processor, while each further worker has to start.
 */
const concurrencyOfWorker = 16;
const mostWorkers = 4;

/** A collection that is complete in the ledger, and when it began, ISO 8601. */
export interface Collection extends CollectionKey {
  collectedAt: string;
}

/**
 * Has the workers collect everything that the period's digest needs, in four phases: the list; the recipients of each
 * delivery with a wanted status; each broadcast that is needed, once; the content items of each included delivery. A phase
 * is a number of batches, several at once. What they find stays in the ledger, and only counts are returned here. Throws a
 * `RunError` with the worker's own reason where nothing can be collected.
 */
export async function collect(
  context: DurableContext,
  plan: Plan,
  options: {
    configuration: Configuration;
    table: Table;
    collectFunctionName: string;
    /** Whether the collection is recorded as the run's; one for a test mail is not. */
    record: boolean;
  },
): Promise<Collection> {
  const { configuration, table, record } = options;
  const { contentRecipients } = configuration.service;
  const report = requireReport(configuration, plan.report);
  const collection = await context.step(
    'begin the collection',
    () => begin(plan, report, table, record),
    retryUnexpected,
  );
  const bounds = digestBoundsOf(plan.period, collection.firstRun);
  const worker = workerOf(options.collectFunctionName, configuration.service.concurrency);
  const { workers } = worker;
  const request = requestBaseOf(plan, collection, bounds, workers);
  const collected = () => readCollected(table, report, collection, contentRecipients);

  const list = await askWorker(context, 'list', worker, { ...request, phase: 'list', concurrency: worker.concurrency });
  const { batches } = v.parse(listResponseSchema, unwrap(list));
  await collectPhase(context, 'recipients', batches, worker, request);
  const ofBroadcasts = await context.step(
    'select broadcasts',
    async () => selectBroadcasts(table, collection, await collected(), { bounds, workers }),
    retryUnexpected,
  );
  await collectPhase(context, 'broadcasts', ofBroadcasts, worker, request);
  const ofContents = await context.step(
    'select content items',
    async () => selectContents(table, collection, await collected(), { bounds, workers }),
    retryUnexpected,
  );
  await collectPhase(context, 'contents', ofContents, worker, request);
  return collection;
}

async function begin(
  plan: Plan,
  report: ReportNames,
  table: Table,
  record: boolean,
): Promise<Collection & { firstRun: boolean }> {
  const collection = { run: plan.run, collection: randomUUID(), collectedAt: Temporal.Now.instant().toString() };
  if (record) await recordCollection(table, await requireRun(table, plan.report, plan.period), collection.collection);
  const earlier = await readFiguresBefore(table, report, plan.period.startDate);
  return { ...collection, firstRun: earlier.length === 0 };
}

type RequestBase = Omit<CollectRequest, 'phase' | 'concurrency'>;

function requestBaseOf(
  plan: Plan,
  { run, collection }: CollectionKey,
  { precedingStart, start, end, timeZone }: DigestBounds,
  workers: number,
): RequestBase {
  const bounds = { precedingStart, start, end, timeZone };
  return { run, collection, report: plan.report, batch: 0, from: 0, workers, bounds };
}

interface Worker {
  functionName: string;
  /** Requests in flight, over all workers of the run. */
  concurrency: number;
  /** How many share a phase that has several batches. */
  workers: number;
}

function workerOf(functionName: string, concurrency: number): Worker {
  const workers = Math.min(mostWorkers, Math.max(1, Math.floor(concurrency / concurrencyOfWorker)));
  return { functionName, concurrency, workers };
}

/** The batches of one phase, several at once: the requests in flight are shared out among the workers beforehand. */
async function collectPhase(
  context: DurableContext,
  phase: Phase,
  batches: number,
  worker: Worker,
  request: RequestBase,
): Promise<void> {
  if (batches === 0) return;
  const workers = Math.min(batches, worker.workers);
  const concurrency = Math.floor(worker.concurrency / workers);
  const done = await context.map(
    `collect ${phase}`,
    Array.from({ length: batches }, (_, batch) => batch),
    async (ctx, batch): Promise<Failure | null> => {
      for (let left: Left | null = { from: 0, interrupted: [] }; left !== null;) {
        const name = `${phase} ${batch}${left.from === 0 ? '' : ` from ${left.from}`}`;
        const answer = await askWorker(ctx, name, worker, { ...request, phase, batch, ...left, concurrency });
        if ('failure' in answer) return answer.failure;
        left = leftOf(v.parse(batchResponseSchema, answer.answer), left);
      }
      return null;
    },
    { maxConcurrency: workers, nesting: NestingType.FLAT },
  );
  done.throwIfError();
  const failure = done.getResults().find((result) => result !== null);
  if (failure !== undefined && failure !== null) throw RunError.of(failure);
}

/** What is left of a batch: the interrupted items, and those from `from` on. */
type Left = Pick<Required<CollectRequest>, 'from' | 'interrupted'>;

/** What an answer leaves to do; `null` where the batch is done. */
function leftOf({ asked, next, interrupted }: BatchResponse, before: Left): Left | null {
  if (next !== null) return { from: next, interrupted };
  return interrupted.length === 0 ? null : { from: before.from + asked + interrupted.length, interrupted };
}

type WorkerAnswer = { answer: unknown } | { failure: Failure };

/**
 * Asks the worker; an invocation that fails, by a crash or a time-out, is retried twice. A reason why nothing can be
 * collected is an answer and not a failed invocation, since of the latter the engine hands on only the message.
 */
async function askWorker(
  context: DurableContext,
  name: string,
  worker: Worker,
  request: CollectRequest,
): Promise<WorkerAnswer> {
  const ask = (ctx: DurableContext): Promise<unknown> =>
    ctx.invoke<CollectRequest, unknown>(name, worker.functionName, request);
  const answer = await withRetry(context, name, ask, {
    wrapWithRunInChildContext: false,
    retryStrategy: (_error, attempt) => ({ shouldRetry: attempt < 3, delay: { seconds: 5 } }),
  });
  const failed = v.safeParse(failureResponseSchema, answer);
  return failed.success ? failed.output : { answer };
}

function unwrap(answer: WorkerAnswer): unknown {
  if ('failure' in answer) throw RunError.of(answer.failure);
  return answer.answer;
}
