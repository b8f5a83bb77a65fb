import { combine, mixtures, switches, type Mixture } from '../../support/faulty-account/deviation.ts';
import { startFaultRuns } from '../../support/faulty-account/fault-runs.ts';
import { faultsOfRun } from '../../support/faulty-account/verdict.ts';
import { writeRow } from './table.ts';

const mixturesOfSeed = 20;

/** Runs every switch alone, and mixtures of them, under one seed. Prints a row each; gives how many were wrong. */
export async function runMatrix(seed: number): Promise<number> {
  const faultRuns = await startFaultRuns();
  const alone: Mixture[] = switches.map((one) => ({ name: one.name, seed, chosen: [one] }));
  let wrong = 0;
  try {
    for (const { name, seed: own, chosen } of [...alone, ...mixtures(seed * 1_000, mixturesOfSeed)]) {
      const outcome = await faultRuns.run(combine(chosen), own);
      const faults = faultsOfRun(outcome, faultRuns.account);
      const { retries } = outcome.receipt.coverage;
      writeRow(`${seed}  ${name}`, outcome.log.attempts.length, retries, outcome.seconds, faults[0] ?? 'right');
      if (faults.length > 0) wrong += 1;
    }
  } finally {
    await faultRuns.close();
  }
  return wrong;
}
