import type { Configuration } from '../domain/configuration/configuration.ts';
import { putFound, readWork, type Found, type Phase, type Work } from '../ledger/runs/collections.ts';
import type { Table } from '../ledger/table.ts';
import type { ReportingService } from '../reporting-service/client.ts';
import type { Tally } from '../reporting-service/coverage.ts';
import { OutOfTimeError } from '../reporting-service/requests/http.ts';
import { collectWithin } from './batch.ts';
import { collectBroadcast } from './broadcasts.ts';
import { collectContent } from './contents.ts';
import type { BatchResponse, CollectRequest } from './protocol.ts';
import { collectRecipients } from './recipients.ts';

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
