// The collector against a faulty service: node test/bench/faults.ts [matrix|accounts ...] [--seeds N] [--cases N]
import { parseArgs } from 'node:util';
import { checkAccounts } from '../support/accounts/check.ts';
import { combine, mixtureOf, mixtures, switches } from '../support/faulty-account/deviation.ts';
import { startFaultRuns } from '../support/faulty-account/fault-runs.ts';
import { faultsOfRun } from '../support/faulty-account/verdict.ts';

/** Runs every switch alone, and mixtures of them, under one seed. Prints a row each; gives how many were wrong. */
async function runMatrix(seed: number): Promise<number> {
  const faultRuns = await startFaultRuns();
  const alone = switches.map((departure) => mixtureOf([departure], seed));
  let wrong = 0;
  try {
    for (const mixture of [...alone, ...mixtures(seed * 1_000)]) {
      const outcome = await faultRuns.run(combine(mixture.chosen), mixture.seed);
      const faults = faultsOfRun(outcome);
      const figures = [outcome.log.attempts.length, outcome.coverage?.retries ?? 0].map(String);
      writeCells(`${seed}  ${mixture.name}`, ...figures, faults[0] ?? 'right');
      if (faults.length > 0) wrong += 1;
    }
  } finally {
    await faultRuns.close();
  }
  return wrong;
}

const casesOfSeed = 1_000;

/** Plays so many generated accounts over weeks, a thousand a seed. Gives how many of the seeds have a wrong one. */
async function runAccounts(cases: number): Promise<number> {
  const begun = performance.now();
  let [run, wrong] = [0, 0];
  const lane = async (): Promise<void> => {
    while (run < cases) {
      const [seed, left] = [run / casesOfSeed + 1, cases - run];
      run += casesOfSeed;
      const fault = await checkAccounts({ seed, cases: Math.min(casesOfSeed, left) });
      if (fault === null) continue;
      console.log(`accounts: ${fault}`);
      wrong += 1;
    }
  };
  // While one waits for a document to be packed, another goes on.
  await Promise.all([lane(), lane(), lane()]);
  const seconds = (performance.now() - begun) / 1_000;
  console.log(`accounts: ${cases} cases in ${seconds.toFixed(0)} s, ${wrong} seeds with a wrong one`);
  return wrong;
}

/** Prints a row: names in a wide column, the others as wide as their headings. */
function writeCells(name: string, ...[requests = '', retries = '', verdict = '']: string[]): void {
  console.log(`${name.padEnd(76)}${requests.padStart(10)}${retries.padStart(9)}  ${verdict}`);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seeds: { type: 'string', default: '10' }, cases: { type: 'string', default: '10000' } },
});
const parts = positionals.length === 0 ? ['matrix', 'accounts'] : positionals;
let wrong = 0;
if (parts.includes('matrix')) {
  writeCells('seed  switch', 'requests', 'retries', 'verdict');
  for (let seed = 1; seed <= Number(values.seeds); seed += 1) wrong += await runMatrix(seed);
  console.log(`matrix: ${values.seeds} seeds, ${wrong} wrong`);
}
if (parts.includes('accounts')) wrong += await runAccounts(Number(values.cases));
process.exitCode = wrong === 0 ? 0 : 1;
