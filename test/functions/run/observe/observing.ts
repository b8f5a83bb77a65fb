import { setTimeout as sleep } from 'node:timers/promises';
import { CodedError } from '../../../../functions/domain/failures.ts';
import { followDeliveries } from '../../../../functions/collect/observation/followed-batches.ts';
import { readBatch } from '../../../../functions/collect/observation/read.ts';
import * as protocol from '../../../../functions/collect/protocol.ts';
import type { DeliveryFacts } from '../../../../functions/domain/facts.ts';
import { readFacts } from '../../../../functions/ledger/facts.ts';
import { closings, requestsOfWorkers } from '../../../../functions/ledger/observations.ts';
import type { Table } from '../../../../functions/ledger/table.ts';
import { observe } from '../../../../functions/run/observe/observe.ts';
import type { Need, Observation } from '../../../../functions/run/observe/turn.ts';
import { replayExecution } from '../../../support/aws/replayed-execution.ts';
import type { Service } from '../../../support/service/service.ts';
import type { Configuration } from '../../../../functions/domain/configuration/configuration.ts';
import { connectTo, type Connection } from '../../reporting-service/connect.ts';
import { configured } from '../configured.ts';

/** How an execution observes, where it is not as usual. */
export interface Observing {
  need?: Need;
  clock?: string;
  /** Called before each request to the worker is carried out: it may throw, by which the execution dies. */
  onRequest?: (request: protocol.ObserveRequest) => void;
  /** A worker has time for one delivery. */
  isSlow?: boolean;
  /** Every step is run twice, as where its execution died before the first result was kept. */
  repeats?: boolean;
  /** Whether a worker dies after its work, before it answers. */
  dies?: (request: protocol.ObserveRequest) => boolean;
}

let executions = 0;

/** Observes the account that a service has, in executions of their own, with workers in this process. */
export function observerOf({ url, credentials }: Pick<Service, 'url' | 'credentials'>, table: Table) {
  const configuration = configured({ service: { baseUrl: url, account: 'account' } });
  const readCredentials = () => Promise.resolve(credentials);
  return observerWith((settings) => connectTo(url, { settings, readCredentials }), { configuration, table });
}

export type Connect = (settings: Configuration['service']) => Pick<Connection, 'service' | 'tally'>;

/** The same, over a connection of one's own to each worker. */
export function observerWith(
  connect: Connect,
  { configuration, table }: { configuration: Configuration; table: Table },
) {
  const worker = async (request: protocol.ObserveRequest, { onRequest, isSlow = false }: Observing) => {
    onRequest?.(request);
    const { service, tally } = connect(request.service);
    const now = new Date();
    const options = { service, tally, table, beginUntil: isSlow ? 0 : Infinity, now };
    try {
      if (request.phase === 'read') return await readBatch(request, options);
      const { deliveries, batches } = await followDeliveries(request, options);
      return { deliveries, batches };
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      return { failure: { code: error.name, message: error.message } };
    } finally {
      await requestsOfWorkers.put(table, { ...request, now }, tally.coverage, crypto.randomUUID());
    }
  };
  return {
    observe: async (observing: Observing = {}): Promise<Observation> => {
      const { need = { endMs: 0 }, clock } = observing;
      const durableExecutionArn = `execution-${(executions += 1)}`;
      const stack = { isLocal: false, collectFunctionName: 'collect:1' };
      const { result } = await replayExecution(
        async (context) => {
          Object.assign(context.executionContext, { durableExecutionArn });
          const once = { ...context };
          const step = (name: string, work: () => Promise<unknown>) => once.step(name, () => work().then(work));
          if (observing.repeats) Object.assign(context, { step });
          return await observe(context, need, { configuration, table, accountClock: clock, ...stack });
        },
        () => sleep(5),
        async (input) => {
          const request = protocol.parseObserveRequest(JSON.parse(JSON.stringify(input)));
          const answer = await worker(request, observing);
          return observing.dies?.(request) ? { failed: 'Task timed out after 900.00 seconds' } : { answer };
        },
      );
      return result;
    },
    /** All facts of an account, by delivery. */
    factsOf: async (account = 'account'): Promise<Map<string, DeliveryFacts>> => {
      const months = { account, fromMs: Date.UTC(2026, 8), untilMs: Date.now() };
      const facts = await readFacts(table, months);
      return new Map(facts.map((delivery) => [delivery.id, delivery]));
    },
    closingOf: async (observation: Observation) => {
      const closing = await closings.read(table, observation);
      if (closing === null) throw new Error('The observation was not closed.');
      return closing;
    },
  };
}
