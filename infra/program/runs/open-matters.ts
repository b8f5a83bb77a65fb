import { Temporal } from 'temporal-polyfill';
import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { readSuppressed } from '../../../functions/ledger/notices.ts';
import { readReport } from '../../../functions/ledger/reports.ts';
import { inspectLeftReports, inspectReport, type WatchedRun } from '../../../functions/watch/inspect.ts';
import { openMatters } from '../../../functions/watch/matters.ts';
import { beginText } from '../../../functions/watch/notice-text.ts';
import type { LedgerTarget } from '../targets/target.ts';

/**
 * The matters of these reports that are open in a ledger, as lines in the words of the notices, whether or not a notice was
 * published.
 */
export async function describeOpenMatters(
  { table, configuration, flags }: Pick<LedgerTarget, 'table' | 'configuration' | 'flags'>,
  reports: readonly ReportConfiguration[],
  now = Temporal.Now.instant(),
): Promise<string[]> {
  const watched: WatchedRun[] = [];
  for (const report of reports) {
    // No watch has seen the reports of a local ledger, which has no schedule: nothing is due there.
    const known = await readReport(table, report);
    watched.push(...(await inspectReport(table, report, { known, now })));
  }
  const left = await inspectLeftReports(table, configuration.reports, now);
  const open = openMatters({ watched, left, suppressed: await readSuppressed(table) }, now);
  const ofReports = open.filter((matter) => matter.isRecent && matter.watched !== undefined);
  return ofReports.flatMap((matter) => {
    const { subject, body } = beginText(matter, { ...configuration.operations, environment: undefined, flags });
    const lines = `Open: ${subject}\n${body}`.split('\n').filter((line) => line !== '');
    return lines.map((line, index) => (index === 0 ? line : `  ${line}`));
  });
}
