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
import { boundsOf } from '../../domain/period.ts';
import {
  type Batches,
  type CollectionKey,
  type Phase,
  type WritableCollection,
  putBatches,
  type ListedDelivery,
  type Work,
} from '../../ledger/runs/collections.ts';
import { recordCollection, requireRun } from '../../ledger/runs/runs.ts';
import type { Table } from '../../ledger/table.ts';
import { readEarlier } from '../earlier-figures.ts';
import { RunError, retryUnexpected } from '../failure.ts';
import { digestBoundsOf, type DigestBounds, createdAtOf, includeDeliveries } from '../inclusion.ts';
import { readCollected, type Collected } from './collected.ts';
import { requireReport } from '../find-run.ts';
import type { Plan } from '../plan/plan.ts';

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

/** The most items of a batch, by its phase. */
const largest = { recipients: 1_000, broadcasts: 1_000, contents: 2_500 } as const;

/**
 * Stores the broadcasts that have to be known before the recipients: of deliveries that are new to the ledger, because engagement
 * long before the broadcast's creation comes from a wrong clock; and of those whose name the list does not say.
 */
export async function selectNewBroadcasts(
  table: Table,
  key: WritableCollection,
  collected: Collected,
  { broadcastName }: Pick<ReportConfiguration, 'broadcastName'>,
): Promise<Batches> {
  const { wanted, others, history } = collected;
  const isNew = ({ id }: ListedDelivery): boolean => history?.deliveries.get(id)?.createdAt === undefined;
  const mayBeOther = ({ broadcast }: ListedDelivery): boolean => broadcastName !== undefined && broadcast.name === null;
  const asked = [...wanted.filter((each) => isNew(each) || mayBeOther(each)), ...others.filter(mayBeOther)];
  return await putBroadcasts(
    table,
    key,
    asked.map(({ broadcast }) => broadcast.id),
    0,
  );
}

/** Stores the deliveries whose recipients are asked for. */
export async function selectRecipients(table: Table, key: WritableCollection, collected: Collected): Promise<Batches> {
  const work = collected.wanted.map((delivery) => ({ delivery, createdAt: createdAtOf(delivery, collected) }));
  return await putBatches(table, key, { phase: 'recipients', work, largest: largest.recipients });
}

/** Stores the broadcasts of the included deliveries, but for those that were asked for, from batch number `from` on. */
export async function selectBroadcasts(
  table: Table,
  key: WritableCollection,
  collected: Collected,
  bounds: DigestBounds,
  from: number,
): Promise<Batches> {
  const ids = includeDeliveries(collected, bounds).map(({ found }) => found.delivery.broadcast.id);
  return await putBroadcasts(
    table,
    key,
    ids.filter((id) => !collected.broadcasts.has(id)),
    from,
  );
}

/** Stores the content items of the included deliveries. */
export async function selectContents(
  table: Table,
  key: WritableCollection,
  collected: Collected,
  bounds: DigestBounds,
): Promise<Batches> {
  const work = includeDeliveries(collected, bounds).flatMap(({ found: { delivery } }): Work<'contents'>[] => {
    const detail = collected.broadcasts.get(delivery.broadcast.id)?.broadcast;
    const createdAt = createdAtOf(delivery, collected);
    return (detail?.contents ?? []).map((content) => ({ delivery: delivery.id, content, createdAt }));
  });
  return await putBatches(table, key, { phase: 'contents', work, largest: largest.contents });
}

/** Each once, however many deliveries it has. The broadcast of a delivery that came without its id cannot be asked for. */
async function putBroadcasts(
  table: Table,
  key: WritableCollection,
  ids: readonly string[],
  from: number,
): Promise<Batches> {
  const work = [...new Set(ids)].filter((id) => id !== '');
  return await putBatches(table, key, { phase: 'broadcasts', work, largest: largest.broadcasts, from });
}
