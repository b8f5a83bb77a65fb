import type { Temporal } from 'temporal-polyfill';
import type { Configuration, ReportConfiguration } from '../../domain/configuration/configuration.ts';
import { readCoverages, type CollectionKey } from '../../ledger/runs/collections.ts';
import { putDigest, readDigest, type StoredDigest } from '../../ledger/runs/digests.ts';
import type { Digest } from '../../domain/digest.ts';
import { expiresAfterMonths } from '../../ledger/expiry.ts';
import { putFigures, readFiguresBefore } from '../../ledger/runs/figures.ts';
import { keepDigest, requireRun } from '../../ledger/runs/runs.ts';
import { recordDeliveryHistory } from '../../ledger/runs/delivery-history.ts';
import type { Table } from '../../ledger/table.ts';
import { emptyCoverage, mergeCoverage } from '../../reporting-service/coverage.ts';
import type { Collected } from '../collect/collected.ts';
import { composeDigest } from './compose.ts';
import { requireReport } from '../find-report.ts';
import type { Plan } from '../plan/plan.ts';

/**
 * Composes the digest of a collection and keeps it as the run's, unless another execution was faster: the digest that is
 * kept first is the one that everybody sends. Then records what later digests have to know of it; that is the same
 * no matter who records it, and how often.
 */
export async function composeAndStore(
  plan: Plan,
  key: CollectionKey,
  options: ComposeOptions & {
    /** Whether the trigger wants the run held. */
    hold: boolean;
    /** A hash of the mail's look. */
    fingerprint: (digest: Digest) => string;
    now: Date;
  },
): Promise<void> {
  const { configuration, table, fingerprint, now } = options;
  const run = await requireRun(table, plan.report, plan.period);
  const expiresAt = expiresAfterMonths(configuration.ledger.keepMonths, now);
  if (run.digest === undefined) {
    const { kept, withheld } = await composeCollected(plan, key, options);
    const held = options.hold && withheld === null ? 'held' : withheld;
    const mail = fingerprint(kept.digest);
    const missing = kept.digest.missing.length;
    const id = await putDigest(table, plan.run, kept, expiresAt);
    await keepDigest(table, run, id, { withheld: held, mail, missing });
  }
  const { digest: id } = await requireRun(table, plan.report, plan.period);
  if (id === undefined) throw new Error(`Run "${plan.run}" has no digest although it was just stored.`);
  await recordHistory(table, plan, id, expiresAt);
}

/** Records what later digests have to know of a stored one: its figures, and what it said of each thing. */
export async function recordHistory(
  table: Table,
  { run, report, period }: Pick<Plan, 'run' | 'report' | 'period'>,
  id: string,
  expiresAt: number,
): Promise<void> {
  const { digest, filters, informingTypes, complete, shown } = await readDigest(table, run, id);
  const { deliveries, broadcasts, seen, responded, asked, responseRate } = digest.totals;
  const { kind, name, start, end } = period;
  const totals = { deliveries, broadcasts, seen, responded, asked, responseRate };
  const types = informingTypes === undefined ? {} : { informingTypes };
  const figures = { kind, name, start, end, filters, ...types, complete, totals };
  await putFigures(table, { report, startDate: period.startDate }, figures, expiresAt);
  await recordDeliveryHistory(table, report, new Map(Object.entries(shown)), expiresAt);
}

/** What composing takes beside the collection. */
interface ComposeOptions {
  configuration: Configuration;
  table: Table;
  collectedAt: Temporal.Instant;
  /** Reads what the collection found. */
  readCollected: () => Promise<Collected>;
}

/** The digest of a collection, and why its messages are to be withheld; nothing is kept of it. */
export async function composeCollected(
  plan: Plan,
  key: CollectionKey,
  { configuration, table, collectedAt, readCollected }: ComposeOptions,
): Promise<{ kept: StoredDigest; withheld: 'empty' | 'held' | null }> {
  const report = requireReport(configuration, plan.report);
  const earlierFigures = await readFiguresBefore(table, report, plan.period);
  const composition = composeDigest({
    run: plan.run,
    report,
    informingTypes: configuration.service.informingTypes,
    period: plan.period,
    collectedAt: collectedAt.toZonedDateTimeISO(report.timeZone).round('second').toString({ timeZoneName: 'never' }),
    collected: await readCollected(),
    earlierFigures,
  });
  const { digest, figures, counted, shown, unavailable, readings, empty } = composition;
  return {
    kept: {
      digest,
      coverage: mergeCoverage([...(await readCoverages(table, key)), { ...emptyCoverage(), readings }]),
      unavailable,
      shown: Object.fromEntries(shown),
      ...counted,
      complete: figures.complete,
    },
    withheld: empty && report.whenEmpty === 'skip' ? 'empty' : isHeldByReport(report, digest) ? 'held' : null,
  };
}

/** Whether a report's settings hold a digest until an operator releases it. */
export function isHeldByReport(
  { hold, whenIncomplete }: Pick<ReportConfiguration, 'hold' | 'whenIncomplete'>,
  { missing }: Pick<Digest, 'missing'>,
): boolean {
  return hold === 'always' || (whenIncomplete === 'hold' && missing.length > 0);
}
