import { afterAll, expect, test } from 'vitest';
import { combine, coveringMixtures, documented } from '../support/faulty-account/deviation.ts';
import { concurrency, startFaultRuns } from '../support/faulty-account/fault-runs.ts';
import { faultsOfRun } from '../support/faulty-account/verdict.ts';

// Three weeks of deliveries have every kind of answer.
const faultRuns = await startFaultRuns({ newest: 28, isPaged: true });
afterAll(() => faultRuns.close());

// Each departure alone, and many more of them together, is what `npm run bench:faults` tries.
test.each(coveringMixtures(20261116))(
  '$name: the figures are right, or the gaps are named',
  async ({ seed, chosen }) => {
    const deviation = combine(chosen);
    const outcome = await faultRuns.run(deviation, seed);
    expect(faultsOfRun(outcome)).toEqual([]);
    const { failures } = deviation;
    const became = outcome.log.attempts.map((attempt) => attempt.outcome);
    if (failures.kind === 'first') expect(became).toContain(failures.way);
  },
);

test('the receipt says how the service was read, by as many requests at once as are allowed', async () => {
  const { receipt, log } = await faultRuns.run({ ...documented, latencyMs: 40 });
  const { readings, requests } = receipt.coverage;
  expect(log.mostInFlight).toBe(concurrency);
  expect(Object.keys(requests).toSorted()).toEqual([
    'auth',
    'broadcast',
    'content-recipients',
    'deliveries',
    'recipients',
  ]);
  expect(readings).toEqual({
    'deliveries wrapper': { 'object with "data"': expect.any(Number) },
    'recipients wrapper': { 'object with "data"': expect.any(Number) },
    'content-recipients wrapper': { 'object with "data"': expect.any(Number) },
    'delivery row': { '{delivery}': expect.any(Number) },
    'recipient row': { bare: expect.any(Number) },
    paging: { none: expect.any(Number), 'meta.next': expect.any(Number) },
    dates: { 'ISO 8601 with offset': expect.any(Number) },
    ratings: { 'by filter': expect.any(Number) },
    'delivery lists': { 'those who engaged': expect.any(Number) },
    'content lists': { 'the audience': expect.any(Number), 'those who engaged': expect.any(Number) },
  });
});
