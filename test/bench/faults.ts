// Generated accounts over weeks, a thousand a seed: node test/bench/faults.ts [cases]
import { checkAccounts } from '../support/accounts/check.ts';

const cases = Number(process.argv[2] ?? 10_000);
if (!(cases > 0)) throw new RangeError(`Expected a number of accounts, found "${process.argv[2]}".`);
const casesOfSeed = 1_000;
const begun = performance.now();
let [run, wrong] = [0, 0];

async function lane(): Promise<void> {
  while (run < cases) {
    const [seed, left] = [run / casesOfSeed + 1, cases - run];
    run += casesOfSeed;
    await checkAccounts({ seed, cases: Math.min(casesOfSeed, left) }).catch((fault: unknown) => {
      console.log(fault);
      wrong += 1;
    });
  }
}

// While one waits for a document to be packed, another goes on.
await Promise.all([lane(), lane(), lane()]);
const seconds = (performance.now() - begun) / 1_000;
console.log(`${cases} accounts in ${seconds.toFixed(0)} s, ${wrong} seeds with a wrong one`);
process.exitCode = wrong === 0 ? 0 : 1;
