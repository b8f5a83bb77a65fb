import { faultsOfDigest } from '../oracle/compare/digest.ts';
import { knownOf, type Known } from '../oracle/known.ts';
import type { Scenario } from './arbitrary-account.ts';
import type { PipelineOutcome } from './pipeline.ts';

/** Everything in which the outcomes of a scenario differ from what can be known of its accounts, a sentence each. */
export function faultsOfScenario(scenario: Scenario, outcomes: readonly PipelineOutcome[]): string[] {
  const earlier: Known[] = [];
  return scenario.flatMap((account, week) => {
    const known = knownOf(account, { earlier });
    const outcome = outcomes[week] ?? { failure: 'it was not run' };
    // What no digest was made of is no run that a later one goes by.
    if ('digest' in outcome) earlier.push(known);
    return faultsOfWeek(known, outcome).map((fault) =>
      scenario.length === 1 ? fault : `period ${week + 1}: ${fault}`,
    );
  });
}

function faultsOfWeek(known: Known, outcome: PipelineOutcome): string[] {
  if ('failure' in outcome) return known.digest === 'yes' ? [`digest: there is none: ${outcome.failure}`] : [];
  if (known.digest === 'no') return ['digest: there is one without a list of deliveries'];
  return faultsOfDigest(known, outcome.digest);
}
