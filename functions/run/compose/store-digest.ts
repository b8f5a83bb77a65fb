import { Temporal } from 'temporal-polyfill';
import type { Configuration, ReportConfiguration } from '../../domain/configuration/configuration.ts';
import { readCoverages } from '../../ledger/runs/collections.ts';
import {
  putDigest,
  readDigest,
  type StoredDigest,
  putFigures,
  type StoredFigures,
  putHistory,
  type DigestKey,
  type History,
} from '../../ledger/runs/digests.ts';
import type { Digest } from '../../domain/digest.ts';
import { expiresAfterMonths, type Table } from '../../ledger/table.ts';
import { keepDigest, requireRun } from '../../ledger/runs/runs.ts';
import type { Collection } from '../collection/collect.ts';
import { composeDigest } from './compose.ts';
import type { Plan } from '../plan/plan.ts';

/**
 * Composes the digest of a collection and keeps it as the run's, unless another execution was faster: the digest that is
 * kept first is the one that everybody sends. Then keeps its figures for later digests, which are the same no matter who
 * keeps them, and how often.
 */
export async function composeAndStore(
  plan: Plan,
  collection: Collection,
  options: {
    configuration: Configuration;
    table: Table;
    report: ReportConfiguration;
    /** Whether the trigger wants the run held. */
    hold: boolean;
    /** A hash of the mail's look. */
    fingerprint: (digest: Digest) => string;
    now: Date;
  },
): Promise<void> {
  const { configuration, table, hold, fingerprint, now } = options;
  const expiresAt = expiresAfterMonths(configuration.ledger.keepMonths, now);
  const { kept, history, withheld } = await composeCollected(plan, collection, options);
  const composed = await putDigest(table, plan.run, kept, expiresAt);
  await putHistory(table, { run: plan.run, digest: composed }, history, expiresAt);
  const isKept = await keepDigest(table, plan, composed, {
    withheld: hold && withheld === null ? 'held' : withheld,
    mail: fingerprint(kept.digest),
    missing: kept.digest.missing.length,
  });
  const { digest, id } = isKept ? { digest: kept, id: composed } : await readKept(plan, table);
  await putFigures(table, plan.report, plan.period, figuresOf(digest, { run: plan.run, digest: id }), expiresAt);
}

/** The digest that another execution kept, or this one before its answer was lost. */
async function readKept({ run, report, period }: Plan, table: Table): Promise<{ digest: StoredDigest; id: string }> {
  const { digest: id } = await requireRun(table, report, period);
  if (id === undefined) throw new Error(`Run "${run}" has no digest although it was just stored.`);
  return { digest: await readDigest(table, run, id), id };
}

/** What is kept of a digest to compare later ones with, and where what else they have to know is. */
export function figuresOf({ digest, filters, informingTypes, complete }: StoredDigest, key: DigestKey): StoredFigures {
  const { deliveries, broadcasts, seen, responded, asked, responseRate } = digest.totals;
  const { kind, start, end } = digest.period;
  const totals = { deliveries, broadcasts, seen, responded, asked, responseRate };
  return { kind, start, end, ...key, filters, informingTypes, complete, totals };
}

/** The digest of a collection, what later ones would have to know of it, and why its messages are to be withheld; nothing is kept. */
export async function composeCollected(
  plan: Plan,
  collection: Collection,
  { configuration, table, report }: { configuration: Configuration; table: Table; report: ReportConfiguration },
): Promise<{ kept: StoredDigest; history: History; withheld: 'empty' | 'held' | null }> {
  const { timeZone } = plan.period;
  const collectedAt = Temporal.Instant.from(collection.collectedAt).toZonedDateTimeISO(timeZone).round('second');
  const { kept, history, empty } = composeDigest({
    run: plan.run,
    report,
    informingTypes: configuration.service.informingTypes,
    period: plan.period,
    collectedAt: collectedAt.toString({ timeZoneName: 'never' }),
    reading: await collection.read(),
    coverages: await readCoverages(table, collection),
  });
  return {
    kept,
    history,
    withheld: empty && report.whenEmpty === 'skip' ? 'empty' : isHeldByReport(report, kept.digest) ? 'held' : null,
  };
}

/** Whether a report's settings hold a digest until an operator releases it. */
export function isHeldByReport(
  { hold, whenIncomplete }: Pick<ReportConfiguration, 'hold' | 'whenIncomplete'>,
  { missing }: Pick<Digest, 'missing'>,
): boolean {
  return hold === 'always' || (whenIncomplete === 'hold' && missing.length > 0);
}
