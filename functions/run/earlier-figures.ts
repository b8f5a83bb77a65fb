import { accountOf } from '../domain/configuration/account.ts';
import type { Configuration, ReportConfiguration } from '../domain/configuration/configuration.ts';
import type { PeriodFigures } from '../domain/digest.ts';
import { dateOf, type Period } from '../domain/period.ts';
import { comparableSet } from '../domain/folding.ts';
import { sliceKey } from '../domain/report-filter.ts';
import { readOtherFigures, type StoredFigures, readHistory, type History } from '../ledger/runs/digests.ts';
import type { Table } from '../ledger/table.ts';

/** What decides how a digest counts: figures that were counted otherwise are not compared. */
export type CountedBy = ReturnType<typeof countedBy>;

/** How a report counts. The order of what is configured makes no difference, nor does its case. */
export function countedBy(
  report: Pick<ReportConfiguration, 'statuses' | 'only' | 'except'>,
  service: Pick<Configuration['service'], 'baseUrl' | 'account' | 'informingTypes'>,
) {
  return {
    account: accountOf(service),
    filters: sliceKey(report),
    informingTypes: JSON.stringify(comparableSet(service.informingTypes)),
  };
}

/** What earlier digests of a report left for the one of a period. */
export interface Earlier {
  /** The figures of the periods before, oldest first. */
  earlier: StoredFigures[];
  /** Digests of later periods were made. */
  hasLater: boolean;
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
export function latestOf(earlier: readonly StoredFigures[], kind: Period['kind']): StoredFigures | null {
  const rank = (figures: StoredFigures): number => Date.parse(figures.end) + (figures.kind === kind ? 1 : 0);
  return earlier.toSorted((a, b) => rank(a) - rank(b)).at(-1) ?? null;
}

/** The figures kept of the calendar's period, in whatever time zone its digest was made; `undefined` where there are none. */
export function keptFiguresOf({ kind, startDate }: Period, earlier: readonly StoredFigures[]) {
  return earlier.find((figures) => figures.kind === kind && dateOf(figures.start) === startDate);
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
