import { afterAll, beforeAll, expect, test } from 'vitest';
import { combine, switches } from '../support/hostile-proxy/deviation.ts';
import { startOrdeal, type Ordeal } from '../support/hostile-proxy/ordeal.ts';
import { faultsOf } from '../support/hostile-proxy/verdict.ts';

let ordeal: Ordeal;

beforeAll(async () => {
  ordeal = await startOrdeal();
}, 180_000);
afterAll(() => ordeal.close());

/** What the service says and how it says it; how it fails is another file's. */
const departures = switches.filter(({ departs }) => departs.failures === undefined && departs.tokens === undefined);

test.each(departures)('$name: the figures are right, or the gap is named', { timeout: 120_000 }, async (departure) => {
  const outcome = await ordeal.run(combine([departure]));
  expect(faultsOf(outcome, ordeal.proxy)).toEqual([]);
});
