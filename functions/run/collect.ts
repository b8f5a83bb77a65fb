import { randomUUID } from 'node:crypto';
import { withRetry, NestingType, type DurableContext } from '@aws/durable-execution-sdk-js';
import { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import type { Configuration } from '../configuration.ts';
import type { Order } from '../collect/order.ts';
import type { CollectionKey, Pass } from '../ledger/collections.ts';
import { readFiguresBefore } from '../ledger/figures.ts';
import { recordCollection } from '../ledger/runs.ts';
import type { Table } from '../ledger/table.ts';
import { failureOf, mayPass, RunError, type Failure } from './failure.ts';
import type { Calendar } from './inclusion.ts';
import { readCollected } from './keep.ts';
import { calendarOf, requireRun, type Plan } from './plan.ts';
import { retryUnexpected } from './retry.ts';
import { selectBroadcasts, selectContents } from './select.ts';

/** The fewest requests in flight that are worth a worker of their own, and the most workers. */
const concurrencyOfWorker = 4;
const mostWorkers = 8;

const listAnswer = v.object({ pass: v.literal('list'), listed: v.number(), wanted: v.number(), batches: v.number() });
const batchAnswer = v.object({
  pass: v.picklist(['recipients', 'broadcasts', 'contents']),
  asked: v.number(),
  next: v.nullable(v.number()),
});

/** A collection that is complete in the ledger, and when it began, ISO 8601. */
export interface Collection extends CollectionKey {
  collectedAt: string;
}

/**
 * Has the workers collect everything that the period's digest needs, in four passes: the list; the recipients of each
 * wanted delivery; each broadcast that matters, once; the content items of each delivery that is told of. A pass is a
 * number of batches, several at once; what they find stays in the ledger, and only counts pass through here. Throws a
 * `RunError` with the worker's own reason where nothing can be collected.
 */
export async function collect(
  context: DurableContext,
  plan: Plan,
  options: { configuration: Configuration; table: Table; collectFunctionName: string },
): Promise<Collection> {
  const { configuration, table } = options;
  const { contentRecipients } = configuration.service;
  const collection = await context.step('begin the collection', () => begin(plan, table), retryUnexpected);
  const calendar = calendarOf(plan.period, plan.preceding, collection.firstRun);
  const worker: Worker = { functionName: options.collectFunctionName, concurrency: configuration.service.concurrency };
  const order = orderOf(plan, collection, calendar);
  const collected = () => readCollected(table, plan.report, collection, contentRecipients);

  const list = await askWorker(context, 'list', worker, { ...order, pass: 'list', concurrency: worker.concurrency });
  const { batches } = v.parse(listAnswer, unwrap(list));
  await collectPass(context, 'recipients', batches, worker, order);
  const ofBroadcasts = await context.step(
    'select broadcasts',
    async () => selectBroadcasts(table, collection, await collected(), calendar),
    retryUnexpected,
  );
  await collectPass(context, 'broadcasts', ofBroadcasts, worker, order);
  const ofContents = await context.step(
    'select content items',
    async () => selectContents(table, collection, await collected(), calendar),
    retryUnexpected,
  );
  await collectPass(context, 'contents', ofContents, worker, order);
  return collection;
}

async function begin(plan: Plan, table: Table): Promise<Collection & { firstRun: boolean }> {
  const collection = { run: plan.run, collection: randomUUID(), collectedAt: Temporal.Now.instant().toString() };
  await recordCollection(table, await requireRun(table, plan.report, plan.period), collection.collection);
  const earlier = await readFiguresBefore(table, plan.report, plan.period.startDate);
  return { ...collection, firstRun: earlier.length === 0 };
}

type OrderBase = Omit<Order, 'pass' | 'concurrency'>;

function orderOf(plan: Plan, { run, collection }: CollectionKey, calendar: Calendar): OrderBase {
  const { precedingStart, start, end } = calendar;
  const window = { precedingStart, start, end, timeZone: plan.period.timeZone };
  return { run, collection, report: plan.report, batch: 0, from: 0, window };
}

interface Worker {
  functionName: string;
  /** Requests in flight, over all workers of the run. */
  concurrency: number;
}

/** The batches of one pass, several at once: the requests in flight are shared out among the workers beforehand. */
async function collectPass(
  context: DurableContext,
  pass: Pass,
  batches: number,
  worker: Worker,
  order: OrderBase,
): Promise<void> {
  if (batches === 0) return;
  const workers = Math.min(batches, mostWorkers, Math.max(1, Math.floor(worker.concurrency / concurrencyOfWorker)));
  const concurrency = Math.floor(worker.concurrency / workers);
  const done = await context.map(
    `collect ${pass}`,
    Array.from({ length: batches }, (_, batch) => batch),
    async (ctx, batch): Promise<Failure | null> => {
      for (let from: number | null = 0; from !== null;) {
        const name = `${pass} ${batch}${from === 0 ? '' : ` from ${from}`}`;
        const answer = await askWorker(ctx, name, worker, { ...order, pass, batch, from, concurrency });
        if ('failure' in answer) return answer.failure;
        from = v.parse(batchAnswer, answer.answer).next;
      }
      return null;
    },
    { maxConcurrency: workers, nesting: NestingType.FLAT },
  );
  done.throwIfError();
  const failure = done.getResults().find((result) => result !== null);
  if (failure !== undefined && failure !== null) throw RunError.of(failure);
}

type WorkerAnswer = { answer: unknown } | { failure: Failure };

/** Asks the worker; a crash or a time-out is tried again twice, a reason that the worker gives is handed on. */
async function askWorker(context: DurableContext, name: string, worker: Worker, order: Order): Promise<WorkerAnswer> {
  try {
    const ask = (ctx: DurableContext): Promise<unknown> => ctx.invoke<Order, unknown>(name, worker.functionName, order);
    const answer = await withRetry(context, name, ask, {
      wrapWithRunInChildContext: false,
      retryStrategy: (error, attempt) => ({ shouldRetry: attempt < 3 && mayPass(error), delay: { seconds: 5 } }),
    });
    return { answer };
  } catch (error) {
    if (mayPass(error)) throw error;
    return { failure: failureOf(error) };
  }
}

function unwrap(answer: WorkerAnswer): unknown {
  if ('failure' in answer) throw RunError.of(answer.failure);
  return answer.answer;
}
