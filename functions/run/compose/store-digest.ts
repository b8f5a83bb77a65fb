import type { Temporal } from 'temporal-polyfill';
import type { Configuration, ReportConfiguration } from '../../domain/configuration/configuration.ts';
import { readCoverages, type CollectionKey } from '../../ledger/runs/collections.ts';
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
import { emptyCoverage, mergeCoverage } from '../../reporting-service/coverage.ts';
import { readCollected } from '../collection/collected.ts';
import { readEarlier } from '../earlier-figures.ts';
import { composeDigest } from './compose.ts';
import { requireReport } from '../find-run.ts';
import type { Plan } from '../plan/plan.ts';

/**
 * Composes the digest of a collection and keeps it as the run's, unless another execution was faster: the digest that is
 * kept first is the one that everybody sends. Then keeps its figures for later digests, which are the same no matter who
 * keeps them, and how often.
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
    const { kept, history, withheld } = await composeCollected(plan, key, options);
    const held = options.hold && withheld === null ? 'held' : withheld;
    const mail = fingerprint(kept.digest);
    const missing = kept.digest.missing.length;
    const id = await putDigest(table, plan.run, kept, expiresAt);
    await putHistory(table, { run: plan.run, digest: id }, history, expiresAt);
    await keepDigest(table, run, id, { withheld: held, mail, missing });
  }
  const { digest: id } = await requireRun(table, plan.report, plan.period);
  if (id === undefined) throw new Error(`Run "${plan.run}" has no digest although it was just stored.`);
  const figures = figuresOf(await readDigest(table, plan.run, id), { run: plan.run, digest: id });
  await putFigures(table, plan.report, plan.period, figures, expiresAt);
}

/** What is kept of a digest to compare later ones with, and where what else they have to know is. */
export function figuresOf(
  {
    digest,
    filters,
    informingTypes,
    complete,
  }: Pick<StoredDigest, 'digest' | 'filters' | 'informingTypes' | 'complete'>,
  key: DigestKey,
): StoredFigures {
  const { deliveries, broadcasts, seen, responded, asked, responseRate } = digest.totals;
  const { kind, start, end } = digest.period;
  const totals = { deliveries, broadcasts, seen, responded, asked, responseRate };
  return { kind, start, end, ...key, filters, informingTypes, complete, totals };
}

/** What composing takes beside the collection. */
interface ComposeOptions {
  configuration: Configuration;
  table: Table;
  collectedAt: Temporal.Instant;
}

/** The digest of a collection, what later ones would have to know of it, and why its messages are to be withheld; nothing is kept. */
export async function composeCollected(
  plan: Plan,
  key: CollectionKey,
  { configuration, table, collectedAt }: ComposeOptions,
): Promise<{ kept: StoredDigest; history: History; withheld: 'empty' | 'held' | null }> {
  const report = requireReport(configuration, plan.report);
  const { earlier, hasLater, history } = await readEarlier(table, report, plan.period);
  const composition = composeDigest({
    run: plan.run,
    report,
    informingTypes: configuration.service.informingTypes,
    period: plan.period,
    collectedAt: collectedAt
      .toZonedDateTimeISO(report.schedule.timeZone)
      .round('second')
      .toString({ timeZoneName: 'never' }),
    collected: await readCollected(table, key, { report, service: configuration.service, history }),
    earlier,
    hasLater,
  });
  const { digest, counted, complete, unavailable, readings, empty } = composition;
  return {
    kept: {
      digest,
      coverage: mergeCoverage([...(await readCoverages(table, key)), { ...emptyCoverage(), readings }]),
      unavailable,
      ...counted,
      complete,
    },
    history: composition.history,
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
