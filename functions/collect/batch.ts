import type { PeriodBounds } from '../domain/period.ts';
import { putFound, readWork, type Engagement, type Found, type Phase, type Work } from '../ledger/runs/collections.ts';
import type { Table } from '../ledger/table.ts';
import type { ReportingService } from '../reporting-service/client.ts';
import type { Tally } from '../reporting-service/coverage.ts';
import { readDate } from '../reporting-service/dates.ts';
import { OutOfTimeError } from '../reporting-service/requests/request.ts';
import { UnavailableError } from '../reporting-service/unavailable.ts';
import { countDelivery, countEngagement, toleratedMs } from './engagement.ts';
import type { BatchResponse } from './protocol.ts';
import type { CollectRequest } from './request.ts';
import { createRatingCollector, type RatingCollector } from './ratings.ts';
import { workWithin } from './time-limit.ts';

/** Items under way for each request in flight: while some wait before a retry, others take their place. */
const itemsPerRequest = 4;

/** What an item is collected with. */
export interface ItemContext {
  service: ReportingService;
  tally: Tally;
  bounds: PeriodBounds;
  /** When its lists are read, in epoch milliseconds. */
  readAt: number;
  collectRatings: RatingCollector;
}

/** What a batch is collected with. `beginUntil`: no item is begun from then on, in milliseconds of `performance.now()`. */
interface BatchContext extends Pick<ItemContext, 'service' | 'tally'> {
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
  const { batch, from, interrupted = [], bounds } = request;
  const { concurrency, ratingFilter } = request.service;
  const work = await readWork(table, request, { phase, batch });
  const found: Array<Found<Phase>> = [];
  const collectRatings = createRatingCollector(ratingFilter, context.tally);
  const within = { from, interrupted, width: concurrency * itemsPerRequest, deadline: beginUntil };
  const response = await workWithin(work, within, async (one, isLastTry) => {
    found.push(await collectItem(phase, one, { ...context, bounds, readAt: now.getTime(), collectRatings, isLastTry }));
  });
  await putFound(table, { ...request, now }, { phase, batch, from }, found);
  return response;
}

/** How an item of a phase is collected: what names it, and what is found of it. */
interface Collector<P extends Phase> {
  keyOf: (work: Work<P>) => Found<P>;
  find: (work: Work<P>, context: ItemContext) => Promise<Partial<Found<P>>>;
}

const collectors: { [P in Phase]: Collector<P> } = {
  recipients: {
    keyOf: ({ delivery }) => ({ delivery }),
    find: async ({ delivery, createdAt, firstSign }, { service, tally, bounds, readAt }) =>
      await countDelivery(service.recipients(delivery.id), { bounds, createdAt, firstSign, readAt }, tally),
  },
  broadcasts: {
    keyOf: (id) => ({ id }),
    find: async (id, { service, bounds, readAt }) => {
      const { name, createdAt, createdBy, contents } = await service.broadcast(id);
      const created = readDate(createdAt, bounds.timeZone).instant;
      const isWrong = created !== null && created > readAt + toleratedMs;
      return { broadcast: { name, createdAt: isWrong ? null : created, createdBy, contents } };
    },
  },
  contents: {
    keyOf: ({ delivery, content }) => ({ delivery, content: content.id }),
    find: async ({ delivery, content, createdAt }, { service, tally, bounds, readAt, collectRatings }) => {
      const within = { bounds, createdAt, readAt };
      const count = async (filter?: { name: string; value: string }): Promise<Engagement> =>
        await countEngagement(service.contentRecipients(delivery, content.id, filter), within, tally);
      return await collectRatings(await count(), content.type, count);
    },
  },
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
