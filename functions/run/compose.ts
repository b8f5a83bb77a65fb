import { composeDigest, saysNothing } from '../digest/compose.ts';
import type { Digest } from '../digest/schema.ts';
import type { ReportConfiguration } from '../domain/configuration/configuration.ts';
import { boundsOf, dayMs, type Period } from '../domain/period.ts';
import { countedPeriod } from '../domain/schedule.ts';
import { readFacts } from '../ledger/facts.ts';
import { closings } from '../ledger/observations.ts';
import { findDigest, hasOlderDigest, putDigest } from '../ledger/runs/digests.ts';
import { keepDigest, readRunsFrom, recordObservation, wasSent } from '../ledger/runs/runs.ts';
import { recordExpires } from '../ledger/retention.ts';
import type { Table } from '../ledger/table.ts';
import type { Dependencies } from './dependencies.ts';
import type { Need, Observation } from './observe/turn.ts';
import type { Plan } from './plan/plan.ts';

type ComposeOptions = Pick<Dependencies, 'configuration' | 'table' | 'dating'> & { report: ReportConfiguration };
type StoreOptions = ComposeOptions & { hold: boolean; now: Date };

/** The observation that a digest needs: one that began after its end, and after `sinceMs`. */
export function needOf(report: ReportConfiguration, { period }: Pick<Plan, 'period'>, sinceMs = 0): Need {
  return { endMs: Date.parse(countedPeriod(report, period).end), sinceMs };
}

/**
 * Composes the digest of an observation and keeps it as the run's, unless another execution was faster: the digest that is kept
 * first is the one that everybody sends. With `hold` the run is held, whatever its digest says.
 */
export async function composeAndStore(plan: Plan, observation: Observation, options: StoreOptions): Promise<void> {
  const { configuration, table, hold, now, report } = options;
  await recordObservation(table, plan, observation);
  const digest = await composeObserved(plan, observation, options);
  const id = await putDigest(table, plan.run, digest, recordExpires(configuration.ledger, now));
  const isEmpty = report.whenEmpty === 'skip' && !isAboutNothing(digest) && saysNothing(digest);
  const withheld = isEmpty ? 'empty' : isHeldByReport(digest, report) || hold ? 'held' : undefined;
  const nearest = isAboutNothing(digest) ? digest.noMatch?.nearest : undefined;
  await keepDigest(table, plan, id, { withheld, missing: digest.unavailable.length, nearest });
}

/** So long before the preceding period facts say what is usual, or four periods where that is longer. */
const usualDays = 182;
const usualPeriods = 4;

/** The digest of an observation; nothing is kept. */
export async function composeObserved(
  { run, period: planned }: Pick<Plan, 'run' | 'period'>,
  { account, observation, atMs }: Observation,
  { configuration: { service }, table, report, dating }: ComposeOptions,
): Promise<Digest> {
  const period = countedPeriod(report, planned);
  const { precedingStartMs, startMs, endMs } = boundsOf(period);
  const [closing, before] = await Promise.all([
    closings.read(table, { account, observation }),
    readDigestBefore(table, report, planned),
  ]);
  if (closing === null) throw new Error('The ledger lacks the end of the observation that the digest is composed of.');
  const usualFromMs = precedingStartMs - Math.max(usualDays * dayMs, usualPeriods * (endMs - startMs));
  // What is still listed may be seen, however old it is.
  const listed = closing.deliveries.flatMap(({ isListed, month }) => (isListed ? Date.parse(month) : []));
  const fromMs = listed.reduce((earliest, atMs) => Math.min(earliest, atMs), usualFromMs);
  const deliveries = await readFacts(table, { account, fromMs, untilMs: atMs });
  const { deliveryRecipients, contentRecipients } = service;
  const settings = { ...report, deliveryRecipients, contentRecipients, dating };
  return composeDigest({ observation: closing.facts, deliveries }, { ...settings, run, period }, before);
}

/**
 * The kept digest of a report with the latest end before a period of which somebody was sent something, or which had nothing to
 * send, whenever it was made; `null` where there is none, or the release before composed it.
 */
async function readDigestBefore(table: Table, report: { name: string }, period: Period): Promise<Digest | null> {
  const before = (await readRunsFrom(table, report, '0000', period.startDate))
    .filter((run) => Date.parse(run.period.end) <= Date.parse(period.start) && !hasOlderDigest(run))
    .filter((run) => run.withheld === 'empty' || wasSent(run))
    .toSorted((a, b) => Date.parse(a.period.end) - Date.parse(b.period.end))
    .at(-1);
  return before?.digest === undefined ? null : await findDigest(table, before.run, before.digest);
}

/** Whether a digest is held until an operator releases it: by its report's settings, or as the report is about nothing that is known. */
export function isHeldByReport(digest: Digest, { hold, whenIncomplete }: ReportConfiguration): boolean {
  return hold === 'always' || isAboutNothing(digest) || (whenIncomplete === 'hold' && digest.unavailable.length > 0);
}

/** So long facts have to know the account before a slice is said to be about nothing. */
const coveredDays = 28;

function isAboutNothing({ noMatch, period, coveredSince }: Digest): boolean {
  return noMatch !== null && Date.parse(period.end) - Date.parse(coveredSince) >= coveredDays * dayMs;
}
