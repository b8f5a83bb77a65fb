import fc from 'fast-check';
import { credentials } from '../../functions/reporting-service/connect.ts';
import { rowsOfList, writeJson, type Account } from './account.ts';
import { accountArbitrary } from './arbitrary-account.ts';
import { createPipeline } from './pipeline.ts';
import { startService } from '../service/service.ts';
import { answersOf } from './serve.ts';
import { faultsOfAccount } from './verdict.ts';

/** Accounts that are run one after the other. */
export interface Check {
  /** What is wrong with one account's digest and mail, a sentence each; `served` in its place shows what is found. */
  faults(account: Account, served?: Account): Promise<string[]>;
  /** Runs so many accounts of a seed. Gives `null` where all are right, else the smallest one found that is wrong. */
  run(options: { seed: number; cases: number }): Promise<string | null>;
}

export async function startCheck(): Promise<Check> {
  const pipeline = await createPipeline();
  const faults: Check['faults'] = async (account, served = account) => {
    const service = await startService({ answers: answersOf(served) }, { basePath: '/case', credentials });
    try {
      return faultsOfAccount(account, await pipeline(served, service.url));
    } catch (error) {
      return [`the run breaks off: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`];
    } finally {
      await service.close();
    }
  };
  return {
    faults,
    run: async ({ seed, cases }) => {
      const property = fc.asyncProperty(accountArbitrary, async (account) => (await faults(account)).length === 0);
      const { failed, counterexample, numRuns } = await fc.check(property, { seed, numRuns: cases });
      if (!failed || counterexample === null) return failed ? `seed ${seed}: failed without an example` : null;
      const [account] = counterexample;
      const found = (await faults(account)).slice(0, 8).map((fault) => `  ${fault}`);
      return [
        `seed ${seed}, case ${numRuns}, made as small as it stays wrong:`,
        ...found,
        describeAccount(account),
      ].join('\n');
    },
  };
}

/** An account in a few lines: what its addresses answer. */
function describeAccount(account: Account): string {
  const {
    deliveries,
    broadcasts,
    calendar,
    list,
    statuses,
    broadcastName,
    contentRecipients,
    informingTypes,
    ratingFilter,
  } = account;
  const { timeZone, start, end } = calendar;
  const report = { timeZone, start, end, statuses, broadcastName, contentRecipients, informingTypes, ratingFilter };
  const used = new Set(deliveries.map(({ of }) => of));
  return [
    `  report: ${writeJson(report)}`,
    `  list: ${writeJson({ ...list, rows: rowsOfList(account) })}`,
    ...deliveries.map(({ id, recipients }) => `  recipients of ${JSON.stringify(id.text)}: ${writeJson(recipients)}`),
    ...broadcasts.filter((_each, place) => used.has(place)).map((broadcast) => `  broadcast: ${writeJson(broadcast)}`),
    ...deliveries.flatMap(({ id, of, contents }) =>
      (broadcasts[of]?.items ?? []).map(
        (item, place) =>
          `  content ${JSON.stringify(item.id.text)} of ${JSON.stringify(id.text)}: ${writeJson(contents[place])}`,
      ),
    ),
  ]
    .map((line) => line.slice(0, 600))
    .join('\n');
}
