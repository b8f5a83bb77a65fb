import type { Configuration, ReportConfiguration } from '../domain/configuration/configuration.ts';
import type { Check } from '../domain/check.ts';
import type { Digest, PeriodFigures } from '../domain/digest.ts';
import type { Period } from '../domain/period.ts';
import { comparable } from '../domain/folding.ts';
import { filterKey } from '../domain/report-filter.ts';
import type { Warns } from '../domain/warning.ts';
import { findDigest, readOtherFigures, type StoredFigures, readHistory, type History } from '../ledger/runs/digests.ts';
import { readRun } from '../ledger/runs/runs.ts';
import type { Table } from '../ledger/table.ts';

/** What decides how a digest counts: figures that were counted otherwise are not compared. */
export interface CountedBy {
  /** The account of the service. */
  account: string;
  /** The report's filters, as text. */
  filters: string;
  /** The types of content items that ask nothing, as text. */
  informingTypes: string;
}

/** How a report counts. The order of what is configured makes no difference, nor does its case. */
export function countedBy(
  { statuses, only, except }: Pick<ReportConfiguration, 'statuses' | 'only' | 'except'>,
  service: Pick<Configuration['service'], 'baseUrl' | 'account' | 'informingTypes'>,
): CountedBy {
  return {
    account: accountOf(service),
    filters: JSON.stringify([sortedSet(statuses), filterKey(only), filterKey(except)]),
    informingTypes: JSON.stringify(sortedSet(service.informingTypes)),
  };
}

/** Which account of the service figures are of: by its address, with the port where that is not the usual one, unless it has a name. */
export function accountOf({ baseUrl, account }: Pick<Configuration['service'], 'baseUrl' | 'account'>): string {
  const { host, pathname } = new URL(baseUrl);
  return account ?? host + pathname.replace(/\/+$/, '');
}

function sortedSet(texts: readonly string[]): string[] {
  return [...new Set(texts.map(comparable))].toSorted();
}

/** What earlier digests of a report left for the one of a period. */
export interface Earlier {
  /** The figures of the periods before, oldest first. */
  earlier: StoredFigures[];
  /** Digests of later periods were made. */
  hasLater: boolean;
  /** What the latest check left of the report's warnings. */
  warnings?: History | null;
  /** Only of a check. */
  watched?: Watched;
}

/** What a check knows of the report whose deliveries it judges. */
export interface Watched {
  warns: Warns;
  /** What has reached its age by then is judged; in epoch milliseconds. */
  until: number;
  /** What the report's latest digest left, and the digest; `null` where there is none. */
  history: History | null;
  digest: Digest | null;
  /** Where that digest is, if it was sent. */
  newest: Check['newest'];
}

/** Reads what earlier digests of a report left, and what lies beside them: its warnings, or what these are of. */
export async function readBefore(
  table: Table,
  { name, warns, warnedBy }: Pick<ReportConfiguration, 'name' | 'warns' | 'warnedBy'>,
  { period, until, account }: { period: Period; until: number; account: string },
): Promise<Earlier & { history: History | null }> {
  const before = await readEarlier(table, { name }, { ...period, account });
  if (warns !== undefined) return { ...before, watched: await readWatched(table, warns, { until, account }) };
  if (warnedBy === undefined) return before;
  const { history } = await readEarlier(table, { name: warnedBy }, { kind: 'day', start: period.end, account });
  return { ...before, warnings: history };
}

async function readWatched(
  table: Table,
  warns: Warns,
  { until, account }: { until: number; account: string },
): Promise<Watched> {
  const { report: name, every } = warns;
  const { earlier } = await readOtherFigures(table, { name }, { start: new Date(until).toISOString() });
  const latest = latestOf(earlier, every);
  if (latest?.account !== account) return { warns, until, history: null, digest: null, newest: null };
  const { run, digest, kind, start } = latest;
  const stored = await findDigest(table, run, digest);
  // An instant is written with its zone's offset: it begins with the date there.
  const sent = await readRun(table, name, { kind, startDate: start.slice(0, 'YYYY-MM-DD'.length) });
  const isSent = sent?.digest === digest && sent.withheld === undefined;
  return {
    warns,
    until,
    history: await readHistory(table, latest),
    digest: stored?.digest ?? null,
    newest: isSent ? { report: name, run, digest } : null,
  };
}

/**
 * Reads what a report's digests of earlier periods left; the history is the latest one's, `null` where there is none, or it is of
 * another account, whose deliveries may have the same ids.
 */
export async function readEarlier(
  table: Table,
  report: { name: string },
  { kind, start, account }: Pick<Period, 'kind' | 'start'> & { account: string },
): Promise<Earlier & { history: History | null }> {
  const { earlier, later } = await readOtherFigures(table, report, { start });
  const latest = latestOf(earlier, kind);
  const history = latest?.account === account ? await readHistory(table, latest) : null;
  return { earlier, hasLater: later.length > 0, history };
}

/** Of the periods that began before, the one that ended last: of two that end together, the one of the same kind. */
function latestOf(earlier: readonly StoredFigures[], kind: Period['kind']): StoredFigures | null {
  const rank = (figures: StoredFigures): number => Date.parse(figures.end) + (figures.kind === kind ? 1 : 0);
  return earlier.toSorted((a, b) => rank(a) - rank(b)).at(-1) ?? null;
}

/** The figures kept of the calendar's period, in whatever time zone its digest was made; `undefined` where there are none. */
export function keptFiguresOf({ kind, startDate }: Period, earlier: readonly StoredFigures[]) {
  // An instant is written with its zone's offset: it begins with the date there.
  return earlier.find((figures) => figures.kind === kind && figures.start.startsWith(startDate));
}

/** Whether figures are those of a complete digest: one that lacks something has none. */
export function areComplete({ totals }: Pick<StoredFigures, 'totals'>): boolean {
  return totals.seen !== null;
}

/**
 * The figures of an earlier period, where its digest was complete and counted exactly this period of this account under the same
 * filters; else `null`. What asks is `null` in them where other types were held to ask.
 */
export function storedFigures(
  period: Period,
  { earlier, account, filters, informingTypes }: { earlier: readonly StoredFigures[] } & CountedBy,
): PeriodFigures | null {
  const kept = keptFiguresOf(period, earlier);
  if (kept === undefined || !areComplete(kept) || kept.account !== account || kept.filters !== filters) return null;
  if (!isSame(kept.start, period.start) || !isSame(kept.end, period.end)) return null;
  return kept.informingTypes === informingTypes ? kept.totals : { ...kept.totals, asked: null, responseRate: null };
}

function isSame(instant: string, other: string): boolean {
  return Date.parse(instant) === Date.parse(other);
}
