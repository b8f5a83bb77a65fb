import { failureOf } from '../../functions/run/failure.ts';
import { loadConfiguration } from '../config.ts';
import type { DurableExecution } from '../local/embedded/durable-execution.ts';
import { startSampleAccount } from '../local/sample-account/server.ts';
import { functionName, startSystem } from '../local/system.ts';
import { tableName } from '../local/table-name.ts';
import type { RunDesk, TriggerOutcome } from './desk.ts';
import { localOperator, today, type LocalPlace } from './local-ledger.ts';
import { scanTable } from './scan.ts';

/** The whole system on embedded parts, with the sample account as it is at `asOf` unless a service is given. */
export async function openLocalSystem(place: LocalPlace, asOf: string): Promise<RunDesk> {
  const sample = place.service === null ? await startSampleAccount({ asOf }) : null;
  const service = place.service ?? {
    url: sample?.url ?? '',
    credentials: sample?.credentials ?? { id: '', secret: '' },
  };
  const overlay = { service: { baseUrl: service.url }, mail: { settleMinutes: 0 } };
  const configuration = loadConfiguration({ today: today(), environment: place.environment, overlay });
  const { out, state } = place;
  const system = await startSystem({ configuration, credentials: service.credentials, out, state });
  return {
    configuration,
    table: system.table,
    scan: () => scanTable(system.client, tableName),
    operator: localOperator(),
    liftFromAccount: () => Promise.resolve(null),
    trigger: (payload, { say }) => {
      let calls = 0;
      const onInvoke = (): void => say(`Collecting: ${(calls += 1)} calls of the worker so far …`);
      const execution = system.lambda.executeDurable(functionName('run'), payload, { onInvoke });
      return Promise.resolve({ ended: async () => outcomeOf(await execution) });
    },
    close: async () => {
      await system.close();
      await sample?.close();
    },
  };
}

function outcomeOf({ status, result, error }: DurableExecution): TriggerOutcome {
  if (status === 'SUCCEEDED') return { status: 'succeeded', result };
  const cause = new Error(error?.errorMessage ?? '');
  cause.name = error?.errorType ?? '';
  return { status: 'failed', failure: failureOf(cause) };
}
