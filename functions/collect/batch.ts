import type { Configuration } from '../domain/configuration/configuration.ts';
import type { PeriodBounds } from '../domain/period.ts';
import { hasNoDateField, putFound, readWork, type Found, type Phase, type Work } from '../ledger/runs/collections.ts';
import type { Table } from '../ledger/table.ts';
import type { ReportingService } from '../reporting-service/client.ts';
import type { Tally } from '../reporting-service/coverage.ts';
import { readDate } from '../reporting-service/dates.ts';
import { OutOfTimeError } from '../reporting-service/requests/http.ts';
import { UnavailableError } from '../reporting-service/unavailable.ts';
import { collectContent } from './contents.ts';
import { countEngagement } from './engagement.ts';
import type { BatchResponse, CollectRequest } from './protocol.ts';

/** Items under way for each request in flight: while some wait before a retry, others take their place. */
const itemsPerRequest = 4;

/** What the collectors of a phase work with. `beginUntil`: no item is begun from then on, in milliseconds of `performance.now()`. */
interface PhaseContext {
  service: ReportingService;
  tally: Tally;
  table: Table;
  ratingFilter: Configuration['service']['ratingFilter'];
  beginUntil: number;
  now: Date;
}

/** Collects the items of one batch, each by its phase's own collector, and leaves what was found in the ledger. */
export async function collectBatch(
  request: CollectRequest,
  phase: Phase,
  context: PhaseContext,
): Promise<BatchResponse> {
  const { service, tally, ratingFilter } = context;
  const { bounds } = request;
  const outOfTime = { unavailable: { reason: 'failed' as const } };
  if (phase === 'recipients') {
    return await workBatch(request, phase, context, {
      collect: (work) => collectRecipients(work, { service, tally, bounds }),
      giveUp: ({ delivery }) => ({ delivery, ...outOfTime }),
    });
  }
  if (phase === 'broadcasts') {
    return await workBatch(request, phase, context, {
      collect: (id) => collectBroadcast(id, { service, bounds }),
      giveUp: (id) => ({ id, ...outOfTime }),
    });
  }
  return await workBatch(request, phase, context, {
    collect: (work) => collectContent(work, { service, tally, bounds, ratingFilter }),
    giveUp: ({ delivery, content }) => ({ delivery, content: content.id, ...outOfTime }),
  });
}

async function workBatch<P extends Phase>(
  request: CollectRequest,
  phase: P,
  { table, beginUntil, now }: PhaseContext,
  item: { collect: (work: Work<P>) => Promise<Found<P>>; giveUp: (work: Work<P>) => Found<P> },
): Promise<BatchResponse> {
  const { batch, from, interrupted: before = [], concurrency } = request;
  const work = await readWork(table, request, { phase, batch });
  const { results, next, interrupted } = await collectWithin(
    work,
    { from, interrupted: before, width: concurrency * itemsPerRequest, deadline: beginUntil },
    async (one, wasInterrupted) => {
      try {
        return await item.collect(one);
      } catch (error) {
        // It had all the time that a worker has: another one would not be enough either.
        if (wasInterrupted && error instanceof OutOfTimeError) return item.giveUp(one);
        throw error;
      }
    },
  );
  await putFound(table, { ...request, now }, { phase, batch, from }, results);
  return { asked: results.length, next, interrupted };
}

/** How far a worker got with a batch. */
interface BatchProgress<Result> {
  /** In the order in which the items were begun. */
  results: Result[];
  /** The first item that was not begun; `null` where all were. */
  next: number | null;
  /** Items that were begun and not finished when the time was up. */
  interrupted: number[];
}

/**
 * Works through the `interrupted` items of an earlier worker and then those from index `from` on, `width` at a time, and
 * begins no further one after `deadline` (milliseconds of `performance.now()`). A worker has a time limit: the items that
 * it did not begin, or that an `OutOfTimeError` interrupted, are left to another one.
 */
export async function collectWithin<Item, Result>(
  items: readonly Item[],
  options: { from: number; interrupted?: readonly number[]; width: number; deadline: number },
  work: (item: Item, wasInterrupted: boolean) => Promise<Result>,
): Promise<BatchProgress<Result>> {
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
  return {
    results: queue.flatMap((index) => {
      const result = results.get(index);
      return result === undefined ? [] : [result];
    }),
    next: place < queue.length ? (queue[place] ?? null) : null,
    interrupted,
  };
}

/**
 * Counts what a delivery's recipients did. Where that fails, the result says why. A recipient is on this list for having
 * done something (interface, section 4.4): where no row has either date, they have other names, and the list is unreadable.
 */
export async function collectRecipients(
  { delivery, createdAt }: Work<'recipients'>,
  options: { service: ReportingService; tally: Tally; bounds: PeriodBounds },
): Promise<Found<'recipients'>> {
  const { service, tally, bounds } = options;
  try {
    const engagement = await countEngagement(service.recipients(delivery.id), { bounds, createdAt }, tally);
    return hasNoDateField(engagement) ? { delivery, unavailable: { reason: 'unreadable' } } : { delivery, engagement };
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    return { delivery, unavailable: error.unavailable };
  }
}

/** Asks for a broadcast and its content items. Where that fails, the result says why. */
export async function collectBroadcast(
  id: Work<'broadcasts'>,
  options: { service: ReportingService; bounds: PeriodBounds },
): Promise<Found<'broadcasts'>> {
  try {
    const { name, createdAt, createdBy, contents } = await options.service.broadcast(id);
    const created = readDate(createdAt, options.bounds.timeZone).instant;
    return { id, broadcast: { name, createdAt: created, createdBy, contents } };
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    return { id, unavailable: error.unavailable };
  }
}
