import { startCheck } from '../../support/accounts/check.ts';

const casesOfSeed = 1_000;

/** Runs so many generated accounts, a thousand a seed, most for several periods. Whether every figure is right or named as missing. */
export async function checkAccounts(cases: number): Promise<boolean> {
  const check = await startCheck();
  const begun = performance.now();
  let right = true;
  for (let run = 0; run < cases; run += casesOfSeed) {
    const fault = await check.run({ seed: run / casesOfSeed + 1, cases: Math.min(casesOfSeed, cases - run) });
    if (fault !== null) console.log(`accounts: ${fault}`);
    right &&= fault === null;
  }
  const seconds = (performance.now() - begun) / 1_000;
  console.log(`accounts: ${cases} cases in ${seconds.toFixed(0)} s, ${right ? 'all right' : 'some wrong'}`);
  return right;
}
