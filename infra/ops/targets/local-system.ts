import { failureNamed } from '../../../functions/run/failure.ts';
import type { Credentials } from '../../../functions/reporting-service/tokens/credentials.ts';
import type { DurableExecution } from '../../local/emulators/lambda/durable-engine.ts';
import { dueAt } from '../../../functions/domain/schedule.ts';
import { keepSampleFigures } from '../../local/sample-account/kept-figures.ts';
import { startSampleAccount } from '../../local/sample-account/server.ts';
import { stateFolder } from '../../local/state-folder.ts';
import { functionName, startSystem } from '../../local/system.ts';
import { outcomeOfAnswer, type RunTarget, type TriggerOutcome } from './target.ts';
import type { LedgerPlace } from '../../local/state-folder.ts';
import { localOperator, servePagesOf } from './local-ledger.ts';
import { localFlags } from '../../local/command-line/place-flags.ts';
import { scanTable } from '../addresses/scan.ts';
import { loadConfiguration } from '../../config.ts';

/** Where a local system keeps its ledger and mails, and which service it asks. */
export interface SystemPlace extends LedgerPlace {
  service: { url: string; credentials: Credentials } | null;
}

/**
 * The whole system on local parts, with the sample account as of `asOf` unless a service is given. Where a part cannot be
 * started, those before it are closed.
 *
 * @throws {StateInUseError} where a run uses the service's state folder
 * @throws {StorageError} where a folder cannot be used, or its files are damaged
 */
export async function openLocalSystem(place: SystemPlace, asOf: string): Promise<RunTarget> {
  await using started = new AsyncDisposableStack();
  const state = stateFolder(place.state, place.service);
  const { url: baseUrl, credentials } = place.service ?? started.use(await startSampleAccount({ asOf }));
  const overlay = { service: { baseUrl }, mail: { settleMinutes: 0 } };
  const configuration = loadConfiguration({ environment: place.environment, overlay });
  const system = await startSystem({ configuration, credentials, out: place.out, state });
  started.defer(() => system.close());
  if (place.service === null) {
    for (const report of configuration.reports) {
      const { period } = dueAt(report.schedule, asOf);
      await keepSampleFigures(system.table, configuration, report, period);
    }
  }
  const parts = started.move();
  return {
    stack: null,
    configuration,
    table: system.table,
    scan: () => scanTable(system.client, system.tableName),
    operator: localOperator(),
    flags: localFlags(place),
    outbox: place.out,
    liftFromAccount: () => Promise.resolve(null),
    readPagePlace: () => Promise.resolve(null),
    servePages: servePagesOf(state, configuration),
    trigger: (payload, { say }) => {
      let calls = 0;
      const onInvoke = (): void => say?.(`Collecting: ${(calls += 1)} calls of the worker so far …`);
      const execution = system.lambda.executeDurable(functionName('run'), payload, { onInvoke });
      return Promise.resolve({ ended: async () => outcomeOf(await execution) });
    },
    close: () => parts.disposeAsync(),
  };
}

function outcomeOf({ status, result, error }: DurableExecution): TriggerOutcome {
  if (status === 'SUCCEEDED') return outcomeOfAnswer(result);
  return { status: 'failed', failure: failureNamed(error?.errorType, error?.errorMessage) };
}
