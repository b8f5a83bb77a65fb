import { afterAll, beforeAll, expect, test } from 'vitest';
import { combine, documented, mixtures, switches } from '../support/faulty-account/deviation.ts';
import { startFaultRuns, type FaultRuns } from '../support/faulty-account/fault-runs.ts';
import { faultsOf } from '../support/faulty-account/verdict.ts';

let faultRuns: FaultRuns;

beforeAll(async () => {
  faultRuns = await startFaultRuns();
}, 180_000);
afterAll(() => faultRuns.close());

const failing = switches.filter(({ departs }) => departs.failures !== undefined || departs.tokens !== undefined);

test.each(failing)('$name: the figures are right, or the gap is named', { timeout: 120_000 }, async (departure) => {
  const outcome = await faultRuns.run(combine([departure]));
  expect(faultsOf(outcome, faultRuns.account)).toEqual([]);
});

test.each(mixtures(20261116, 8))(
  '$name: the figures are right, or the gaps are named',
  { timeout: 120_000 },
  async ({ seed, chosen }) => {
    const outcome = await faultRuns.run(combine(chosen), seed);
    expect(faultsOf(outcome, faultRuns.account)).toEqual([]);
  },
);

test('the coverage shows an operator how the service was read', { timeout: 120_000 }, async () => {
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
    'content lists': { 'the audience': expect.any(Number), 'those who engaged': expect.any(Number) },
  });
});
