import { expect, onTestFinished, test } from 'vitest';
import { documented } from '../support/faulty-account/deviation.ts';
import { startFaultRuns, type FaultRuns } from '../support/faulty-account/fault-runs.ts';
import { faultsOfRun } from '../support/faulty-account/verdict.ts';

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
