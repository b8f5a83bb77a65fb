import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deliveriesAsOf } from '../../../infra/local/sample-account/account.ts';
import { putWork } from '../../../functions/ledger/runs/collections.ts';
import { createTable, type Table } from '../../../functions/ledger/table.ts';
import { buildBundles } from '../../../infra/build/bundles.ts';
import { loadConfiguration } from '../../../infra/config.ts';
import { openLedger } from '../../../infra/local/emulators/dynamodb.ts';
import { startSecretsManager } from '../../../infra/local/emulators/secrets-manager.ts';
import type { ChildTask, ChildReport } from './collect-child.ts';
import type { Deviation } from './deviation.ts';
import { canaries, period, scheduledTime } from './fault-runs.ts';
import { startFaultyAccount, type FaultyAccount } from './faulty-account.ts';

const run = promisify(execFile);

/** A ledger, credentials and a sample account with faults for programs in processes of their own. */
export interface Stage {
  account: FaultyAccount;
  table: Table;
  /** The variables with which a program finds it all. */
  environment: Record<string, string>;
  /** Runs the worker's bundle alone: the list, then the recipients of each wanted delivery. */
  collect(options: {
    deviation: Deviation;
    collection: string;
    remainingMs?: number;
    concurrency?: number;
  }): Promise<ChildReport>;
  /** Runs a program of this folder with an argument as JSON, and gives the JSON in its last line. */
  program(name: string, argument: unknown): Promise<unknown>;
  close(): Promise<void>;
}

/** Starts the stage; the worker is bundled with `service` laid over its settings. */
export async function startStage(service: Record<string, unknown> = {}): Promise<Stage> {
  const credentials = { id: 'client-of-the-matrix', secret: canaries.secret };
  const account = await startFaultyAccount({ asOf: scheduledTime, credentials });
  const folder = await mkdtemp(join(tmpdir(), 'stage-'));
  const overlay = { service: { baseUrl: account.url, timeout: 1, ...service } };
  const bundles = await buildBundles(loadConfiguration({ overlay }), join(folder, 'bundles'));
  const ledger = await openLedger(join(folder, 'state'), 'ledger');
  const { client } = ledger;
  const secretsManager = await startSecretsManager({ credentials: JSON.stringify(credentials) });
  const keys = { AWS_REGION: 'eu-west-1', AWS_ACCESS_KEY_ID: 'child', AWS_SECRET_ACCESS_KEY: 'embedded' };
  const environment = {
    ...keys,
    AWS_ENDPOINT_URL_DYNAMODB: ledger.url,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secretsManager.url,
    TABLE_NAME: 'ledger',
    SECRET_NAME: 'credentials',
  };
  const program = async (name: string, argument: unknown): Promise<unknown> => {
    const path = join(import.meta.dirname, name);
    const options = { env: { PATH: process.env['PATH'] ?? '', ...environment }, maxBuffer: 64 * 1024 * 1024 };
    const { stdout } = await run(process.execPath, [path, JSON.stringify(argument)], options);
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  };
  return {
    account,
    table: createTable(client, 'ledger'),
    environment,
    program,
    collect: async ({ deviation, collection, remainingMs = 900_000, concurrency = 8 }) => {
      account.depart(deviation);
      const start = Date.parse(period.start);
      const end = Date.parse(period.end);
      const bounds = { start, end, timeZone: 'Europe/London' };
      const request = { run: 'alone', collection, report: 'weekly', concurrency, bounds };
      // What the run would choose of the list.
      const delivered = deliveriesAsOf(scheduledTime).filter(({ status }) => status === 'delivered');
      const work = delivered.map((delivery) => ({ delivery, createdAt: null }));
      const key = { run: 'alone', collection, now: new Date() };
      await putWork(createTable(client, 'ledger'), key, { phase: 'recipients', batch: 0 }, work);
      const given: ChildTask = {
        bundle: join(bundles.collect, 'index.mjs'),
        environment,
        request,
        phases: ['recipients'],
        remainingMs,
      };
      return (await program('collect-child.ts', given)) as ChildReport;
    },
    close: async () => {
      await Promise.all([ledger.close(), secretsManager.close()]);
      await account.close();
      await rm(folder, { recursive: true, maxRetries: 3 });
    },
  };
}
