import type { Temporal } from 'temporal-polyfill';
import type { Configuration } from '../../domain/configuration/configuration.ts';
import {
  readCoverages,
  readFound,
  readDeliveryList,
  type CollectionKey,
  type Found,
} from '../../ledger/runs/collections.ts';
import { putDigest, readDigest, type StoredDigest } from '../../ledger/runs/digests.ts';
import type { Digest } from '../../domain/digest.ts';
import { expiresAfterMonths } from '../../ledger/expiry.ts';
import { putFigures, readFiguresBefore } from '../../ledger/runs/figures.ts';
import { keepDigest, requireRun } from '../../ledger/runs/runs.ts';
import { readDeliveryHistory, recordDeliveryHistory, historyKey } from '../../ledger/runs/delivery-history.ts';
import type { Table } from '../../ledger/table.ts';
import { emptyCoverage, mergeCoverage } from '../../reporting-service/coverage.ts';
import type { ReportNames } from '../../domain/report-names.ts';
import type { Collected } from '../collect/collected.ts';
import { composeDigest } from './compose.ts';
import { requireReport } from '../find-report.ts';
import type { Plan } from '../plan/plan.ts';
import { judgeContentLists } from './unseen-audience.ts';

/**
 * Composes the digest of a collection and keeps it as the run's, unless another execution was faster: the digest that is
 * kept first is the one that everybody sends. Then notes what later digests have to know of it; that is the same
 * whoever notes it, and however often.
 */
export async function composeAndStore(
  plan: Plan,
  key: CollectionKey,
  options: ComposeOptions & {
    /** Whether the trigger wants the run held. */
    hold: boolean;
    /** What tells one look of the mail from another. */
    fingerprint: (digest: Digest) => string;
  },
): Promise<void> {
  const { configuration, table, fingerprint } = options;
  const run = await requireRun(table, plan.report, plan.period);
  const expiresAt = expiresAfterMonths(configuration.ledger.keepMonths);
  if (run.digest === undefined) {
    const { kept, withheld } = await composeCollected(plan, key, options);
    const held = options.hold && withheld === null ? 'held' : withheld;
    const mail = fingerprint(kept.digest);
    await keepDigest(table, run, await putDigest(table, plan.run, kept, expiresAt), held, mail);
  }
  const { digest: id } = await requireRun(table, plan.report, plan.period);
  if (id === undefined) throw new Error(`Run "${plan.run}" has no digest although it was just kept.`);
  await recordHistory(table, plan, id, expiresAt);
}

/** Notes what later digests have to know of a kept one: its figures, and what it said of each thing. */
export async function recordHistory(
  table: Table,
  { run, report, period }: Pick<Plan, 'run' | 'report' | 'period'>,
  id: string,
  expiresAt: number,
): Promise<void> {
  const { digest, filters, complete, shown } = await readDigest(table, run, id);
  const { deliveries, seen, responded, responseRate } = digest.totals;
  const { start, end } = period;
  const figures = { start, end, filters, complete, totals: { deliveries, seen, responded, responseRate } };
  await putFigures(table, report, period.startDate, figures, expiresAt);
  await recordDeliveryHistory(table, report, new Map(Object.entries(shown)), expiresAt);
}

/** What composing takes beside the collection. */
interface ComposeOptions {
  configuration: Configuration;
  table: Table;
  collectedAt: Temporal.Instant;
}

/** The digest of a collection, and why its messages are to be withheld; nothing is kept of it. */
export async function composeCollected(
  plan: Plan,
  key: CollectionKey,
  { configuration, table, collectedAt }: ComposeOptions,
): Promise<{ kept: StoredDigest; withheld: 'empty' | 'held' | null }> {
  const report = requireReport(configuration, plan.report);
  const earlierFigures = await readFiguresBefore(table, report, plan.period.startDate);
  const composition = composeDigest({
    run: plan.run,
    report,
    period: plan.period,
    collectedAt: collectedAt.toZonedDateTimeISO(report.timeZone).round('second').toString({ timeZoneName: 'never' }),
    collected: await readCollected(table, report, key, configuration.service.contentRecipients),
    earlierFigures,
  });
  const { digest, figures, shown, unavailable, readings, empty } = composition;
  const held = report.hold === 'always' || (report.whenIncomplete === 'hold' && digest.missing.length > 0);
  return {
    kept: {
      digest,
      coverage: mergeCoverage([...(await readCoverages(table, key)), { ...emptyCoverage(), readings }]),
      unavailable,
      shown: Object.fromEntries(shown),
      filters: figures.filters,
      complete: figures.complete,
    },
    withheld: empty && report.whenEmpty === 'skip' ? 'empty' : held ? 'held' : null,
  };
}

/** What a collection has found so far, with what earlier digests said of it. */
export async function readCollected(
  table: Table,
  report: ReportNames,
  key: CollectionKey,
  contentRecipients: Collected['contentRecipients'],
): Promise<Collected> {
  const recipients: Found<'recipients'>[] = [];
  for await (const found of readFound(table, key, 'recipients')) recipients.push(found);
  const broadcasts = new Map<string, Found<'broadcasts'>>();
  for await (const found of readFound(table, key, 'broadcasts')) broadcasts.set(found.id, found);
  const contents = await readContents(table, key, recipients);
  const shown = await readDeliveryHistory(table, report, [
    ...recipients.map(({ delivery }) => historyKey('delivery', delivery.id)),
    ...[...broadcasts.values()]
      .filter(({ unavailable }) => unavailable !== undefined)
      .map(({ id }) => historyKey('broadcast', id)),
    ...[...contents.values()].flatMap((ofDelivery) =>
      [...ofDelivery.values()]
        .filter(({ unavailable, ratingsUnavailable }) => unavailable !== undefined || ratingsUnavailable !== undefined)
        .map(({ delivery, content }) => historyKey('content', delivery, content)),
    ),
  ]);
  return { list: await readDeliveryList(table, key), recipients, broadcasts, contents, shown, contentRecipients };
}

/** What was found of content items, by delivery and then by item. */
async function readContents(
  table: Table,
  key: CollectionKey,
  recipients: ReadonlyArray<Found<'recipients'>>,
): Promise<Collected['contents']> {
  const found = new Map<string, Map<string, Found<'contents'>>>();
  for await (const content of readFound(table, key, 'contents')) {
    const ofDelivery = found.get(content.delivery) ?? new Map<string, Found<'contents'>>();
    found.set(content.delivery, ofDelivery.set(content.content, content));
  }
  const deliveries = new Map(recipients.map((each) => [each.delivery.id, each]));
  return new Map([...found].map(([id, contents]) => [id, judgeContentLists(deliveries.get(id), contents)]));
}
