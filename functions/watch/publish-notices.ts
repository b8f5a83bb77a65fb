import { setTimeout as sleep } from 'node:timers/promises';
import type { Temporal } from 'temporal-polyfill';
import type { ReportWithoutSubscribers } from '../domain/configuration/configuration.ts';
import { markNotice, openNotice, readNotices, type MatterKey, type Notice } from '../ledger/notices.ts';
import { expiresAfterMonths, type Table } from '../ledger/table.ts';
import { inspectLeftReports, inspectReport, type InspectedReport } from './inspect.ts';
import { endOf, findMatters, mayBeOver, watchedRuns, type WatchedRun } from './matters.ts';
import { beginText, endText, suppressedText, type NoticePlace, type NoticeText } from './notice-text.ts';

/** SNS turns off an address that it mails more than ten times a second. */
const pauseMs = 200;

/**
 * Publishes what has begun and what is over since the last look, and marks it in the ledger. A matter is recorded first and
 * marked last, so none is lost; one is repeated only where it could not be marked. One that cannot be published holds up
 * no other: `failures` says why, and the next look publishes it again.
 */
export async function publishNotices(options: {
  table: Table;
  reports: readonly ReportWithoutSubscribers[];
  keepMonths: number;
  place: NoticePlace;
  publish: (text: NoticeText) => Promise<void>;
  now: Temporal.Instant;
}): Promise<{ announced: Announcement[]; failures: unknown[] }> {
  const { table, keepMonths, place, publish, now } = options;
  const at = now.toString();
  const expiresAt = expiresAfterMonths(keepMonths, new Date(now.epochMilliseconds));
  const notices = await readNotices(table);
  const openRuns = notices.filter(mayBeOver).map(({ subject }) => subject);
  const reports: InspectedReport[] = [];
  for (const report of options.reports) reports.push(await inspectReport(table, report, { openRuns, now }));
  const left = await inspectLeftReports(table, options.reports, now);
  const { begun, overSilently, lasting, announcements } = compareMatters({ notices, reports, left }, { now, place });

  for (const matter of begun) await openNotice(table, matter, { since: at, expiresAt });
  for (const matter of overSilently) await markNotice(table, matter, { overAt: at });
  for (const matter of lasting) await markNotice(table, matter, { expiresAt });
  const announced: Announcement[] = [];
  const failures: unknown[] = [];
  for (const announcement of announcements) {
    try {
      await publish(announcement.text);
      const mark = announcement.phase === 'begin' ? { noticedAt: at } : { overAt: at };
      for (const matter of announcement.matters) await markNotice(table, matter, mark);
      announced.push(announcement);
    } catch (error) {
      failures.push(error);
    }
    await sleep(pauseMs);
  }
  return { announced, failures };
}

/** A notice to publish, and the matters that are marked with it. */
interface Announcement {
  text: NoticeText;
  phase: 'begin' | 'end';
  matters: MatterKey[];
}

/** What has changed since the matters in the ledger were last compared. */
export type Changes = ReturnType<typeof compareMatters>;

/** An open matter that would expire within so many days is kept. */
const renewedDays = 31;

/** Compares the matters that are open with those that the ledger knows of. */
export function compareMatters(
  {
    notices,
    reports,
    left = [],
  }: { notices: readonly Notice[]; reports: readonly InspectedReport[]; left?: readonly WatchedRun[] },
  { now, place }: { now: Temporal.Instant; place: NoticePlace },
) {
  const watched = watchedRuns(reports);
  const matters = findMatters(watched, now, left);
  const open = new Map(notices.filter(({ overAt }) => overAt === undefined).map((notice) => [idOf(notice), notice]));
  const begun = matters.filter((matter) => matter.isRecent && !open.has(idOf(matter)));
  const unpublished = matters.filter((matter) => open.has(idOf(matter)) && !open.get(idOf(matter))?.noticedAt);
  const known = new Set(matters.map(idOf));
  const ended = [...open.values()].flatMap((notice) => {
    const by = endOf(notice, watched);
    return by === null ? [] : [{ notice, by }];
  });
  const published = ended.filter(({ notice }) => notice.noticedAt !== undefined);
  const expiresSoon = now.epochMilliseconds / 1_000 + renewedDays * 86_400;
  const announcements: Announcement[] = [
    ...[...begun, ...unpublished].map((matter): Announcement => ({
      text: beginText(matter, place),
      phase: 'begin',
      matters: [matter],
    })),
    ...announceSuppressed([...open.values()], watched, place),
    ...announceEnds(published, place),
  ];
  return {
    /** Matters that begin, to be recorded before anything is published. */
    begun,
    /** Matters that are over and were never published, or whose end needs no notice. */
    overSilently: [
      ...ended.filter(({ notice }) => notice.noticedAt === undefined).map(({ notice }) => notice),
      ...[...open.values()].filter((notice) => notice.kind === 'not-configured' && !known.has(idOf(notice))),
    ],
    /** Matters that are open for so long that the ledger is to be kept from forgetting them. */
    lasting: matters.filter((matter) => (open.get(idOf(matter))?.expiresAt ?? Infinity) < expiresSoon),
    announcements,
  };
}

/** One notice for all addresses that the events of a run's messages suppressed since the last one. */
function announceSuppressed(
  open: readonly Notice[],
  watched: readonly WatchedRun[],
  place: NoticePlace,
): Announcement[] {
  const suppressed = open.filter(({ kind, noticedAt }) => kind === 'suppressed' && noticedAt === undefined);
  return [...Map.groupBy(suppressed, ({ subject }) => subject)].map(([run, matters]) => {
    const found = watched.find(({ name }) => name === run);
    return { text: suppressedText(run, matters, found, place), phase: 'begin', matters };
  });
}

/** One notice for all that is over by the same run. */
function announceEnds(ended: ReadonlyArray<{ notice: Notice; by: WatchedRun }>, place: NoticePlace): Announcement[] {
  return [...Map.groupBy(ended, ({ by }) => by)].map(([by, ofRun]) => {
    const matters = ofRun.map(({ notice }) => notice);
    const kinds = matters.map(({ kind }) => kind);
    return { text: endText(kinds, by, place), phase: 'end', matters };
  });
}

function idOf({ kind, subject, message = '' }: MatterKey): string {
  return [kind, subject, message].join('#');
}
