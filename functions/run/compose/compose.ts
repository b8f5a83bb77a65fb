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
import { editionsIn, type Editions } from '../../domain/editions.ts';
import { seriesOf } from '../../domain/series.ts';
import { filterFields } from '../../domain/report-filter.ts';
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
import type { Collection } from '../collection.ts';
import { countedBy } from '../earlier-figures.ts';
import type { Plan } from '../plan/plan.ts';
import { areDatesUnreadable, rowsSince, type Collected, type Reading } from '../reading.ts';
import { audienceIn, readingsOf } from './audience.ts';
import { comparePeriods, composeLate, composeTrend } from './comparison.ts';
import { composeDelivery, instantText } from './compose-delivery.ts';
import { findGaps } from './missing.ts';
import { findUnseen, nextHistory } from './next-history.ts';
import { judgeDeliveries, type JudgingFacts } from './judge.ts';
import { composeLeftList } from './left-list.ts';
import { atAgeOfEdition, growthsOf } from './same-age.ts';

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
    dating: RegExp;
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
    unsaid: kept.digest.missing.find(isWholeFilter)?.what,
    noMatch: kept.digest.noMatch,
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

/** The digest of a collection; nothing is kept. */
export async function composeCollected(
  plan: Plan,
  collection: Collection,
  {
    configuration,
    table,
    report,
    dating,
  }: { configuration: Configuration; table: Table; report: ReportConfiguration; dating: RegExp },
): Promise<Composition> {
  const reading = await collection.read();
  const { service } = configuration;
  const coverages = await readCoverages(table, collection);
  const composed = composeDigest(plan, { report, service, reading, dating, coverages });
  const { judgedReport } = reading;
  if (judgedReport === undefined) return composed;
  const { kept } = composed;
  const { history, ...warning } = composeWarning({ digest: kept.digest, history: composed.history }, reading, {
    ...judgedReport,
    dating,
  });
  const isToMail = warning.needs.length > 0 && !warning.warning.waits;
  return {
    kept: { ...kept, digest: { ...kept.digest, ...warning } },
    history,
    withheld: isToMail ? (composed.withheld === 'held' ? 'held' : null) : 'empty',
  };
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
  const { informingTypes } = service;
  const { collected, included, bounds } = reading;
  const { leftOut } = collected;
  const gaps = findGaps(reading);
  const missing = gaps.filter(({ namedBefore }) => !namedBefore).map((gap) => gap.missing);
  const isReadable = !missing.some(withholdsTotals) && !areDatesUnreadable(collected.recipients, collected.history);
  // A warning reads the lists of few deliveries: who is on them is what the report's digests decided.
  const complete = isReadable && reading.judgedReport === undefined;
  const kept = (reading.judgedReport?.history ?? collected.history)?.readings;
  const { audience, readings } = audienceIn(collected, service, kept);
  const { lastWarnings = new Map() } = reading;
  const context = { collected, audience, lastWarnings, timeZone: period.timeZone };
  const unjudged = included.map((inclusion) => composeDelivery(inclusion, context));
  const audiences = new Map(unjudged.map((delivery) => [delivery.id, delivery.audience]));
  const growths = growthsOf(reading, (id, listed) =>
    audiences.has(id) ? audiences.get(id) : audience.deliveries ? listed : undefined,
  );
  const editions = editionsIn(growths, (name) => seriesOf(name, dating));
  const judgements = judgeDeliveries(unjudged, judgingFactsOf(reading, report, editions));
  const { judgedBy, needs } = judgements;
  const deliveries = unjudged
    .map((delivery) => Object.assign(delivery, { judgedBy: judgedBy.get(delivery.id) ?? null }))
    .toSorted((a, b) => inOrderOfTheMail(a, b) || (a.id < b.id ? -1 : 1));
  const counted = countedBy(report, service);
  const asking = new Set([...(collected.history?.asking ?? []), ...askingIn(unjudged)]);
  const asks: BroadcastFacts['asks'] = (delivery, contents) =>
    asking.has(broadcastKey(delivery)) || broadcastAsks(contents, informingTypes);
  const totals = composeTotals(reading, { complete, asks });
  const { left, onlyNewest, isTooMuch, list } = composeLeftList(reading);
  const ofPeriod = { ...reading, ...counted, period, complete, totals, left: { isTooMuch } };
  const { unknownDate, namedEnough } = findUnseen(reading, report);
  const digest: Digest = {
    schemaVersion: 4,
    run,
    report: report.name,
    period: { kind: period.kind, start: period.start, end: period.end, timeZone: period.timeZone },
    only: report.only ?? null,
    except: report.except ?? null,
    ...(isAboutNothing(collected, report) ? { noMatch: true } : {}),
    note: null,
    minimumGroup: report.minimumGroup,
    collectedAt: instantText(Math.round(bounds.collectedAt / 1_000) * 1_000, period.timeZone),
    totals: {
      ...totals,
      undated: collected.recipients.reduce((sum, { engagement }) => sum + (engagement?.undated ?? 0), 0),
      ...comparePeriods(ofPeriod),
      ...(complete ? {} : { unavailable: { reason: 'incomplete' } }),
    },
    late: composeLate(ofPeriod),
    trend: composeTrend(ofPeriod, totals),
    deliveries,
    broadcasts: groupBroadcasts(deliveries, {
      asks,
      ...broadcastFacts(collected),
      atAge: (ids) => atAgeOfEdition(ids, editions, period.timeZone),
    }),
    judged: {
      of: judgedBy.size,
      deliveries: [...judgedBy.values()].filter((by) => by !== 'nothing').length,
    },
    needs,
    left,
    onlyNewest,
    unseenNotNamed: namedEnough,
    unknownDate: unknownDate.size,
    otherStatuses: countWords(collected.others.map(({ status }) => status)),
    missing,
  };
  // A list on which nothing has a wanted status is no quiet week: the mail says which statuses it has.
  const isEmpty =
    saysNothing(digest) && !digest.noMatch && (collected.wanted.length > 0 || collected.others.length === 0);
  return {
    kept: {
      digest,
      coverage: mergeCoverage([
        ...options.coverages,
        {
          ...emptyCoverage(),
          readings: {
            ...readingsOf(audience, deliveries),
            ...(leftOut > 0 ? { except: { 'left out': leftOut } } : {}),
          },
        },
      ]),
      unavailable: gaps.map((gap) => gap.missing),
      ...counted,
      undated: rowsSince(collected.recipients, collected.history).undated,
    },
    history: nextHistory(reading, period, {
      list,
      readings,
      asking: [...asking],
      report,
      unknownDate,
      gaps,
      growths,
      judgedBy,
    }),
    withheld: isEmpty && report.whenEmpty === 'skip' ? 'empty' : isHeldByReport(report, digest) ? 'held' : null,
  };
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

/** Whether a digest has no delivery, and nothing is missing or came late. */
function saysNothing(digest: Digest): boolean {
  const { missing, late } = digest;
  const isLate = late !== null && late.seen + late.responded > 0;
  return isEmptyDigest(digest) && missing.length === 0 && !isLate;
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

/** What the collection says of the broadcasts of a digest. */
function broadcastFacts(collected: Collected): Pick<BroadcastFacts, 'listedDeliveries'> {
  const listed = countWords(collected.wanted.map(({ broadcast }) => broadcast.id));
  return { listedDeliveries: (id) => listed[id] ?? 0 };
}

/** What the collection and the history say of what is to be judged. */
function judgingFactsOf(
  { collected, included, bounds }: Reading,
  { minimumGroup, settleHours }: Pick<ReportConfiguration, 'minimumGroup' | 'settleHours'>,
  editions: Editions,
): JudgingFacts {
  const lists = collected.recipients.flatMap(({ delivery, engagement }) =>
    engagement === undefined ? [] : [{ delivery, engaged: engagement.engaged }],
  );
  const seenBroadcasts = new Set(
    lists.flatMap(({ delivery, engaged }) => (engaged > 0 ? [delivery.broadcast.id] : [])),
  );
  return {
    minimumGroup,
    settleHours,
    end: bounds.end,
    due: new Set(included.flatMap(({ isDue, found }) => (isDue ? [found.delivery.id] : []))),
    editions,
    engaged: new Map(lists.map(({ delivery, engaged }) => [delivery.id, engaged])),
    ...broadcastFacts(collected),
    isSeenElsewhere: (id) => id !== '' && seenBroadcasts.has(id),
    timesNamed: (id) => collected.history?.deliveries.get(id)?.namedIn?.length ?? 0,
  };
}

/** The figures of a digest's period; `null`, all of them, where something is missing that would change them. */
function composeTotals(
  { included, collected }: Reading,
  { complete, asks }: { complete: boolean; asks: BroadcastFacts['asks'] },
): PeriodFigures {
  if (!complete) {
    return { deliveries: null, broadcasts: null, seen: null, responded: null, asked: null, responseRate: null };
  }
  const dated = included.flatMap(({ found: { delivery, engagement } }) => {
    const contents = collected.broadcasts.get(delivery.broadcast.id)?.broadcast?.contents ?? null;
    return engagement === undefined ? [] : [{ asks: asks(delivery, contents), inPeriod: engagement.inPeriod }];
  });
  const news = included.filter(({ kind }) => kind === 'new').map(({ found }) => found.delivery);
  return {
    deliveries: news.length,
    broadcasts: countBroadcasts(news),
    seen: dated.reduce((sum, { inPeriod }) => sum + inPeriod.seen, 0),
    responded: dated.reduce((sum, { inPeriod }) => sum + inPeriod.responded, 0),
    ...countAsked(dated),
  };
}
