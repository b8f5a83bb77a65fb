import { basename, join } from 'node:path';
import { Temporal } from 'temporal-polyfill';
import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import type { Due } from '../../../functions/domain/schedule.ts';
import { accountOf } from '../../../functions/domain/configuration/account.ts';
import { readRun } from '../../../functions/ledger/runs/runs.ts';
import { judgeBounces } from '../../../functions/watch/judge-bounces.ts';
import { withoutHolds } from '../../local/dry-run.ts';
import { localTableName } from '../../local/emulators/dynamodb.ts';
import { startSampleAccount } from '../../local/sample-account/server.ts';
import { functionName, startSystem } from '../../local/system.ts';
import { checkFolder } from '../command-line/flags.ts';
import { localTarget } from './local-ledger.ts';
import { serviceOf, stateFolderOf, type Place } from './place.ts';
import { scanTable, triggerOutcomeOf, type RunTarget } from './target.ts';

/** What is about to run on a local system. */
export type LocalDue = { report: ReportConfiguration; due: Due };

/** How `npm start` has a local system work. */
export interface LocalOptions {
  sendRate?: number;
  /** An AWS emulator instead of the embedded parts. */
  awsEndpoint?: string;
  /** The folder of a copy of the ledger: it works there, with an outbox of its own, and holds nothing. */
  copy?: string | undefined;
}

/**
 * The whole system on local parts, with the sample account unless the place names a service. Where a part cannot be started, those before it are closed.
 *
 * @throws {UsageError} where a folder cannot be used, or credentials are missing
 * @throws {StateInUseError} where a run uses the service's state folder
 * @throws {LocalError} where a folder cannot be used, or an AWS emulator does not do its part
 */
export async function openLocalSystem(
  place: Place,
  run?: LocalDue,
  { sendRate, awsEndpoint: url, copy }: LocalOptions = {},
): Promise<RunTarget & { outbox: string }> {
  checkFolder('out', place.out);
  const service = serviceOf(place);
  const folder = stateFolderOf(place);
  await using started = new AsyncDisposableStack();
  const state = copy ?? folder;
  const outbox = copy === undefined ? place.out : join(copy, 'outbox');
  const awsEndpoint = url === undefined ? undefined : { url, tableName: `${localTableName}-${basename(folder)}` };
  const asOf = run?.due.scheduledTime ?? new Date().toISOString();
  const { url: baseUrl, credentials } = service ?? started.use(await startSampleAccount({ asOf }));
  const { mail, service: settings } = place.configuration;
  const configuration = {
    ...place.configuration,
    // The sample account's port is another one at every start.
    service: { ...settings, baseUrl, account: service === null ? 'sample' : accountOf({ baseUrl }) },
    mail: { ...mail, settleMinutes: 0 },
  };
  const system = await startSystem({
    credentials,
    state,
    out: outbox,
    sendRate,
    // The sample account says its own present.
    environment: service === null ? { ACCOUNT_CLOCK: asOf } : {},
    ...(copy === undefined ? { configuration, awsEndpoint } : { configuration: withoutHolds(configuration) }),
  });
  started.defer(() => system.close());
  await judgeBounces(system.table, Temporal.Now.instant());
  const known = run && (await readRun(system.table, run.report.name, run.due.period));
  // They load while this process works. A run that is done asks for nothing but its receipt.
  const others = known?.state === 'done' ? [] : ['collect' as const, 'feedback' as const];
  void system.lambda.warm(['run' as const, ...others].map(functionName));
  if (copy !== undefined && awsEndpoint !== undefined) {
    const { copyLedger } = await import('../../local/aws-endpoint.ts');
    await copyLedger(awsEndpoint, system);
  }
  const parts = started.move();
  return {
    ...localTarget({ ...place, configuration }, state),
    outbox,
    table: system.table,
    scan: (tableName = system.tableName) => scanTable(system.client, tableName),
    trigger: (payload) => {
      const execution = system.lambda.executeDurable(functionName('run'), payload);
      return Promise.resolve(async () => {
        const ended = await execution;
        await system.eventsSettled();
        return triggerOutcomeOf(ended);
      });
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}
