import type { Configuration } from '../domain/configuration/configuration.ts';
import { putFound, readWork, type Found, type Phase, type Work } from '../ledger/runs/collections.ts';
import type { Table } from '../ledger/table.ts';
import type { ReportingService } from '../reporting-service/client.ts';
import type { Tally } from '../reporting-service/coverage.ts';
import { OutOfTimeError } from '../reporting-service/requests/http.ts';
import { collectWithin } from './batch.ts';
import { collectBroadcast } from './broadcasts.ts';
import { collectContent } from './contents.ts';
import type { CollectResponse, CollectRequest } from './protocol.ts';
import { collectRecipients } from './recipients.ts';

/** Items under way for each request in flight: while some wait to be tried again, others take their place. */
const itemsPerRequest = 4;

/** What the collectors of a pass work with. `beginUntil`: no item is begun from then on, in milliseconds of `performance.now()`. */
export interface PhaseContext {
  service: ReportingService;
  tally: Tally;
  table: Table;
  ratingFilter: Configuration['service']['ratingFilter'];
  beginUntil: number;
}

/** The items of one batch of a pass, each by the pass's own collector. Leaves what was found in the ledger. */
export async function collectBatch(
  order: CollectRequest,
  pass: Phase,
  context: PhaseContext,
): Promise<CollectResponse> {
  const { service, tally, ratingFilter } = context;
  const { window } = order;
  const outOfTime = { unavailable: { reason: 'failed' as const } };
  if (pass === 'recipients') {
    return await workBatch(order, pass, context, {
      collect: (delivery) => collectRecipients(delivery, { service, tally, window }),
      giveUp: (delivery) => ({ delivery, ...outOfTime }),
    });
  }
  if (pass === 'broadcasts') {
    return await workBatch(order, pass, context, {
      collect: (id) => collectBroadcast(id, { service, window }),
      giveUp: (id) => ({ id, ...outOfTime }),
    });
  }
  return await workBatch(order, pass, context, {
    collect: (work) => collectContent(work, { service, tally, window, ratingFilter }),
    giveUp: ({ delivery, content }) => ({ delivery, content: content.id, ...outOfTime }),
  });
}

async function workBatch<P extends Phase>(
  order: CollectRequest,
  pass: P,
  { table, beginUntil }: PhaseContext,
  item: { collect: (work: Work<P>) => Promise<Found<P>>; giveUp: (work: Work<P>) => Found<P> },
): Promise<CollectResponse> {
  const { batch, from, again: before = [], concurrency } = order;
  const work = await readWork(table, order, pass, batch);
  const { results, next, again } = await collectWithin(
    work,
    { from, again: before, width: concurrency * itemsPerRequest, deadline: beginUntil },
    async (one, isAgain) => {
      try {
        return await item.collect(one);
      } catch (error) {
        // It had the whole time of a worker: another one would not be enough either.
        if (isAgain && error instanceof OutOfTimeError) return item.giveUp(one);
        throw error;
      }
    },
  );
  await putFound(table, order, pass, { batch, from }, results);
  return { pass, asked: results.length, next, again: again ?? [] };
}
