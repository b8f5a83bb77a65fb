import {
  askingIn,
  broadcastAsks,
  broadcastKey,
  countAsked,
  countBroadcasts,
  groupBroadcasts,
  inOrderOfTheMail,
  type BroadcastFacts,
} from '../../domain/broadcasts.ts';
import type { Configuration, ReportConfiguration } from '../../domain/configuration/configuration.ts';
import { countWords } from '../../domain/counts-by-word.ts';
import { isEmptyDigest, type Digest, type Missing, type PeriodFigures } from '../../domain/digest.ts';
import { atAgeOfEdition, editionsIn } from '../../domain/editions.ts';
import { instantText } from '../../domain/period.ts';
import { filterFields } from '../../domain/report-filter.ts';
import { seriesOf } from '../../domain/series.ts';
import { readCoverages } from '../../ledger/runs/collections.ts';
import {
  figuresOf,
  putDigest,
  putFigures,
  putHistory,
  readDigest,
  type History,
  type StoredDigest,
} from '../../ledger/runs/digests.ts';
import { keepDigest, requireRun } from '../../ledger/runs/runs.ts';
import { expiresAfterMonths, type Table } from '../../ledger/table.ts';
import { emptyCoverage, mergeCoverage, type Coverage } from '../../reporting-service/coverage.ts';
import { composeWarning } from '../../warnings/warning.ts';
import { areDatesUnreadable, rowsSince, type Collected } from '../collected.ts';
import type { Collection } from '../collection.ts';
import type { Dependencies } from '../dependencies.ts';
import { countedBy } from '../earlier-figures.ts';
import type { Plan } from '../plan/plan.ts';
import type { Reading } from '../reading.ts';
import { audienceIn, readingsOf, type Audience } from './audience.ts';
import { comparePeriods, composeLate, composeLeftList, composeSince, composeTrend, countSeries } from './comparison.ts';
import { composeDelivery } from './compose-delivery.ts';
import { judgeDeliveries } from './judge.ts';
import { findGaps } from './missing.ts';
import { findUnseen, growthsOf, nextHistory } from './next-history.ts';

type ComposeOptions = Pick<Dependencies, 'configuration' | 'table' | 'dating'> & { report: ReportConfiguration };

/**
 * Composes the digest of a collection and keeps it as the run's, unless another execution was faster: the digest that is
 * kept first is the one that everybody sends. Then keeps its figures for later digests, which are the same no matter who
 * keeps them, and how often.
 */
export async function composeAndStore(
  plan: Plan,
  collection: Collection,
  options: ComposeOptions & {
    /** Whether the trigger wants the run held. */
    hold: boolean;
    now: Date;
  },
): Promise<void> {
  const { configuration, table, hold, now } = options;
  const expiresAt = expiresAfterMonths(configuration.ledger.keepMonths, now);
  const { kept, history, withheld } = await composeCollected(plan, collection, options);
  const composed = await putDigest(table, plan.run, kept, expiresAt);
  await putHistory(table, { run: plan.run, digest: composed }, history, expiresAt);
  const isKept = await keepDigest(table, plan, composed, {
    withheld: hold && withheld === null ? 'held' : withheld,
    missing: kept.digest.missing.length,
    unsaid: kept.digest.missing.find(isWholeFilter)?.what,
    noMatch: kept.digest.noMatch,
  });
  const { digest, id } = isKept ? { digest: kept, id: composed } : await readKept(plan, table);
  const figures = figuresOf(digest, { run: plan.run, digest: id });
  await putFigures(table, plan.report, [[plan.period, figures]], expiresAt);
}

/** The digest that another execution kept, or this one before its answer was lost. */
async function readKept({ run, report, period }: Plan, table: Table): Promise<{ digest: StoredDigest; id: string }> {
  const { digest: id } = await requireRun(table, report, period);
  if (id === undefined) throw new Error(`Run "${run}" has no digest although it was just stored.`);
  return { digest: await readDigest(table, run, id), id };
}

/** The digest of a collection; nothing is kept. */
export async function composeCollected(
  plan: Plan,
  collection: Collection,
  { configuration: { service }, table, report, dating }: ComposeOptions,
): Promise<Composition> {
  const reading = await collection.read();
  const coverages = await readCoverages(table, collection);
  return composeDigest(plan, { report, service, reading, dating, coverages });
}

/** What is composed: a digest as it is kept, what later ones have to know, and why its messages are to be withheld. */
export interface Composition {
  kept: StoredDigest;
  history: History;
  withheld: 'empty' | 'held' | null;
}

/**
 * The digest of one period from what was collected. Pure: the same answers in any order give the same digest. A figure
 * over something that is missing is withheld (`null`), never computed over less.
 */
export function composeDigest(
  { run, period }: Pick<Plan, 'run' | 'period'>,
  options: {
    report: ReportConfiguration;
    service: Configuration['service'];
    reading: Reading;
    /** What dates the names of broadcasts. */
    dating: RegExp;
    /** What each part of the collection covers. */
    coverages: readonly Coverage[];
  },
): Composition {
  const { report, service, reading, dating } = options;
  const { collected, bounds, judgedReport } = reading;
  const { kind, start, end, timeZone } = period;
  const gaps = findGaps(reading);
  const missing = gaps.flatMap((gap) => (gap.namedBefore ? [] : [gap.missing]));
  const isReadable = !missing.some(withholdsTotals) && !areDatesUnreadable(collected);
  // A warning reads the lists of few deliveries: who is on them is what the report's digests decided.
  const complete = isReadable && judgedReport === undefined;
  const { audience, readings } = audienceIn(collected, service, (judgedReport?.history ?? collected.history)?.readings);
  const listedOf = countWords(collected.wanted.map(({ broadcast }) => broadcast.id));
  const listedDeliveries = (broadcastId: string): number => listedOf[broadcastId] ?? 0;
  const judged = composeDeliveries(reading, audience, { report, dating, timeZone, listedDeliveries });
  const { deliveries, judgedBy, needs, growths, editions } = judged;
  const asking = new Set([...(collected.history?.asking ?? []), ...askingIn(deliveries)]);
  const asks: BroadcastFacts['asks'] = (delivery, contents) =>
    asking.has(broadcastKey(delivery)) || broadcastAsks(contents, service.informingTypes);
  const totals = composeTotals(reading, { complete, asks, dating });
  const { left, onlyNewest, list, hasLostTooMuch } = composeLeftList(reading);
  const counted = countedBy(report, service);
  const counting = { ...reading, ...counted, period, complete, totals, hasLostTooMuch };
  const { unknownDate, namedEnough } = findUnseen(reading, report);
  const figures: Digest = {
    schemaVersion: 4,
    run,
    report: report.name,
    period: { kind, start, end, timeZone },
    only: report.only ?? null,
    except: report.except ?? null,
    ...(isAboutNothing(collected, report) ? { noMatch: true } : {}),
    note: null,
    minimumGroup: report.minimumGroup,
    collectedAt: instantText(Math.round(bounds.collectedAt / 1_000) * 1_000, timeZone),
    totals: {
      ...totals,
      undated: collected.recipients.reduce((sum, { engagement }) => sum + (engagement?.undated ?? 0), 0),
      ...comparePeriods(counting),
      ...(complete ? {} : { unavailable: { reason: 'incomplete' } }),
    },
    late: composeLate(counting),
    trend: composeTrend(counting),
    deliveries,
    broadcasts: groupBroadcasts(deliveries, {
      asks,
      listedDeliveries,
      atAge: (ids) => atAgeOfEdition(ids, editions, timeZone),
    }),
    judged: { of: judgedBy.size, deliveries: [...judgedBy.values()].filter((by) => by !== 'nothing').length },
    needs,
    since: composeSince(reading, deliveries, needs),
    left,
    onlyNewest,
    unseenNotNamed: namedEnough,
    unknownDate: unknownDate.size,
    otherStatuses: countWords(collected.others.map(({ status }) => status)),
    missing,
  };
  const next = { start, list, readings, asking: [...asking], report, unknownDate, gaps, growths, judgedBy, needs };
  const composed = { digest: figures, history: nextHistory(reading, next) };
  const { history, ...warning } =
    judgedReport === undefined ? composed : composeWarning(composed, reading, { ...judgedReport, dating });
  const digest: Digest = { ...figures, ...warning };
  const readingsNow = {
    ...readingsOf(audience, deliveries),
    ...(collected.leftOut > 0 ? { except: { 'left out': collected.leftOut } } : {}),
  };
  return {
    kept: {
      digest,
      coverage: mergeCoverage([...options.coverages, { ...emptyCoverage(), readings: readingsNow }]),
      unavailable: gaps.map((gap) => gap.missing),
      ...counted,
      undated: rowsSince(collected).undated,
    },
    history,
    withheld: isEmpty(digest, collected, report) ? 'empty' : isHeldByReport(report, digest) ? 'held' : null,
  };
}

function composeDeliveries(
  reading: Reading,
  audience: Audience,
  options: Pick<BroadcastFacts, 'listedDeliveries'> & { report: ReportConfiguration; dating: RegExp; timeZone: string },
) {
  const { report, dating, timeZone, listedDeliveries } = options;
  const composed = reading.included.map((inclusion) => composeDelivery(inclusion, reading, { audience, timeZone }));
  const audiences = new Map(composed.map((delivery) => [delivery.id, delivery.audience]));
  const growths = growthsOf(reading, (id, listed) =>
    audiences.has(id) ? audiences.get(id) : audience.deliveries ? listed : undefined,
  );
  const editions = editionsIn(growths, (name) => seriesOf(name, dating));
  const standards = { ...report, editions, listedDeliveries };
  const { judgedBy, needs } = judgeDeliveries(composed, reading, standards);
  const deliveries = composed
    .map((delivery) => Object.assign(delivery, { judgedBy: judgedBy.get(delivery.id) ?? null }))
    .toSorted((a, b) => inOrderOfTheMail(a, b) || (a.id < b.id ? -1 : 1));
  return { deliveries, judgedBy, needs, growths, editions };
}

/**
 * Whether a digest is held until an operator releases it: by its report's settings, or because the service no longer says what
 * the report is about.
 */
export function isHeldByReport(
  { hold, whenIncomplete }: Pick<ReportConfiguration, 'hold' | 'whenIncomplete'>,
  { missing }: Pick<Digest, 'missing'>,
): boolean {
  return hold === 'always' || missing.some(isWholeFilter) || (whenIncomplete === 'hold' && missing.length > 0);
}

/**
 * Whether a digest is not to be mailed, as it says nothing. A list on which nothing has a wanted status is no quiet week: the mail
 * says which statuses it has.
 */
function isEmpty(
  digest: Digest,
  { wanted, others }: Collected,
  { whenEmpty }: Pick<ReportConfiguration, 'whenEmpty'>,
): boolean {
  const { warning, needs, missing, late, noMatch } = digest;
  if (warning !== undefined) return needs.length === 0 || warning.waits;
  const isLate = late !== null && late.seen + late.responded > 0;
  const saysNothing = isEmptyDigest(digest) && missing.length === 0 && !isLate && !noMatch;
  return whenEmpty === 'skip' && saysNothing && (wanted.length > 0 || others.length === 0);
}

/** Whether the whole list was read, has deliveries, and none that the report is about. */
function isAboutNothing(
  { list, wanted, others, unsaid }: Collected,
  { only, except }: Pick<ReportConfiguration, 'only' | 'except'>,
): boolean {
  if ((only ?? except) === undefined || list.unavailable !== undefined || unsaid.length > 0) return false;
  return list.deliveries.length > 0 && wanted.length + others.length === 0;
}

/** Whether the figures of the period are not known without it: some of its engagement is. */
function withholdsTotals(missing: Missing): boolean {
  const { what, reason } = missing;
  return what === 'deliveries' || isWholeFilter(missing) || (what === 'delivery' && reason !== 'dates-unreadable');
}

/** Whether no broadcast says what the report filters by. */
function isWholeFilter({ what, broadcast }: Missing): boolean {
  return broadcast === undefined && filterFields.some((field) => field === what);
}

/** The figures of a digest's period; `null`, all of them, where something is missing that would change them. */
function composeTotals(
  { included, collected }: Reading,
  { complete, asks, dating }: { complete: boolean; asks: BroadcastFacts['asks']; dating: RegExp },
): PeriodFigures {
  if (!complete) {
    const none = { deliveries: null, broadcasts: null, seen: null, responded: null, asked: null, responseRate: null };
    return { ...none, series: null };
  }
  const dated = included.flatMap(({ delivery, engagement }) => {
    const contents = collected.broadcasts.get(delivery.broadcast.id)?.broadcast?.contents ?? null;
    return engagement === undefined
      ? []
      : [{ delivery, asks: asks(delivery, contents), inPeriod: engagement.inPeriod }];
  });
  const news = included.filter(({ kind }) => kind === 'new').map(({ delivery }) => delivery);
  return {
    deliveries: news.length,
    broadcasts: countBroadcasts(news),
    seen: dated.reduce((sum, { inPeriod }) => sum + inPeriod.seen, 0),
    responded: dated.reduce((sum, { inPeriod }) => sum + inPeriod.responded, 0),
    ...countAsked(dated),
    series: countSeries(dated, dating),
  };
}
