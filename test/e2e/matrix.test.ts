import { afterAll, beforeAll, expect, test } from 'vitest';
import { combine, switches } from '../support/faulty-account/deviation.ts';
import { startFaultRuns, type FaultRuns } from '../support/faulty-account/fault-runs.ts';
import { faultsOf } from '../support/faulty-account/verdict.ts';

let faultRuns: FaultRuns;

beforeAll(async () => {
  faultRuns = await startFaultRuns();
}, 180_000);
afterAll(() => faultRuns.close());

/** What the service says and how it says it; how it fails is another file's. */
const departures = switches.filter(({ departs }) => departs.failures === undefined && departs.tokens === undefined);

test.each(departures)('$name: the figures are right, or the gap is named', { timeout: 120_000 }, async (departure) => {
  const outcome = await faultRuns.run(combine([departure]));
  expect(faultsOf(outcome, faultRuns.account)).toEqual([]);
});
