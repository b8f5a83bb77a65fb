import { afterAll, expect, test } from 'vitest';
import { combine, coveringMixtures } from '../support/faulty-account/deviation.ts';
import { startFaultRuns } from '../support/faulty-account/fault-runs.ts';
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
