import fc from 'fast-check';
import * as v from 'valibot';
import { digestSchema, type Digest } from '../../../functions/digest/schema.ts';
import { faultsOfDigest } from '../oracle/oracle.ts';
import { scenarioArbitrary, type Scenario } from './arbitrary-account.ts';
import { playOf } from './play.ts';
import type { Answered } from './serve.ts';

/** Observes an account over weeks, and reports on it. Throws at the first instant at which something is wrong, with a sentence each. */
async function play({ account, schedule, minimumGroup, events }: Scenario, onDigest: (digest: Digest) => void) {
  const { log, run, observe } = playOf(account, { report: { schedule, minimumGroup } });
  for (const { atMs, isRun } of events) {
    const answered = log.length;
    const outcome = isRun ? await run(atMs) : await observe(atMs).catch(() => ({ failure: 'service-unavailable' }));
    const faults = log.slice(answered).flatMap(faultsOfRequests);
    if ('digest' in outcome) {
      faults.push(...faultsOfDigest(outcome.digest, account, log));
      onDigest(v.parse(digestSchema, outcome.digest));
    } else if ('failure' in outcome && typeof log.at(-1)?.list !== 'number') {
      faults.push(`There is no digest: ${outcome.failure}`);
    }
    if (faults.length > 0) throw new Error([new Date(atMs).toISOString(), ...faults].join('\n'));
  }
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

/** Plays so many accounts of a seed. Throws where one is wrong, with the smallest one found that is. */
export async function checkAccounts(
  { seed, cases }: { seed: number; cases: number },
  onDigest: (digest: Digest) => void = () => undefined,
): Promise<void> {
  const property = fc.asyncProperty(scenarioArbitrary, (scenario) => play(scenario, onDigest));
  await fc.assert(property, { seed, numRuns: cases });
}
