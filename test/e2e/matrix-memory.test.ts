import { afterAll, beforeAll, expect, test } from 'vitest';
import { readWork } from '../../functions/ledger/runs/collections.ts';
import { startStage, type Stage } from '../support/faulty-account/collect-alone.ts';
import { documented } from '../support/faulty-account/deviation.ts';
import { runTwoProcesses } from '../support/faulty-account/two-processes.ts';

const mebibyte = 1024 * 1024;
let stage: Stage;

beforeAll(async () => {
  stage = await startStage();
}, 180_000);
afterAll(() => stage.close());

test(
  'a list of more than 100,000 recipients costs a worker less than 64 MB over a run without it',
  { timeout: 120_000 },
  async () => {
    const without = await stage.collect({ deviation: documented, collection: 'plain' });
    const withIt = await stage.collect({ deviation: { ...documented, times: 4_000 }, collection: 'large' });
    expect(withIt.answers.length).toBe(without.answers.length);
    expect((withIt.peakRss - without.peakRss) / mebibyte).toBeLessThan(64);
  },
);

test(
  'before its time is up a worker returns what it has, and the rest is asked once, in new ones',
  { timeout: 120_000 },
  async () => {
    const { answers } = await stage.collect({
      deviation: { ...documented, latencyMs: 200 },
      collection: 'hurried',
      remainingMs: 4_000,
      concurrency: 2,
    });
    const work = await readWork(
      stage.table,
      { run: 'alone', collection: 'hurried' },
      { phase: 'recipients', batch: 0 },
    );
    const recipients = answers.slice(1);
    expect(recipients.length).toBeGreaterThan(2);
    expect(recipients.reduce((sum, { asked }) => sum + Number(asked), 0)).toBe(work.length);
    const addresses = stage.account.log().attempts.filter(({ thing }) => thing.startsWith('recipients'));
    expect(new Set(addresses.map(({ address }) => address)).size).toBe(work.length);
    expect(addresses.length).toBe(work.length);
  },
);

test('two processes with one ledger never use a refresh token twice', { timeout: 120_000 }, async () => {
  const { failures, refreshTokensUsedTwice, renewals, requests } = await runTwoProcesses(stage, 7);
  expect({ failures, refreshTokensUsedTwice }).toEqual({ failures: [], refreshTokensUsedTwice: 0 });
  expect(renewals).toBeGreaterThan(2);
  expect(requests).toBeGreaterThan(renewals * 4);
});
