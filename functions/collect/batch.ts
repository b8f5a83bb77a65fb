import type { PeriodBounds } from '../domain/period.ts';
import { putFound, readWork, type Engagement, type Found, type Phase, type Work } from '../ledger/runs/collections.ts';
import type { Table } from '../ledger/table.ts';
import type { ReportingService } from '../reporting-service/client.ts';
import type { Tally } from '../reporting-service/coverage.ts';
import { readDate } from '../reporting-service/dates.ts';
import { OutOfTimeError, UnavailableError } from '../reporting-service/requests/request.ts';
import { countDelivery, countEngagement } from './engagement.ts';
import type { BatchResponse, CollectRequest } from './protocol.ts';
import { createRatingCollector, type RatingCollector } from './ratings.ts';
import { toleratedMs } from './seen-and-responded.ts';

/** Items under way for each request in flight: while some wait before a retry, others take their place. */
export const itemsPerRequest = 4;

/** What an item is collected with. */
export interface ItemContext {
  service: ReportingService;
  tally: Tally;
  bounds: PeriodBounds;
  /** When its lists are read, in epoch milliseconds. */
  readAt: number;
  collectRatings: RatingCollector;
}

/**
 * Collects the items of one batch and leaves their engagement in the ledger. No item is begun from `beginUntil` on, in
 * milliseconds of `performance.now()`.
 */
export async function collectBatch(
  request: CollectRequest,
  phase: Phase,
  options: Pick<ItemContext, 'service' | 'tally'> & { table: Table; beginUntil: number; now: Date },
): Promise<BatchResponse> {
  const { table, beginUntil, now, service, tally } = options;
  const { batch, from, interrupted = [], bounds } = request;
  const { concurrency, ratingFilter } = request.service;
  const work = await readWork(table, request, { phase, batch });
  const results: Array<Found<Phase>> = [];
  const collectRatings = createRatingCollector(ratingFilter, tally);
  const context = { service, tally, bounds, readAt: now.getTime(), collectRatings };
  const within = { from, interrupted, width: concurrency * itemsPerRequest, deadline: beginUntil };
  const response = await workWithin(work, within, async (item, isLastTry) => {
    results.push(await collectItem(phase, item, { ...context, isLastTry }));
  });
  await putFound(table, { ...request, now }, { phase, batch, from }, results);
  return response;
}

/**
 * Works through the `interrupted` items of an earlier worker and then those from index `from` on, `width` at a time, and
 * begins no further one after `deadline` (milliseconds of `performance.now()`). A worker has a time limit: the items that
 * it did not begin, or that an `OutOfTimeError` interrupted, are left to another one.
 */
export async function workWithin<Item>(
  items: readonly Item[],
  limits: { from: number; interrupted: readonly number[]; width: number; deadline: number },
  work: (item: Item, wasInterrupted: boolean) => Promise<void>,
): Promise<BatchResponse> {
  const { from, width, deadline } = limits;
  const again = limits.interrupted.length;
  const queue = [...limits.interrupted, ...[...items.keys()].slice(from)];
  const interrupted: number[] = [];
  let asked = 0;
  let place = 0;
  // The first fresh one is always begun: a batch without any progress would be asked for without end.
  const mayBegin = (): boolean => place <= again || performance.now() < deadline;
  const lane = async (): Promise<void> => {
    while (mayBegin()) {
      const index = queue[place] ?? items.length;
      const item = items[index];
      if (item === undefined) return;
      const wasInterrupted = place < again;
      place += 1;
      try {
        await work(item, wasInterrupted);
        asked += 1;
      } catch (error) {
        if (!(error instanceof OutOfTimeError)) throw error;
        interrupted.push(index);
      }
    }
  };
  await Promise.all(Array.from({ length: width }, lane));
  const next = queue[place] ?? items.length;
  return { asked, left: next === items.length && interrupted.length === 0 ? null : { from: next, interrupted } };
}

/** How an item of a phase is collected: what names it, and what the service says of it. */
interface Collector<P extends Phase> {
  keyOf: (work: Work<P>) => Found<P>;
  collect: (work: Work<P>, context: ItemContext) => Promise<Partial<Found<P>>>;
}

const collectors: { [P in Phase]: Collector<P> } = {
  recipients: {
    keyOf: ({ delivery }) => ({ delivery }),
    collect: async ({ delivery, createdAt, firstSign }, { service, tally, bounds, readAt }) =>
      await countDelivery(service.recipients(delivery.id), { bounds, createdAt, firstSign, readAt }, tally),
  },
  broadcasts: {
    keyOf: (id) => ({ id }),
    collect: async (id, { service, bounds, readAt }) => {
      const { name, createdAt, createdBy, contents } = await service.broadcast(id);
      const created = readDate(createdAt, bounds.timeZone).instant;
      const isWrong = created !== null && created > readAt + toleratedMs;
      return { broadcast: { name, createdAt: isWrong ? null : created, createdBy, contents } };
    },
  },
  contents: {
    keyOf: ({ delivery, content }) => ({ delivery, content: content.id }),
    collect: async ({ delivery, content, createdAt }, { service, tally, bounds, readAt, collectRatings }) => {
      const within = { bounds, createdAt, readAt };
      const count = async (filter?: { name: string; value: string }): Promise<Engagement> =>
        await countEngagement(service.contentRecipients(delivery, content.id, filter), within, tally);
      const list = await count();
      const { ratings: _ratings, unreadableRatings: _unreadable, ...engagement } = list;
      const { ratingsUnavailable, ...rated } = await collectRatings(list, content.type, count);
      return { engagement: { ...engagement, ...rated }, ...(ratingsUnavailable && { ratingsUnavailable }) };
    },
  },
};

/**
 * What the service says of an item. Where that fails, the result says why; so it does where the time of a worker is up at the
 * item's last try: it had all of one before, and another one would not be enough either.
 */
export async function collectItem<P extends Phase>(
  phase: P,
  work: Work<P>,
  { isLastTry = false, ...context }: ItemContext & { isLastTry?: boolean },
): Promise<Found<P>> {
  const { keyOf, collect } = collectors[phase];
  const key = keyOf(work);
  try {
    return { ...key, ...(await collect(work, context)) };
  } catch (error) {
    if (error instanceof UnavailableError) return { ...key, unavailable: error.unavailable };
    if (isLastTry && error instanceof OutOfTimeError) return { ...key, unavailable: { reason: 'failed' } };
    // An absurd answer makes the language throw. What the ledger, secrets and credentials throw has classes of its own, and ends all.
    if (error instanceof RangeError || error instanceof TypeError)
      return { ...key, unavailable: { reason: 'unreadable' } };
    throw error;
  }
}
