import fc from 'fast-check';
import * as v from 'valibot';
import { digestSchema, type Digest } from '../../../functions/digest/schema.ts';
import { faultsOfDigest } from '../oracle/oracle.ts';
import { scenarioArbitrary, type Scenario } from './arbitrary-account.ts';
import { playOf } from './play.ts';
import type { Answered } from './serve.ts';

/** What is wrong with the digests of an account over weeks, a sentence each, and the digests. */
export async function faultsOf({ account, schedule, minimumGroup, events }: Scenario) {
  const faults: string[] = [];
  const digests: Digest[] = [];
  try {
    const play = playOf(account, { report: { schedule, minimumGroup } });
    for (const { atMs, isRun } of events) {
      const answered = play.log.length;
      const outcome = isRun
        ? await play.run(atMs)
        : await play.observe(atMs).catch(() => ({ failure: 'service-unavailable' }));
      const when = new Date(atMs).toISOString();
      for (const one of play.log.slice(answered))
        faults.push(...faultsOfRequests(one).map((fault) => `${when}: ${fault}`));
      if ('digest' in outcome) {
        const found = faultsOfDigest(outcome.digest, account, play.log);
        faults.push(...found.map((fault) => `${when}: ${fault}`));
        digests.push(v.parse(digestSchema, outcome.digest));
      } else if ('failure' in outcome && typeof play.log.at(-1)?.list !== 'number') {
        faults.push(`${when}: there is no digest: ${outcome.failure}`);
      }
    }
  } catch (error) {
    faults.push(`it breaks off: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }
  return { faults, digests };
}

/** An observation asks for each thing once, and for a list that is suddenly empty once more. */
function faultsOfRequests({ asked, list }: Answered): string[] {
  const isEmpty = typeof list !== 'number' && list.rows.length === 0;
  return [...asked].flatMap(([address, times]) =>
    times === 1 || (isEmpty && times === 2 && address.includes('/deliveries'))
      ? []
      : [`${address} was asked ${times} times`],
  );
}

/** Plays so many accounts of a seed. Gives `null` where all are right, else the smallest one found that is wrong. */
export async function checkAccounts(
  { seed, cases }: { seed: number; cases: number },
  onDigest: (digest: Digest) => void = () => undefined,
): Promise<string | null> {
  const property = fc.asyncProperty(scenarioArbitrary, async (scenario) => {
    const { faults, digests } = await faultsOf(scenario);
    for (const digest of digests) onDigest(digest);
    return faults.length === 0;
  });
  const { failed, counterexample, numRuns } = await fc.check(property, { seed, numRuns: cases });
  if (!failed) return null;
  const [scenario] = counterexample ?? [];
  if (scenario === undefined) return `seed ${seed}: failed without an example`;
  const { faults } = await faultsOf(scenario);
  const { account, ...others } = scenario;
  return [
    `seed ${seed}, case ${numRuns}, made as small as it stays wrong:`,
    ...faults.slice(0, 8),
    JSON.stringify({ ...others, form: account.form, faults: account.faults }),
    ...account.sent.map((sent) => JSON.stringify(sent).slice(0, 1_500)),
  ].join('\n  ');
}
