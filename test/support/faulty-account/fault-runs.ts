import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Digest } from '../../../functions/domain/digest.ts';
import { readDigest } from '../../../functions/ledger/runs/digests.ts';
import { readDocuments } from '../../../functions/ledger/runs/documents.ts';
import { readRun, type Run } from '../../../functions/ledger/runs/runs.ts';
import { readReceipt, type Receipt } from '../../../functions/run/receipt/receipt.ts';
import { functionName, startSystem, type System } from '../../../infra/local/system.ts';
import type { Deviation } from './deviation.ts';
import type { Account } from '../accounts/account.ts';
import type { RequestLog } from '../service/service.ts';
import type { DurableExecution } from '../../../infra/local/emulators/lambda/durable-engine.ts';
import { named } from '../named.ts';
import { configurationWith } from '../configuration.ts';
import { putWorkerInProcess } from './worker-process.ts';
import { startFaultyAccount, type FaultyAccount } from './faulty-account.ts';

/** The scheduled instant of every run of the matrix, and the week that its digest covers. */
const scheduledTime = '2026-11-16T08:00:00Z';
const period = { start: '2026-11-09T00:00:00Z', end: '2026-11-16T00:00:00Z' };
export const canaries = {
  secret: 'canary-secret-1c0ffee1',
  subscriber: 'canary.subscriber',
  errorBody: 'canary-error-body',
};
export const concurrency = 8;
/** Seconds for an attempt: more than the busiest machine takes for an answer that comes at all. */
const timeoutSeconds = 4;

/** The result of a run against the account, and everything that it left behind. */
export interface FaultRunOutcome {
  /** What the account had to say, as the oracle reads it. */
  account: Account;
  digest: Digest | null;
  receipt: Receipt;
  /** Their sources. */
  mails: string[];
  log: RequestLog;
  /** What somebody without a right to secrets and addresses could read: logs with metrics, and the durable history. */
  logs: string;
  history: string;
  /** The ledger's items of the run and of the tokens, unpacked. */
  ledger: string;
}

/** The whole system before a sample account with faults. Each run is the first one of a report of its own. */
export interface FaultRuns {
  account: FaultyAccount;
  run(deviation: Deviation, seed?: number): Promise<FaultRunOutcome>;
  /** Runs reports two at a time for so many seconds, each with a worker of its own. */
  runTwoAtOnce(deviation: Deviation, seconds: number): Promise<Receipt[]>;
  /** The most memory that a worker took, in MiB, where they have processes. */
  peakMiB(): Promise<number>;
  close(): Promise<void>;
}

/**
 * Starts the system, with room for 98 runs.
 *
 * @param options.newest how many of the account's deliveries there are; by default all
 * @param options.isPaged gives the account's lists in pages, and its ratings behind a filter
 * @param options.worker puts the collect worker in a process of its own, whose invocations believe to have `remainingMs`
 */
export async function startFaultRuns(
  options: { newest?: number; isPaged?: boolean; worker?: { remainingMs: number } } = {},
): Promise<FaultRuns> {
  const { worker, ...ofAccount } = options;
  const credentials = { id: 'client-of-the-matrix', secret: canaries.secret };
  const account = await startFaultyAccount({ ...ofAccount, asOf: scheduledTime, credentials, period });
  const folder = await mkdtemp(join(tmpdir(), 'fault-runs-'));
  const names = Array.from({ length: 98 }, (_, index) => `case-${index}`);
  const configuration = configurationWith({
    service: { baseUrl: account.url, timeout: timeoutSeconds, concurrency },
    mail: { settleMinutes: 0 },
    reports: names.map((name) => ({
      name,
      schedule: { every: 'week', on: 'monday', at: '08:00', timeZone: 'Europe/London' },
      subscribers: [`${canaries.subscriber}@example.com`],
    })),
  });
  const [out, state] = [join(folder, 'out'), join(folder, 'state')];
  const environment = worker === undefined ? {} : { REMAINING_MS: String(worker.remainingMs) };
  const system = await startSystem({ configuration, credentials, out, state, environment });
  const peakMiB = worker === undefined ? async () => 0 : await putWorkerInProcess(state);
  const logs = createLogReader(join(state, 'logs'));
  const seenMails = new Set<string>();
  const depart = async (deviation: Deviation, seed = 1): Promise<void> => {
    // As if nobody had asked the service before: tokens of the last run are not those of this one.
    await system.table.putMany([{ pk: 'TOKENS', sk: 'service' }]);
    account.depart(deviation, seed);
  };
  const execute = async (): Promise<{ execution: DurableExecution; run: Run; receipt: Receipt }> => {
    const report = names.shift();
    if (report === undefined) throw new Error('There is room for 98 runs.');
    const execution = await system.lambda.executeDurable(functionName('run'), { report, scheduledTime });
    await system.eventsSettled();
    const run = await readRun(system.table, report, named('2026-W46'));
    if (run === null) throw new Error(`The run of ${report} was never planned.`);
    return { execution, run, receipt: await readReceipt(system.table, run, Date.now()) };
  };
  return {
    account,
    peakMiB,
    run: async (deviation, seed) => {
      await depart(deviation, seed);
      const { execution, run, receipt } = await execute();
      return {
        account: account.account(),
        digest: run.digest === undefined ? null : (await readDigest(system.table, run.run, run.digest)).digest,
        receipt,
        mails: await newMails(out, seenMails),
        log: account.log(),
        logs: await logs(),
        history: JSON.stringify([execution, (await execution.recorded).getHistoryEvents()]),
        ledger: await dumpLedger(system, run),
      };
    },
    runTwoAtOnce: async (deviation, seconds) => {
      await depart(deviation);
      const receipts: Receipt[] = [];
      const until = Date.now() + seconds * 1000;
      const lane = async (): Promise<void> => {
        while (Date.now() < until) receipts.push((await execute()).receipt);
      };
      await Promise.all([lane(), lane()]);
      return receipts;
    },
    close: async () => {
      await system.close();
      await account.close();
      await rm(folder, { recursive: true, maxRetries: 3 });
    },
  };
}

/** Gives what the functions wrote since it was last called. */
function createLogReader(folder: string): () => Promise<string> {
  const read = new Map<string, number>();
  return async () => {
    let fresh = '';
    for (const name of await readdir(folder)) {
      const text = await readFile(join(folder, name), 'utf8');
      fresh += text.slice(read.get(name) ?? 0);
      read.set(name, text.length);
    }
    return fresh;
  };
}

async function newMails(folder: string, seen: Set<string>): Promise<FaultRunOutcome['mails']> {
  const mails: FaultRunOutcome['mails'] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.endsWith('.eml') || name.startsWith('.') || seen.has(name)) continue;
    seen.add(name);
    mails.push(await readFile(join(folder, name), 'utf8'));
  }
  return mails;
}

async function dumpLedger({ table }: System, { run, collection }: Run): Promise<string> {
  const parts: unknown[] = [await table.get({ pk: 'TOKENS', sk: 'service' })];
  for (const pk of [`COLLECTION#${run}#${collection}`, `DIGEST#${run}`]) {
    for await (const value of readDocuments(table, pk, '')) parts.push(value);
  }
  return JSON.stringify(parts);
}
