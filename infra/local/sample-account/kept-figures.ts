import { Temporal } from 'temporal-polyfill';
import { collectItem } from '../../../functions/collect/batch.ts';
import { readDeliveries } from '../../../functions/collect/list.ts';
import { createRatingCollector } from '../../../functions/collect/ratings.ts';
import type { Configuration, ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { boundsOf, precedingPeriod, runName, type Period } from '../../../functions/domain/period.ts';
import { datingOf } from '../../../functions/domain/series.ts';
import type { Found, Phase } from '../../../functions/ledger/runs/collections.ts';
import {
  figuresOf,
  putFigures,
  putHistory,
  readOtherFigures,
  type StoredFigures,
} from '../../../functions/ledger/runs/digests.ts';
import { expiresAfterMonths, type Table } from '../../../functions/ledger/table.ts';
import type { ReportingService } from '../../../functions/reporting-service/client.ts';
import { createTally, type Tally } from '../../../functions/reporting-service/coverage.ts';
import type { ListPage } from '../../../functions/reporting-service/lists/pages.ts';
import { readBroadcast } from '../../../functions/reporting-service/shapes.ts';
import { collectedOf, type Collected } from '../../../functions/run/collected.ts';
import { selections, type Selection } from '../../../functions/run/collection.ts';
import { composeDigest } from '../../../functions/run/compose/compose.ts';
import type { Earlier } from '../../../functions/run/earlier-figures.ts';
import { includeFor, type Reading } from '../../../functions/run/reading.ts';
import { broadcastById, contentOf, deliveriesAsOf, recipientsOf } from './account.ts';

/** Nothing is kept of what is usual. */
const dating = datingOf({});

const periodsKept = 7;
/** A digest of the sample account is made so long after its period. */
const madeAfter = { hours: 8 };

/**
 * Gives a report that has no digest yet, in a new state folder, the kept figures of the seven periods before this one, as
 * its runs would have kept them: the first digest of the sample account shows comparisons.
 */
export async function keepSampleFigures(
  table: Table,
  { service, ledger }: Configuration,
  report: ReportConfiguration,
  period: Period,
): Promise<void> {
  const others = await readOtherFigures(table, report, period);
  if (others.earlier.length + others.later.length > 0) return;
  const periods: Period[] = [];
  for (let before = period; periods.length < periodsKept; periods.unshift(before)) before = precedingPeriod(before);
  const kept: Array<[Period, StoredFigures]> = [];
  let history: Collected['history'] = null;
  const expiresAt = expiresAfterMonths(ledger.keepMonths, new Date());
  for (const past of periods) {
    const run = runName(report.name, past);
    const earlier = kept.map(([, figures]) => figures);
    const reading = await collectAfter(past, report, { earlier, history });
    const composed = composeDigest({ run, period: past }, { report, service, reading, dating, coverages: [] });
    ({ history } = composed);
    const figures = figuresOf(composed.kept, { run, digest: 'sample' });
    kept.push([past, figures]);
    // Of the digests before, only what the last one knew is read again.
    if (past === periods.at(-1)) await putHistory(table, figures, history, expiresAt);
  }
  await putFigures(table, report.name, kept, expiresAt);
}

/** What a run after a period has read, phase by phase, of the account as it was then. */
async function collectAfter(
  period: Period,
  report: ReportConfiguration,
  { earlier, history }: Pick<Earlier, 'earlier'> & Pick<Collected, 'history'>,
): Promise<Reading> {
  const readAt = Temporal.Instant.from(period.end).add(madeAfter).epochMilliseconds;
  const tally = createTally();
  const service = serviceAt(readAt, tally);
  // Ratings are in the rows.
  const collectRatings = createRatingCollector('off', tally);
  const context = { service, tally, bounds: boundsOf(period), readAt, collectRatings };
  const list = await readDeliveries(service.deliveries(), report, tally);
  const answers: { [P in Phase]: Array<Found<P>> } = { recipients: [], broadcasts: [], contents: [] };
  const read = (): Reading => {
    const before = { earlier, hasLater: false, report, collectedAt: readAt };
    return includeFor(collectedOf({ list, ...answers, history }, report), period, before);
  };
  const collectPhase = async <P extends Phase>({ phase, select }: Selection<P>): Promise<void> => {
    const items = select(read()).map((item) => collectItem(phase, item, context));
    answers[phase].push(...(await Promise.all(items)));
  };
  for (const selection of selections) await collectPhase(selection);
  return read();
}

/** The account as a service that is read at an instant, without HTTP. */
function serviceAt(nowMs: number, tally: Tally): ReportingService {
  return {
    users: () => pageOf([]),
    deliveries: () => pageOf(deliveriesAsOf(nowMs)),
    recipients: (delivery) => pageOf(recipientsOf(delivery, nowMs)),
    broadcast: async (id) => readBroadcast(broadcastById(id, nowMs), id, 'the broadcast', tally),
    contentRecipients: (delivery, content) => pageOf(contentOf(delivery, content, nowMs)?.rows),
  };
}

async function* pageOf(rows: ListPage['rows'] = []): AsyncGenerator<ListPage> {
  yield { rows, mayBeCutOff: false };
}
