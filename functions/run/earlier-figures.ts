import type { ReportConfiguration } from '../domain/configuration/configuration.ts';
import type { PeriodFigures } from '../domain/digest.ts';
import { precedingPeriod, type Period } from '../domain/period.ts';
import type { StoredFigures } from '../ledger/runs/figures.ts';

/** What decides how a digest counts: figures that were counted otherwise are not compared. */
export interface CountedBy {
  /** The report's filters, as text. */
  filters: string;
  /** The types of content items that ask nothing, as text. */
  informingTypes: string;
}

/** How a report counts. The order of what is configured makes no difference, nor does the case of a type. */
export function countedBy(
  { statuses, broadcastName }: Pick<ReportConfiguration, 'statuses' | 'broadcastName'>,
  informingTypes: readonly string[],
): CountedBy {
  const types = new Set(informingTypes.map((type) => type.toLowerCase()));
  return {
    filters: JSON.stringify({ statuses: statuses.toSorted(), broadcastName: broadcastName ?? null }),
    informingTypes: JSON.stringify([...types].toSorted()),
  };
}

/**
 * The figures of exactly this earlier period, where its digest was complete and counted under the same filters; else `null`.
 * One of another kind, or of another length in another zone, is another period. What
 * asks is `null` in them where an earlier release counted, or other types were held to ask.
 */
export function storedFigures(
  { kind, start, end }: Period,
  { earlierFigures, filters, informingTypes }: { earlierFigures: readonly StoredFigures[] } & CountedBy,
): PeriodFigures | null {
  const stored = earlierFigures.find((each) => each.kind === kind && each.start === start && each.end === end);
  if (stored === undefined || !stored.complete || stored.filters !== filters) return null;
  return stored.informingTypes === informingTypes
    ? stored.totals
    : { ...stored.totals, asked: null, responseRate: null };
}

/**
 * Whether the figures of the preceding period have to be counted again to compare with: they were not kept, or not with what
 * asks.
 */
export function needsRecount(
  period: Period,
  options: { earlierFigures: readonly StoredFigures[] } & CountedBy,
): boolean {
  return storedFigures(precedingPeriod(period), options)?.asked == null;
}
