import { reportByName, type ReportNames } from '../domain/report-names.ts';
import { RunError } from './failure.ts';

/** The report that has or had this name. Throws a `RunError` that names the configured ones. */
export function requireReport<R extends ReportNames>({ reports }: { reports: readonly R[] }, name: string): R {
  const report = reportByName(reports, name);
  if (report === undefined) throw new RunError('unknown-report', unknownReportMessage(reports));
  return report;
}

/** Names the reports that there are, and never the one that was asked for: that may be any text. */
export function unknownReportMessage(reports: readonly ReportNames[]): string {
  return `There is no report with that name. Configured: ${reports.map(({ name }) => `"${name}"`).join(', ')}.`;
}
