import type { Temporal } from 'temporal-polyfill';
import type { ReportWithoutSubscribers } from '../domain/configuration/configuration.ts';
import { partsOfRunName, watchedDaysOf } from '../domain/period.ts';
import { readPublished, readSuppressed, writePublished, type PublishedMatter } from '../ledger/notices.ts';
import { readDaily } from '../ledger/observations.ts';
import { recordReportSeen } from '../ledger/reports.ts';
import type { Table } from '../ledger/table.ts';
import { judgeBounces } from './judge-bounces.ts';
import { dateBefore, inspectLeftReports, inspectReport, type WatchedRun } from './inspect.ts';
import { endOf, openMatters, runMatters, type Look } from './matters.ts';
import { beginText, endText, type NoticePlace, type NoticeText } from './notice-text.ts';

/**
 * Decides about bounces, and publishes what has begun and what is over since the last look. After each notice the ledger learns
 * what operators know, so a notice is lost nowhere, and repeated only where the watch ends in between or another one looks at the same time. One that
 * cannot be published holds up no other: the next look publishes it.
 *
 * @throws Error after all others, where a notice could not be published
 */
export async function publishNotices(options: {
  table: Table;
  reports: readonly ReportWithoutSubscribers[];
  /** The name of the service's account. */
  account: string;
  place: NoticePlace;
  publish: (text: NoticeText) => Promise<void>;
  now: Temporal.Instant;
}): Promise<void> {
  const { table, reports, account, place, publish, now } = options;
  let { version, matters } = await readPublished(table);
  // A run is looked at until what operators know of it is over.
  const openRuns = matters.filter(({ kind }) => runMatters[kind]?.ends !== undefined).map(({ subject }) => subject);
  const watched: WatchedRun[] = [];
  for (const report of reports) {
    const known = await recordReportSeen(table, report, now.toString());
    watched.push(...(await inspectReport(table, report, { known, openRuns, now })));
  }
  const left = await inspectLeftReports(table, reports, now);
  await judgeBounces(table, now);
  const look = { watched, left, suppressed: await readSuppressed(table), daily: await readDaily(table, account) };

  const failures: unknown[] = [];
  for (const { text, begun, over } of compareMatters(matters, look, { now, place })) {
    try {
      if (text !== null) await publish(text);
    } catch (error) {
      failures.push(error);
      continue;
    }
    matters = [...matters.filter((matter) => !over.includes(matter)), ...begun];
    // Another watch has written what it published, and goes on. What this one knows beyond that is found by the next look.
    if (!(await writePublished(table, version, matters))) break;
    version += 1;
  }
  if (failures.length > 0)
    throw new Error(`${failures.length} notices could not be published.`, { cause: failures[0] });
}

/** What operators are to know, and what they then know of, or need not know of any more. */
export interface Change {
  /** `null` where there is nothing to say. */
  text: NoticeText | null;
  begun: readonly PublishedMatter[];
  over: readonly PublishedMatter[];
}

/** How the matters that are open differ from those that operators were notified of. */
export function compareMatters(
  published: readonly PublishedMatter[],
  look: Look,
  { now, place }: { now: Temporal.Instant; place: NoticePlace },
): Change[] {
  const open = openMatters(look, now);
  const known = new Set(published.map(idOf));
  // Of the addresses that operators know of, some were dealt with: the others are no news.
  const isLess = ({ kind, subject, count = 0 }: PublishedMatter): boolean =>
    published.some((known) => known.kind === kind && known.subject === subject && (known.count ?? 0) > count);
  const begun = open
    .filter((matter) => matter.isRecent && !known.has(idOf(matter)))
    .map((matter): Change => ({ text: isLess(matter) ? null : beginText(matter, place), begun: [matter], over: [] }));
  const lasting = new Set(open.map(idOf));
  const ended = published.filter((matter) => !lasting.has(idOf(matter)));
  // One notice for all that is over by the same run.
  const over = [...Map.groupBy(ended, (matter) => endOf(matter, look.watched))].map(([run, matters]): Change => {
    if (run !== null) return { text: endText(matters, run, place), begun: [], over: matters };
    return { text: null, begun: [], over: matters.filter((matter) => isForgotten(matter, look, now)) };
  });
  return [...begun, ...over.filter((change) => change.over.length > 0)];
}

/**
 * Whether a matter that is neither open nor over is no matter any more: the account was observed, its report is configured again or was moved, there
 * are more suppressed addresses now, or its run is gone and longer ago than any is watched.
 */
function isForgotten({ kind, subject }: PublishedMatter, { watched }: Look, now: Temporal.Instant): boolean {
  if (!(kind in runMatters)) return true;
  const startDate = partsOfRunName(subject)?.period.startDate;
  const isOld = startDate !== undefined && startDate < dateBefore(now, watchedDaysOf('quarter'));
  return isOld && !watched.some(({ run }) => run === subject);
}

function idOf({ kind, subject, count = 0 }: PublishedMatter): string {
  return `${kind} ${subject} ${count}`;
}
