import type { ReportWithoutSubscribers as Report } from '../domain/configuration/configuration.ts';
import { comparable } from '../domain/folding.ts';
import { periodKindNames } from '../domain/period.ts';
import { filterKey } from '../domain/report-filter.ts';

/** All kinds of periods but the shortest, shortest first. */
const longerKinds = ['week', 'month', 'quarter'] as const;

export type LongerReport = NonNullable<ReturnType<typeof longerReport>>;

/**
 * The report of the same deliveries with the next longer period, in the same language where there is one. `null` where there is
 * none, and of a warning, which comes when there is something to say.
 */
export function longerReport({ warningOf, schedule, locale, ...report }: Report, reports: readonly Report[]) {
  if (warningOf !== undefined) return null;
  const alike = reports
    .filter((other) => other.warningOf === undefined && sliceOf(other) === sliceOf(report))
    .toSorted((a, b) => Number(b.locale === locale) - Number(a.locale === locale));
  for (const every of longerKinds.slice(periodKindNames.indexOf(schedule.every))) {
    const longer = alike.find((other) => other.schedule.every === every);
    if (longer !== undefined) return { name: longer.name, title: longer.title, every };
  }
  return null;
}

/** The deliveries that a report is about, as text. */
function sliceOf({ only, except, statuses }: Pick<Report, 'only' | 'except' | 'statuses'>): string {
  return JSON.stringify([filterKey(only), filterKey(except), [...new Set(statuses.map(comparable))].toSorted()]);
}
