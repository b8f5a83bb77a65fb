import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { withoutAddresses } from '../../functions/domain/configuration/configuration.ts';
import { loadConfiguration } from '../../infra/config.ts';
import { startSampleAccount } from '../../infra/local/sample-account/server.ts';
import { functionName } from '../../infra/local/system.ts';
import { documented } from '../support/faulty-account/deviation.ts';
import { startFaultRuns, type FaultRuns } from '../support/faulty-account/fault-runs.ts';
import { faultsOfRun } from '../support/faulty-account/verdict.ts';
import { startSystemOf } from '../support/system.ts';

const scheduledTime = '2026-11-16T08:00:00Z';
const others = {
  reports: [{ name: 'others', schedule: { every: 'day', at: '07:30', timeZone: 'UTC' }, subscribers: [] }],
};

/** Starts the system with each collect worker in a process of its own. */
async function startRuns(...options: Parameters<typeof startFaultRuns>): Promise<FaultRuns> {
  const faultRuns = await startFaultRuns(...options);
  onTestFinished(() => faultRuns.close());
  return faultRuns;
}

test('before its time is up a worker returns what it has, and the rest is asked once, in new invocations', async () => {
  const faultRuns = await startRuns({ worker: { remainingMs: 2_400 } });
  const outcome = await faultRuns.run({ ...documented, latencyMs: 200 });
  expect(faultsOfRun(outcome)).toEqual([]);
  expect(outcome.history).toMatch(/recipients 1 from [1-9]/);
}, 120_000);

test('a list of more than 100,000 recipients costs a worker less than 64 MiB, and two workers share their tokens', async () => {
  const faultRuns = await startRuns({ newest: 28, worker: { remainingMs: 900_000 } });
  await faultRuns.run(documented);
  const without = await faultRuns.peakMiB();
  expect(without).toBeGreaterThan(0);
  expect(faultsOfRun(await faultRuns.run({ ...documented, times: 4_000 }))).toEqual([]);
  expect((await faultRuns.peakMiB()) - without).toBeLessThan(64);

  const receipts = await faultRuns.runTwoAtOnce({ ...documented, tokens: 'two seconds', latencyMs: 20 }, 5);
  const { attempts } = faultRuns.account.log();
  expect(receipts.flatMap(({ coverage }) => coverage.unavailable)).toEqual([]);
  expect(receipts.map(({ state }) => state)).toEqual(receipts.map(() => 'done'));
  const renewals = attempts.filter(({ thing }) => thing === 'auth' || thing === 'refresh').length;
  expect(renewals).toBeGreaterThan(2);
  expect(attempts.length).toBeGreaterThan(renewals * 4);
}, 120_000);

test('a run goes on with what it was planned with, where the worker is of a later deployment that has other settings and no such report', async () => {
  await using account = await startSampleAccount({ asOf: scheduledTime });
  const system = await startSystemOf(account);
  onTestFinished(() => system.close());
  const later = loadConfiguration({ overlay: { service: { baseUrl: 'http://127.0.0.1:9' }, ...others } });
  let isDeployed = false;
  /** Deploys once the list was read. */
  const onInvoke = (order: unknown): void => {
    if (isDeployed || Object(order).phase === 'list') return;
    isDeployed = true;
    const beside = join(system.state, 'bundles/collect/configuration.json');
    writeFileSync(beside, JSON.stringify(withoutAddresses(later)));
    void system.lambda.kill(functionName('collect'));
  };
  await system.lambda.executeDurable(functionName('run'), { report: 'weekly', scheduledTime }, onInvoke);
  expect(isDeployed).toBe(true);
  const { state, coverage } = await system.receiptOf('weekly', '2026-W46');
  expect([state, coverage.unavailable]).toEqual(['done', []]);
});
