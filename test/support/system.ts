import { join } from 'node:path';
import { requireRun } from '../../functions/ledger/runs/runs.ts';
import { failureIn } from '../../functions/domain/failures.ts';
import { putTriggerSubscribers } from '../../functions/ledger/persons/persons.ts';
import { readReceipt } from '../../functions/run/receipt/receipt.ts';
import type { DurableExecution } from '../../infra/local/emulators/lambda/durable-engine.ts';
import { functionName, startSystem } from '../../infra/local/system.ts';
import { configurationWith } from './configuration.ts';
import { named } from './named.ts';
import type { Service } from './service/service.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A local system that asks one service. */
export type SystemOf = Awaited<ReturnType<typeof startSystemOf>>;

type Options = Partial<Parameters<typeof startSystem>[0]> & { settings?: object; folder?: string };

/** Starts the system of the tests' configuration for a service, by default in folders of its own; unknown outcomes are settled at once. */
export async function startSystemOf({ url, credentials }: Pick<Service, 'url' | 'credentials'>, given: Options = {}) {
  const { settings = {}, folder = temporaryFolder(), ...options } = given;
  const folders = { out: join(folder, 'out'), state: join(folder, 'state') };
  const configuration = configurationWith({ service: { baseUrl: url }, mail: { settleMinutes: 0 }, ...settings });
  const started = { configuration, credentials, ...folders, ...options };
  const system = await startSystem(started);
  const { table } = system;
  /** Hands the run function an event, and waits for its end. */
  const execute = (event: object): Promise<DurableExecution> =>
    system.lambda.executeDurable(functionName('run'), event);
  return {
    ...system,
    /** The outbox, and the state folder. */
    out: started.out,
    state: started.state,
    execute,
    [Symbol.asyncDispose]: system.close,
    /** As `execute`, until what SES reports is in the ledger, too. Throws where a run failed or an order was refused. */
    carryOut: async (event: object) => {
      const execution = await execute(event);
      requireCarriedOut(execution);
      await system.eventsSettled();
      return execution;
    },
    /** Leaves addresses in the ledger; the key that a trigger passes. */
    subscribersOf: (...addresses: string[]) =>
      putTriggerSubscribers(table, addresses, { keepMonths: 26, now: new Date() }),
    /** The receipt of a report's run for the period of that name, as it reads at an instant: epoch milliseconds. */
    receiptOf: async (report: string, period: string, at = Date.now()) =>
      await readReceipt(table, await requireRun(table, report, named(period)), at),
  };
}

/** Throws where an execution failed, and where it answered that its run failed or its order was refused. */
export function requireCarriedOut({ status, error, result }: DurableExecution): void {
  const failure = status === 'SUCCEEDED' ? failureIn(result) : error;
  if (status !== 'SUCCEEDED' || failure !== null) throw new Error(`The run failed: ${JSON.stringify(failure)}`);
}
