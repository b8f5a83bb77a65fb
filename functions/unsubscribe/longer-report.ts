import type { ReportWithoutSubscribers } from '../domain/configuration/configuration.ts';
import { comparableSet } from '../domain/folding.ts';
import { periodKindNames } from '../domain/period.ts';
import { filterKey, type Filter } from '../domain/report-filter.ts';
import { isUnsubscribed, readStopped } from '../ledger/persons/opt-outs.ts';
import { readReport } from '../ledger/reports.ts';
import type { Table } from '../ledger/table.ts';

/** Where the kind of a report's periods stands among all, shortest first. */
const lengthOf = ({ schedule }: ReportWithoutSubscribers): number => periodKindNames.indexOf(schedule.every);

export type LongerReport = NonNullable<ReturnType<typeof longerReport>>;

/**
 * The report of the same deliveries with the next longer period, in the same language where there is one. `null` where there is
 * none, and of a warning, which comes when there is something to say.
 */
export function longerReport(report: ReportWithoutSubscribers, reports: readonly ReportWithoutSubscribers[]) {
  const [longer] = reports
    .filter((other) => other.warningOf === undefined && lengthOf(other) > lengthOf(report))
    .filter((other) => sliceKey(other) === sliceKey(report))
    .toSorted(
      (a, b) => lengthOf(a) - lengthOf(b) || Number(b.locale === report.locale) - Number(a.locale === report.locale),
    );
  const every = longer?.schedule.every ?? 'day';
  if (longer === undefined || every === 'day' || report.warningOf !== undefined) return null;
  return { name: longer.name, title: longer.title, every };
}

/**
 * Whether a person would get a report's mail if they took it: it is on, and they have not left it. To come back to one and to leave
 * another are two opt-outs, which no one write decides: between the two there would be both, or neither.
 */
export async function isOpenTo(table: Table, hash: string, report: LongerReport): Promise<boolean> {
  const known = await readReport(table, report);
  if (known === null || known.pausedAt !== undefined || (await isUnsubscribed(table, hash, report))) return false;
  const { suppression, forgottenAt } = await readStopped(table, hash);
  return suppression === null && forgottenAt === null;
}

/** The deliveries that a report is about, as text: neither the order of what is configured makes a difference, nor its spelling. */
function sliceKey(report: { statuses: readonly string[]; only?: Filter; except?: Filter }): string {
  return JSON.stringify([comparableSet(report.statuses), filterKey(report.only), filterKey(report.except)]);
}
