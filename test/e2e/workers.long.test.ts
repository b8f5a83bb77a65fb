import { expect, onTestFinished, test } from 'vitest';
import { documented } from '../support/faulty-account/deviation.ts';
import { startFaultRuns } from '../support/faulty-account/fault-runs.ts';
import { faultsOfRun } from '../support/faulty-account/verdict.ts';

test('a list of more than 100,000 recipients costs a worker less than 64 MiB, and two workers share their tokens', async () => {
  // Each collect worker is in a process of its own.
  const faultRuns = await startFaultRuns({ newest: 28, worker: { remainingMs: 900_000 } });
  onTestFinished(() => faultRuns.close());
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
