import type { MatterKey, Notice } from '../ledger/notices.ts';
import { endOf, type Matter } from './matters.ts';
import type { InspectedReport } from './inspect.ts';
import { beginText, endText, suppressedText, type NoticePlace, type NoticeText } from './notice-text.ts';
import { watchedRuns, type WatchedRun } from './watched-runs.ts';

/** A notice to publish, and the matters that are marked with it. */
export interface Announcement {
  text: NoticeText;
  phase: 'begin' | 'end';
  matters: MatterKey[];
}

/** What has changed since the matters in the ledger were last compared. */
export interface Changes {
  /** Matters that begin, to be recorded before anything is published. */
  begun: Matter[];
  /** Matters that are over and were never published, or whose end needs no notice. */
  overSilently: MatterKey[];
  /** Matters that are open for so long that the ledger is to be kept from forgetting them. */
  lasting: MatterKey[];
  announcements: Announcement[];
}

/** An open matter that would expire within so many days is kept. */
const renewedDays = 31;

/** Compares the matters that are open with those that the ledger knows of. `now` is in epoch milliseconds. */
export function compareMatters(
  {
    matters,
    notices,
    reports,
  }: { matters: readonly Matter[]; notices: readonly Notice[]; reports: readonly InspectedReport[] },
  { now, place }: { now: number; place: NoticePlace },
): Changes {
  const watched = watchedRuns(reports);
  const open = new Map(notices.filter(({ overAt }) => overAt === undefined).map((notice) => [idOf(notice), notice]));
  const begun = matters.filter((matter) => matter.isRecent && !open.has(idOf(matter)));
  const unpublished = matters.filter(
    (matter) => open.get(idOf(matter))?.noticedAt === undefined && open.has(idOf(matter)),
  );
  const ended = [...open.values()].flatMap((notice) => {
    const by = endOf(notice, watched);
    return by === null ? [] : [{ notice, by }];
  });
  const published = ended.filter(({ notice }) => notice.noticedAt !== undefined);
  const expiresSoon = now / 1_000 + renewedDays * 86_400;
  return {
    begun,
    overSilently: ended.filter(({ notice }) => notice.noticedAt === undefined).map(({ notice }) => notice),
    lasting: matters.filter((matter) => (open.get(idOf(matter))?.expiresAt ?? Infinity) < expiresSoon),
    announcements: [
      ...[...begun, ...unpublished].map((matter) => ({
        text: beginText(matter, place),
        phase: 'begin' as const,
        matters: [matter],
      })),
      ...announceSuppressed([...open.values()], watched, place),
      ...announceEnds(published, place),
    ],
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
    const complaint = matters.filter(({ reason }) => reason === 'complaint').length;
    const reasons = { bounce: matters.length - complaint, complaint };
    const found = watched.find(({ name }) => name === run);
    return { text: suppressedText({ run, watched: found, reasons }, place), phase: 'begin', matters };
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
