import { putFound, readWork, type Found, type Phase, type Work } from '../ledger/runs/collections.ts';
import type { Table } from '../ledger/table.ts';
import { OutOfTimeError } from '../reporting-service/requests/request.ts';
import { UnavailableError } from '../reporting-service/unavailable.ts';
import { countEngagement } from './engagement.ts';
import { findBroadcast, findContent, type ItemContext } from './items.ts';
import type { BatchResponse, CollectRequest } from './protocol.ts';

/** Items under way for each request in flight: while some wait before a retry, others take their place. */
const itemsPerRequest = 4;

/** What a batch is collected with. `beginUntil`: no item is begun from then on, in milliseconds of `performance.now()`. */
interface BatchContext extends Pick<ItemContext, 'service' | 'tally' | 'ratingFilter'> {
  table: Table;
  beginUntil: number;
  now: Date;
}

/** Collects the items of one batch and leaves what was found in the ledger. */
export async function collectBatch(
  request: CollectRequest,
  phase: Phase,
  { table, beginUntil, now, ...context }: BatchContext,
): Promise<BatchResponse> {
  const { batch, from, interrupted: before = [], concurrency, bounds } = request;
  const work = await readWork(table, request, { phase, batch });
  const { results, left } = await collectWithin(
    work,
    { from, interrupted: before, width: concurrency * itemsPerRequest, deadline: beginUntil },
    (one, wasInterrupted) => collectItem(phase, one, { ...context, bounds, isLastTry: wasInterrupted }),
  );
  await putFound(table, { ...request, now }, { phase, batch, from }, results);
  return { asked: results.length, left };
}

/** How an item of a phase is collected: what names it, and what is found of it. */
interface Collector<P extends Phase> {
  keyOf: (work: Work<P>) => Found<P>;
  find: (work: Work<P>, context: ItemContext) => Promise<Partial<Found<P>>>;
}

const collectors: { [P in Phase]: Collector<P> } = {
  recipients: {
    keyOf: ({ delivery }) => ({ delivery }),
    find: async ({ delivery, createdAt }, { service, tally, bounds }) => ({
      engagement: await countEngagement(service.recipients(delivery.id), { bounds, createdAt }, tally),
    }),
  },
  broadcasts: { keyOf: (id) => ({ id }), find: findBroadcast },
  contents: { keyOf: ({ delivery, content }) => ({ delivery, content: content.id }), find: findContent },
};

/**
 * What is found of an item. Where that fails, the result says why; so it does where the time of a worker is up at the
 * item's last try: it had all of one before, and another one would not be enough either.
 */
export async function collectItem<P extends Phase>(
  phase: P,
  work: Work<P>,
  { isLastTry = false, ...context }: ItemContext & { isLastTry?: boolean },
): Promise<Found<P>> {
  const { keyOf, find } = collectors[phase];
  const key = keyOf(work);
  try {
    return { ...key, ...(await find(work, context)) };
  } catch (error) {
    if (error instanceof UnavailableError) return { ...key, unavailable: error.unavailable };
    if (isLastTry && error instanceof OutOfTimeError) return { ...key, unavailable: { reason: 'failed' } };
    throw error;
  }
}

/**
 * Works through the `interrupted` items of an earlier worker and then those from index `from` on, `width` at a time, and
 * begins no further one after `deadline` (milliseconds of `performance.now()`). A worker has a time limit: the items that
 * it did not begin, or that an `OutOfTimeError` interrupted, are left to another one. The results are in the order in which
 * the items were begun.
 */
export async function collectWithin<Item, Result>(
  items: readonly Item[],
  options: { from: number; interrupted?: readonly number[]; width: number; deadline: number },
  work: (item: Item, wasInterrupted: boolean) => Promise<Result>,
): Promise<{ results: Result[]; left: BatchResponse['left'] }> {
  const { from, interrupted: before = [], width, deadline } = options;
  const fresh = Array.from({ length: Math.max(0, items.length - from) }, (_, index) => from + index);
  const queue = [...before, ...fresh];
  const results = new Map<number, Result>();
  const interrupted: number[] = [];
  let place = 0;
  // The first fresh one is always begun: a batch without any progress would be asked for without end.
  const mayBegin = (): boolean => place < queue.length && (place <= before.length || performance.now() < deadline);
  const lane = async (): Promise<void> => {
    while (mayBegin()) {
      const index = queue[place] ?? 0;
      const wasInterrupted = place < before.length;
      place += 1;
      const item = items[index];
      if (item === undefined) continue;
      try {
        results.set(index, await work(item, wasInterrupted));
      } catch (error) {
        if (!(error instanceof OutOfTimeError)) throw error;
        interrupted.push(index);
      }
    }
  };
  await Promise.all(Array.from({ length: width }, lane));
  const next = queue[place] ?? items.length;
  return {
    results: queue.flatMap((index) => results.get(index) ?? []),
    left: next === items.length && interrupted.length === 0 ? null : { from: next, interrupted },
  };
}
