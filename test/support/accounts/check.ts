import fc from 'fast-check';
import type { Digest } from '../../../functions/domain/digest.ts';
import { credentials } from '../../functions/reporting-service/connect.ts';
import { faultsOfDigest } from '../oracle/compare/digest.ts';
import { knownOf, type Known } from '../oracle/known.ts';
import { startService } from '../service/service.ts';
import type { Account } from './account.ts';
import { scenarioArbitrary, type Scenario } from './arbitrary-account.ts';
import { runWeeks, type PipelineOutcome } from './pipeline.ts';
import { answersInTurn } from './serve.ts';

/** Scenarios that are run one after the other. */
export interface Check {
  /** The digests of a scenario's periods. */
  digests(scenario: Scenario): Promise<Digest[]>;
  /** What is wrong with the digests of a scenario, a sentence each; `served` in its place shows what is found. */
  faults(scenario: Scenario, served?: Scenario): Promise<string[]>;
  /** Runs so many scenarios of a seed. Gives `null` where all are right, else the smallest one found that is wrong. */
  run(options: { seed: number; cases: number }): Promise<string | null>;
  /** The kinds, judgements, reasons and flags of the digests so far, as JSON has them. */
  met: ReadonlySet<string>;
  close(): Promise<void>;
}

const idle = [{ answers: {} }, { basePath: '/case', credentials }] as const;

export async function startCheck(): Promise<Check> {
  // Two addresses at which an account may be.
  const services = [await startService(...idle), await startService(...idle)] as const;
  const met = new Set<string>();
  const outcomesOf = async (scenario: Scenario): Promise<PipelineOutcome[]> => {
    const answers = answersInTurn(scenario);
    for (const service of services) service.behave({ answers });
    const outcomes = await runWeeks(scenario.map((account) => ({ account, baseUrl: services[account.host].url })));
    for (const outcome of outcomes) if ('digest' in outcome) for (const fact of factsOf(outcome.digest)) met.add(fact);
    return outcomes;
  };
  const faults: Check['faults'] = async (scenario, served = scenario) => {
    try {
      return faultsOfScenario(scenario, await outcomesOf(served));
    } catch (error) {
      return [`the run breaks off: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`];
    }
  };
  return {
    met,
    faults,
    digests: async (scenario) =>
      (await outcomesOf(scenario)).flatMap((outcome) => ('digest' in outcome ? [outcome.digest] : [])),
    run: async ({ seed, cases }) => {
      const property = fc.asyncProperty(scenarioArbitrary, async (scenario) => (await faults(scenario)).length === 0);
      const { failed, counterexample, numRuns } = await fc.check(property, { seed, numRuns: cases });
      if (!failed || counterexample === null) return failed ? `seed ${seed}: failed without an example` : null;
      const [scenario] = counterexample;
      const differences = (await faults(scenario)).slice(0, 8).map((fault) => `  ${fault}`);
      const heading = `seed ${seed}, case ${numRuns}, made as small as it stays wrong:`;
      return [heading, ...differences, ...scenario.flatMap(describeAccount)].join('\n');
    },
    close: async () => {
      for (const service of services) await service.close();
    },
  };
}

/** Everything in which the outcomes of a scenario differ from what can be known of its accounts, a sentence each. */
function faultsOfScenario(scenario: Scenario, outcomes: readonly PipelineOutcome[]): string[] {
  const earlier: Known[] = [];
  return scenario.flatMap((account, week) => {
    const known = knownOf(account, { earlier });
    const outcome = outcomes[week] ?? { failure: 'it was not run' };
    // What no digest was made of is no run that a later one goes by.
    if ('digest' in outcome) earlier.push(known);
    return faultsOfWeek(known, outcome).map((fault) => `period ${week + 1}: ${fault}`);
  });
}

function faultsOfWeek(known: Known, outcome: PipelineOutcome): string[] {
  if ('failure' in outcome) return known.hasList ? [`digest: there is none: ${outcome.failure}`] : [];
  return known.hasList ? faultsOfDigest(known, outcome.digest) : ['digest: there is one without a list of deliveries'];
}

/** The kinds, judgements, reasons and flags in a digest, as its JSON has them. */
function factsOf(digest: Digest): string[] {
  const facts = /"(?:kind|judgedBy|basis|what|reason|onlyNewest|noMatch)":(?:"[^"]+"|true|null)/g;
  return JSON.stringify(digest).match(facts) ?? [];
}

/** An account in a few lines: what its addresses answer. */
function describeAccount({ deliveries, broadcasts, calendar, ...report }: Account): string[] {
  return [
    `  ${calendar.timeZone}, ${calendar.start} to ${calendar.end}: ${JSON.stringify(report)}`,
    ...[...deliveries, ...broadcasts].map((thing) => `    ${JSON.stringify(thing)}`.slice(0, 1_200)),
  ];
}
