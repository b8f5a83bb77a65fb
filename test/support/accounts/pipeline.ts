import { ListError, readDeliveries } from '../../../functions/collect/list.ts';
import type { CollectRequest } from '../../../functions/collect/protocol.ts';
import { collectBatch } from '../../../functions/collect/batch.ts';
import type { Configuration } from '../../../functions/domain/configuration/configuration.ts';
import type { Digest } from '../../../functions/domain/digest.ts';
import type { Table } from '../../../functions/ledger/table.ts';
import { putBatches, putDeliveryList } from '../../../functions/ledger/runs/collections.ts';
import { figuresOf, putDigest, readDigest, putFigures, putHistory } from '../../../functions/ledger/runs/digests.ts';
import { boundsOf, periodBefore, runName } from '../../../functions/domain/period.ts';
import { composeCollected } from '../../../functions/run/compose/compose.ts';
import { readCollection } from '../../../functions/run/reading.ts';
import { selections } from '../../../functions/run/collection.ts';
import { connectTo } from '../../functions/reporting-service/connect.ts';
import { configured } from '../../functions/run/configured.ts';
import type { Account } from './account.ts';
import { createMemoryTable } from './memory-table.ts';
import { dating } from '../dating.ts';
import { settleHours } from '../oracle/judging.ts';

/** The stored digest of an account, or the sentence with which the run failed. */
export type PipelineOutcome = { digest: Digest } | { failure: string };

const collection = 'one';

/**
 * The way of the data in one process: collect, compose and keep, for successive periods of one report. The weeks share one ledger,
 * and are run one after the other, each against its account's base address, which may be the same for all.
 */
export async function runWeeks(
  weeks: ReadonlyArray<{ account: Account; baseUrl: string }>,
): Promise<PipelineOutcome[]> {
  const table = createMemoryTable();
  const outcomes: PipelineOutcome[] = [];
  for (const { account, baseUrl } of weeks) {
    try {
      outcomes.push({ digest: await makeDigest(account, configurationOf(account, baseUrl), table) });
    } catch (error) {
      if (!(error instanceof ListError)) throw error;
      outcomes.push({ failure: error.message });
    }
  }
  return outcomes;
}

/** On which day a report of each kind of period is due. */
const days = { day: {}, week: { on: 'monday' }, month: { on: 1 }, quarter: { on: 1 } } as const;

function configurationOf(account: Account, baseUrl: string): Configuration {
  const { calendar, only, except, minimumGroup, informingTypes, ratingFilter } = account;
  const { kind: every, timeZone } = calendar;
  const base = configured({ report: { schedule: { every, ...days[every], at: '08:00', timeZone }, settleHours } });
  const filtered = { ...(only && { only }), ...(except && { except }), minimumGroup, statuses: [...account.statuses] };
  const service = { ...base.service, baseUrl, informingTypes: [...informingTypes] };
  return {
    ...base,
    service: ratingFilter === 'off' ? { ...service, ratingFilter } : service,
    reports: base.reports.map((report) => Object.assign({}, report, filtered)),
  };
}

async function makeDigest({ calendar }: Account, configuration: Configuration, table: Table): Promise<Digest> {
  const [report] = configuration.reports;
  if (report === undefined) throw new Error('There is no report.');
  const { service: settings } = configuration;
  const period = periodBefore(calendar.kind, calendar.timeZone, calendar.at);
  const run = runName(report.name, period);
  const now = new Date(calendar.at);
  const key = { run, collection, now };
  const { service, tally } = connectTo(settings.baseUrl, { settings });
  const read = () => readCollection(table, key, { report, service: settings, period, collectedAt: now.getTime() });
  const ofEach = { ...key, from: 0, bounds: boundsOf(period), service: settings, statuses: report.statuses };
  await putDeliveryList(table, key, await readDeliveries(service.deliveries(), report, tally));
  let batch = 0;
  for (const { phase, select } of selections) {
    const work = select(await read());
    const end = await putBatches(table, key, { phase, work, largest: 1_000, from: batch });
    for (; batch < end; batch += 1) {
      const request: CollectRequest = { ...ofEach, phase, batch };
      await collectBatch(request, phase, { service, tally, table, beginUntil: Infinity, now });
    }
  }

  const plan = { run, report: report.name, period, intended: 0 };
  const collected = { run, collection, read };
  const composed = await composeCollected(plan, collected, { configuration, table, report, dating });
  const digest = await putDigest(table, run, composed.kept, 0);
  await putHistory(table, { run, digest }, composed.history, 0);
  const stored = await readDigest(table, run, digest);
  await putFigures(table, report.name, [[period, figuresOf(stored, { run, digest })]], 0);
  return stored.digest;
}
