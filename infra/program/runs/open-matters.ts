import { Temporal } from 'temporal-polyfill';
import type { ReportConfiguration } from '../../../functions/domain/configuration/configuration.ts';
import { readNotices } from '../../../functions/ledger/notices.ts';
import type { Table } from '../../../functions/ledger/table.ts';
import { compareMatters } from '../../../functions/watch/publish-notices.ts';
import {
  hoursBetween,
  type InspectedReport,
  inspectLeftReports,
  inspectRuns,
} from '../../../functions/watch/inspect.ts';

/** A suppressed address is printed for so many days. */
const suppressedDays = 7;

/**
 * The matters of these reports that are open in a ledger, as lines in the words of the notices, whether or not a notice was
 * published. Runs that never began are not among them: a local ledger has no schedule.
 */
export async function describeOpenMatters(
  table: Table,
  reports: readonly ReportConfiguration[],
  { flags, now = Temporal.Now.instant() }: { flags: readonly string[]; now?: Temporal.Instant },
): Promise<string[]> {
  const inspected: InspectedReport[] = [];
  for (const report of reports) inspected.push({ report, due: null, runs: await inspectRuns(table, report, { now }) });
  const left = await inspectLeftReports(table, reports, now);
  const runs = new Set(inspected.flatMap((each) => each.runs.map(({ run }) => run.run)));
  const notices = (await readNotices(table))
    .filter(({ kind, subject }) => kind === 'suppressed' && runs.has(subject))
    .filter(({ since }) => hoursBetween(since, now) <= suppressedDays * 24)
    .map(({ noticedAt: _noticedAt, ...notice }) => notice);
  const { announcements } = compareMatters(
    { notices, reports: inspected, left },
    { now, place: { environment: undefined, flags } },
  );
  return announcements.flatMap(({ text: { subject, body } }) => {
    const lines = `Open: ${subject}\n${body}`.split('\n').filter((line) => line !== '');
    return lines.map((line, index) => (index === 0 ? line : `  ${line}`));
  });
}
