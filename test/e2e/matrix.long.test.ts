import { afterAll, expect, test } from 'vitest';
import { combine, mixtures } from '../support/faulty-account/deviation.ts';
import { startFaultRuns } from '../support/faulty-account/fault-runs.ts';
import { faultsOfRun } from '../support/faulty-account/verdict.ts';

const faultRuns = await startFaultRuns();
afterAll(() => faultRuns.close());

// Each departure alone, and many more of them together, is what `npm run bench:faults` tries.
test.each(mixtures(20261116))(
  '$name: the digest is that of a healthy service, or names what is missing',
  async ({ seed, chosen }) => {
    const deviation = combine(chosen);
    const outcome = await faultRuns.run(deviation, seed);
    expect(faultsOfRun(outcome)).toEqual([]);
    const { failures } = deviation;
    const became = outcome.log.attempts.map((attempt) => attempt.outcome);
    if (failures.kind === 'first') expect(became).toContain(failures.way);
  },
);
