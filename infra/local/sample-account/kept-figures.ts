import { Temporal } from 'temporal-polyfill';
import { countDelivery, countEngagement } from '../../../functions/collect/engagement.ts';
import { readDeliveries } from '../../../functions/collect/list.ts';
import type { Configuration, ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { boundsOf, precedingPeriod, runName, type Period } from '../../../functions/domain/period.ts';
import { datingOf } from '../../../functions/domain/series.ts';
import { isWantedStatus } from '../../../functions/domain/report-filter.ts';
import type { Found } from '../../../functions/ledger/runs/collections.ts';
import { expiresAfterMonths, type Table } from '../../../functions/ledger/table.ts';
import { figuresOf, putFigures, putHistory, readOtherFigures } from '../../../functions/ledger/runs/digests.ts';
import { createTally } from '../../../functions/reporting-service/coverage.ts';
import { composeDigest } from '../../../functions/run/compose/compose.ts';
import { collectedOf, type Collected } from '../../../functions/run/collected.ts';
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
  const earlier: Earlier['earlier'] = [];
  const writes: Array<Promise<void>> = [];
  let history: Collected['history'] = null;
  for (const past of periods) {
    const run = runName(report.name, past);
    const asOf = Temporal.Instant.from(past.end).add(madeAfter);
    const answers = { ...(await collectAt(asOf.epochMilliseconds, report, past)), history };
    const before = { earlier, hasLater: false, report, collectedAt: asOf.epochMilliseconds };
    const { included } = includeFor(collectedOf({ ...answers, contents: [] }, report), past, before);
    const contents = await countItemsAt(asOf.epochMilliseconds, past, { ...answers, included });
    const reading = includeFor(collectedOf({ ...answers, contents }, report), past, before);
    const composed = composeDigest({ run, period: past }, { report, service, reading, dating, coverages: [] });
    ({ history } = composed);
    const figures = figuresOf(composed.kept, { run, digest: 'sample' });
    earlier.push(figures);
    const expiresAt = expiresAfterMonths(ledger.keepMonths, new Date());
    // Of the digests before, only what the last one knew is read again.
    if (past === periods.at(-1)) writes.push(putHistory(table, figures, history, expiresAt));
    writes.push(putFigures(table, report.name, past, figures, expiresAt));
  }
  await Promise.all(writes);
}

/** What a collection of the account would have found at an instant, but for content items. */
async function collectAt(nowMs: number, report: ReportConfiguration, period: Period) {
  const tally = createTally();
  const list = await readDeliveries([{ rows: deliveriesAsOf(nowMs), mayBeCutOff: false }], report, tally);
  const wanted = list.deliveries.filter(({ status }) => isWantedStatus(status, report));
  const broadcasts = wanted.flatMap(({ broadcast: { id } }) => {
    const detail = broadcastById(id, nowMs);
    if (detail === undefined) return [];
    const { name, created } = detail.broadcast;
    const createdAt = Temporal.Instant.from(created.at).epochMilliseconds;
    const createdBy = `${created.by.firstName} ${created.by.lastName}`;
    return { id, broadcast: { name, createdAt, createdBy, contents: detail.contents } };
  });
  const bounds = boundsOf(period);
  const recipients = await Promise.all(
    wanted.map(async (delivery) => {
      const createdAt = broadcasts.find(({ id }) => id === delivery.broadcast.id)?.broadcast.createdAt ?? null;
      const rows = recipientsOf(delivery.id, nowMs) ?? [];
      const within = { bounds, createdAt, readAt: nowMs };
      return Object.assign({ delivery }, await countDelivery([{ rows, mayBeCutOff: false }], within, tally));
    }),
  );
  return { list, recipients, broadcasts };
}

/** What it would have found of the content items of the deliveries that the digest includes. */
async function countItemsAt(
  nowMs: number,
  period: Period,
  { included, broadcasts }: Pick<Reading, 'included'> & { broadcasts: Array<Found<'broadcasts'>> },
) {
  const within = { bounds: boundsOf(period), createdAt: null, readAt: nowMs };
  return await Promise.all(
    included.flatMap(({ delivery: { id: delivery, broadcast } }) => {
      const items = broadcasts.find(({ id }) => id === broadcast.id)?.broadcast?.contents ?? [];
      return items.map(async ({ id: content }) => {
        const rows = contentOf(delivery, content, nowMs)?.rows ?? [];
        const engagement = await countEngagement([{ rows, mayBeCutOff: false }], within, createTally());
        return { delivery, content, engagement };
      });
    }),
  );
}
