import fc from 'fast-check';
import type { Digest } from '../../../functions/domain/digest.ts';
import { credentials } from '../../functions/reporting-service/connect.ts';
import { startService } from '../service/service.ts';
import { rowsOfList, writeJson, type Account } from './account.ts';
import { scenarioArbitrary, type Scenario } from './arbitrary-account.ts';
import { runWeeks, type PipelineOutcome } from './pipeline.ts';
import { answersInTurn } from './serve.ts';
import { faultsOfScenario } from './verdict.ts';

/** Scenarios that are run one after the other. */
export interface Check {
  /** The digests of a scenario's periods. */
  digests(scenario: Scenario): Promise<Digest[]>;
  /** What is wrong with the digests of a scenario, a sentence each; `served` in its place shows what is found. */
  faults(scenario: Scenario, served?: Scenario): Promise<string[]>;
  /** Runs so many scenarios of a seed. Gives `null` where all are right, else the smallest one found that is wrong. */
  run(options: { seed: number; cases: number }): Promise<string | null>;
  close(): Promise<void>;
}

const idle = [{ answers: {} }, { basePath: '/case', credentials }] as const;

export async function startCheck(): Promise<Check> {
  // Two addresses at which an account may be.
  const services = [await startService(...idle), await startService(...idle)] as const;
  const outcomesOf = async (scenario: Scenario): Promise<PipelineOutcome[]> => {
    const answers = answersInTurn(scenario);
    for (const service of services) service.behave({ answers });
    return await runWeeks(scenario.map((account) => ({ account, baseUrl: services[account.host].url })));
  };
  const faults: Check['faults'] = async (scenario, served = scenario) => {
    try {
      return faultsOfScenario(scenario, await outcomesOf(served));
    } catch (error) {
      return [`the run breaks off: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`];
    }
  };
  return {
    faults,
    digests: async (scenario) =>
      (await outcomesOf(scenario)).flatMap((each) => ('digest' in each ? [each.digest] : [])),
    run: async ({ seed, cases }) => {
      const property = fc.asyncProperty(scenarioArbitrary, async (scenario) => (await faults(scenario)).length === 0);
      const { failed, counterexample, numRuns } = await fc.check(property, { seed, numRuns: cases });
      if (!failed || counterexample === null) return failed ? `seed ${seed}: failed without an example` : null;
      const [scenario] = counterexample;
      const found = (await faults(scenario)).slice(0, 8).map((fault) => `  ${fault}`);
      return [
        `seed ${seed}, case ${numRuns}, made as small as it stays wrong:`,
        ...found,
        ...scenario.flatMap((account, week) => describeAccount(account, scenario[week - 1])),
      ].join('\n');
    },
    close: async () => {
      for (const service of services) await service.close();
    },
  };
}

/** An account in a few lines: what its addresses answer, where it is not what they answered `before`. */
function describeAccount(account: Account, before: Account | undefined): string[] {
  const earlier = new Set(before === undefined ? [] : linesOf(before));
  const { timeZone, start, end } = account.calendar;
  return [`  ${timeZone}, ${start} to ${end}:`, ...linesOf(account).filter((line) => !earlier.has(line))];
}

function linesOf(account: Account): string[] {
  const { deliveries, broadcasts, calendar: _calendar, list, strayRows: _strayRows, ...report } = account;
  const used = new Set(deliveries.map(({ of }) => of));
  return [
    `    report: ${writeJson(report)}`,
    `    list: ${writeJson({ ...list, rows: rowsOfList(account) })}`,
    ...deliveries.map(({ id, recipients }) => `    recipients of ${JSON.stringify(id.text)}: ${writeJson(recipients)}`),
    ...broadcasts
      .filter((_each, place) => used.has(place))
      .map((broadcast) => `    broadcast: ${writeJson(broadcast)}`),
    ...deliveries.flatMap(({ id, of, contents }) =>
      (broadcasts[of]?.items ?? []).map(
        (item, place) =>
          `    content ${JSON.stringify(item.id.text)} of ${JSON.stringify(id.text)}: ${writeJson(contents[place])}`,
      ),
    ),
  ].map((line) => line.slice(0, 600));
}
