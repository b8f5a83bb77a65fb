import { setTimeout as sleep } from 'node:timers/promises';
import type { Temporal } from 'temporal-polyfill';
import type { ReportWithoutSubscribers } from '../domain/configuration/configuration.ts';
import { expiresAfterMonths, type Table } from '../ledger/table.ts';
import { markNoticed, markOver, openNotice, readNotices, renewNotice } from '../ledger/notices.ts';
import { compareMatters, type Announcement } from './announcements.ts';
import { inspectReport, type InspectedReport } from './inspect.ts';
import { findMatters, mayBeOver } from './matters.ts';
import type { NoticePlace, NoticeText } from './notice-text.ts';

/** SNS turns off an address that it mails more than ten times a second. */
const pauseMs = 200;

/** How a look at all reports ended. */
export interface Published {
  announced: Announcement[];
  /** Why some could not be published or marked. The next look publishes them again. */
  failures: unknown[];
}

/**
 * Publishes what has begun and what is over since the last look, and marks it in the ledger. A matter is recorded first and
 * marked last, so none is lost; one is repeated only where it could not be marked. One that cannot be published holds up
 * no other.
 */
export async function publishNotices(options: {
  table: Table;
  reports: readonly ReportWithoutSubscribers[];
  keepMonths: number;
  place: NoticePlace;
  publish: (text: NoticeText) => Promise<void>;
  now: Temporal.Instant;
}): Promise<Published> {
  const { table, keepMonths, place, publish, now } = options;
  const at = now.toString();
  const expiresAt = expiresAfterMonths(keepMonths, new Date(now.epochMilliseconds));
  const notices = await readNotices(table);
  const openRuns = notices.filter(mayBeOver).map(({ subject }) => subject);
  const reports: InspectedReport[] = [];
  for (const report of options.reports) reports.push(await inspectReport(table, report, { openRuns, now }));
  const matters = findMatters(reports, now);
  const compared = { now: now.epochMilliseconds, place };
  const { begun, overSilently, lasting, announcements } = compareMatters({ matters, notices, reports }, compared);

  for (const matter of begun) await openNotice(table, matter, { since: at, expiresAt });
  for (const matter of overSilently) await markOver(table, matter, at);
  for (const matter of lasting) await renewNotice(table, matter, expiresAt);
  const published: Published = { announced: [], failures: [] };
  for (const announcement of announcements) {
    try {
      await publish(announcement.text);
      const mark = announcement.phase === 'begin' ? markNoticed : markOver;
      for (const matter of announcement.matters) await mark(table, matter, at);
      published.announced.push(announcement);
    } catch (error) {
      published.failures.push(error);
    }
    await sleep(pauseMs);
  }
  return published;
}
