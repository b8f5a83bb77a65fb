import { randomUUID } from 'node:crypto';
import type { DurableContext } from '@aws/durable-execution-sdk-js';
import { Temporal } from 'temporal-polyfill';
import type { ReportConfiguration } from '../domain/configuration/configuration.ts';
import { batchResponseSchema, type BatchResponse, type CollectRequest } from '../collect/protocol.ts';
import { boundsFor } from '../warnings/due.ts';
import { areItemsAudience } from '../warnings/judged-report.ts';
import {
  type CollectionKey,
  type Phase,
  putBatches,
  type ListedDelivery,
  type Work,
} from '../ledger/runs/collections.ts';
import { recordCollection } from '../ledger/runs/runs.ts';
import type { Dependencies } from './dependencies.ts';
import { RunError } from './failure.ts';
import { invokeCollect } from './invoke-collect.ts';
import { retryUnexpected } from './retry.ts';
import { createdAtOf, type Collected } from './collected.ts';
import { readCollection, type Reading } from './reading.ts';
import type { Plan } from './plan/plan.ts';

/** A collection that is complete in the ledger. */
export interface Collection extends CollectionKey {
  /** Reads what it found. */
  read: () => Promise<Reading>;
}

/**
 * Has the worker collect everything that the period's digest needs: the list; the broadcasts of deliveries that are new to
 * the ledger; the recipients of each delivery with a wanted status; each other broadcast that is needed; the content items of each
 * included delivery. Each is a number of batches, one after the other. What they find stays in the ledger, and only counts
 * are returned here. Throws a `RunError` with the worker's reason where nothing can be collected, and before more is
 * collected than a run has memory for.
 */
export async function collect(
  context: DurableContext,
  plan: Plan,
  options: Pick<Dependencies, 'configuration' | 'table' | 'collectFunctionName'> & {
    report: ReportConfiguration;
    /** Whether the collection is recorded as the run's; one for a test mail is not. */
    record: boolean;
  },
): Promise<Collection> {
  const { table, report } = options;
  const { service } = options.configuration;
  const { run, period } = plan;
  const begin = async () => {
    const collection = randomUUID();
    const begunAt = Temporal.Now.instant().epochMilliseconds;
    if (options.record) await recordCollection(table, plan, collection);
    return { collection, begunAt };
  };
  const { collection, begunAt } = await context.step('begin the collection', begin, retryUnexpected);
  const key = { run, collection };
  const bounds = boundsFor(report, period, begunAt);
  const common = { ...key, bounds, service, statuses: report.statuses };
  const ask = askerOf(context, options.collectFunctionName, common);
  const read = () => readCollection(table, key, { report, service, period, collectedAt: begunAt });

  await ask('list', { phase: 'list', batch: 0, from: 0 });
  let batch = 0;
  for (const { name, phase, select } of selections) {
    const from = batch;
    const store = async (): Promise<number> => {
      const reading = await read();
      const work = select(reading);
      const { wanted, undecided } = reading.collected;
      refuseMore('deliveries', wanted.filter(({ id }) => !undecided.has(id)).length);
      if (phase === 'contents') refuseMore('content items', work.length);
      return await putBatches(table, { ...key, now: new Date() }, { phase, work, largest: largest[phase], from });
    };
    // One after the other: one worker keeps as many requests in flight as are allowed.
    for (const end = await context.step(`select ${name}`, store, retryUnexpected); batch < end; batch += 1) {
      await collectBatch(phase, batch, ask);
    }
  }
  return { ...key, read };
}

/** Collects a batch: what a worker had no time for is left to the next one. */
async function collectBatch(phase: Phase, batch: number, ask: Ask): Promise<void> {
  for (let left: BatchResponse['left'] = { from: 0, interrupted: [] }; left !== null;) {
    const name = `${phase} ${batch}${left.from === 0 ? '' : ` from ${left.from}`}`;
    ({ left } = await ask(name, { phase, batch, ...left }));
  }
}

type Part = Pick<CollectRequest, 'phase' | 'batch' | 'from' | 'interrupted'>;
/** Invokes the worker, under a name in the durable history, and reads its response. */
type Ask = (name: string, part: Part) => Promise<BatchResponse>;

function askerOf(context: DurableContext, functionName: string, common: Omit<CollectRequest, keyof Part>): Ask {
  return async (name, part) => {
    const request: CollectRequest = { ...common, ...part };
    return await invokeCollect(context, name, { functionName, request, schema: batchResponseSchema });
  };
}

/** The most that a run holds: with both, `run` takes half of its memory, and what is remembered of earlier digests a quarter. */
const mostHeld = { deliveries: 50_000, 'content items': 250_000 };

function refuseMore(things: keyof typeof mostHeld, count: number): void {
  if (count <= mostHeld[things]) return;
  const message =
    `The report would have to read ${count} ${things}, and a run holds ${mostHeld[things]} at most: nothing more was collected. ` +
    'Choose fewer with "only" of the report, or with "service.deliveries.query".';
  throw new RunError('account-too-large', message);
}

const largest = { recipients: 1_000, broadcasts: 1_000, contents: 5_000 } as const;

/** What a phase asks for, by what the phases before it found. */
export type Selection<P extends Phase> = {
  /** Names it in the durable history. */
  name: string;
  phase: P;
  select: (reading: Reading) => ReadonlyArray<Work<P>>;
};

/** The phases after the list, in their order. */
export const selections: ReadonlyArray<{ [P in Phase]: Selection<P> }[Phase]> = [
  {
    name: 'new broadcasts',
    phase: 'broadcasts',
    select: ({ collected, toRead }) => newBroadcasts({ ...collected, wanted: toRead }),
  },
  {
    name: 'recipients',
    phase: 'recipients',
    select: ({ collected, toRead }) =>
      toRead.map((delivery) => {
        const { firstSign = null } = collected.history?.deliveries.get(delivery.id) ?? {};
        return { delivery, createdAt: createdAtOf(delivery, collected), firstSign };
      }),
  },
  {
    name: 'broadcasts',
    phase: 'broadcasts',
    select: ({ collected, included }) =>
      askable(included.map(({ delivery }) => delivery)).filter((id) => !collected.broadcasts.has(id)),
  },
  {
    name: 'content items',
    phase: 'contents',
    select: ({ collected, included, judgedReport }) =>
      included.flatMap(({ delivery, kind }) => {
        // Of what a warning reads, only what says how many people it is for, or whether nobody has seen it.
        const isNeeded = judgedReport === undefined || kind === 'silent' || areItemsAudience(judgedReport);
        return isNeeded ? contentsOf(delivery, collected) : [];
      }),
  },
];

/**
 * The broadcasts that have to be known before the recipients: of deliveries that are new to the ledger, because engagement
 * long before the broadcast's creation comes from a wrong clock; and of those of which the list does not say whether the report
 * is about them, or leaves them out.
 */
function newBroadcasts({ wanted, others, undecided, maybeExcepted, history }: Collected): string[] {
  const isNew = ({ id }: ListedDelivery): boolean => history?.deliveries.get(id)?.createdAt === undefined;
  const isOpen = ({ id }: ListedDelivery): boolean => undecided.has(id) || maybeExcepted.has(id);
  return askable([...wanted.filter((delivery) => isNew(delivery) || isOpen(delivery)), ...others.filter(isOpen)]);
}

/** The broadcasts of deliveries, each once. The broadcast of a delivery that came without its id cannot be asked for. */
function askable(deliveries: readonly ListedDelivery[]): string[] {
  return [...new Set(deliveries.map(({ broadcast }) => broadcast.id))].filter((id) => id !== '');
}

function contentsOf(delivery: ListedDelivery, collected: Collected): Array<Work<'contents'>> {
  const contents = collected.broadcasts.get(delivery.broadcast.id)?.broadcast?.contents ?? [];
  const createdAt = createdAtOf(delivery, collected);
  return contents.map((content) => ({ delivery: delivery.id, content, createdAt }));
}
