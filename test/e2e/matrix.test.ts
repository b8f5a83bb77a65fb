import { afterAll, beforeAll, expect, test } from 'vitest';
import { combine, coveringMixtures, documented } from '../support/faulty-account/deviation.ts';
import { startFaultRuns, type FaultRuns } from '../support/faulty-account/fault-runs.ts';
import { faultsOfRun } from '../support/faulty-account/verdict.ts';

let faultRuns: FaultRuns;

beforeAll(async () => {
  faultRuns = await startFaultRuns();
});
afterAll(() => faultRuns.close());

// Each departure alone, and many more of them together, is what `npm run bench:faults` tries.
test.each(coveringMixtures(20261116))(
  '$name: the figures are right, or the gaps are named',
  async ({ seed, chosen }) => {
    const outcome = await faultRuns.run(combine(chosen), seed);
    expect(faultsOfRun(outcome)).toEqual([]);
  },
);

test('the receipt says how the service was read', async () => {
  const deviation = { ...documented, wrapper: 'object', paging: 'meta.next', dates: 'Z', ratings: 'filter' } as const;
  const { readings, requests } = (await faultRuns.run(deviation)).receipt.coverage;
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
