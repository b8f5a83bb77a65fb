import type { DigestBroadcast, Digest } from '../../domain/digest.ts';
import type { SectionInput } from '../input.ts';
import { showForeignText } from '../texts/foreign-text.ts';
import type { Language } from '../texts/language.ts';
import { showStatus } from '../texts/names.ts';

/** The mail says so where more than this share of a list has no field for a date. */
const TOLERATED_SHARE = 0.1;

/** Whether the files with all rows are attached, or why they are not. */
export type FilesOfMail = 'attached' | 'none' | 'too-large';

/** Sentences for the end of the mail: what the files have, and how to read the figures. */
export function sayNotes(input: SectionInput, files: FilesOfMail): string[] {
  const { digest, report, wording, figures } = input;
  const text = showForeignText(report.broadcastName);
  const lists = listsLackingFields(digest);
  const { unseenNotNamed, unknownDate, totals, deliveries } = digest;
  return [
    ...sayFiles(files, input),
    ...(deliveries.length > 0 ? [wording.say('notes.views')] : []),
    ...(digest.broadcasts.some(isSeenLater) ? [wording.say('notes.toDate')] : []),
    ...(digest.broadcasts.some(({ kind, stillCounting }) => kind === 'new' && stillCounting)
      ? [wording.count('notes.stillCounting', report.settleHours)]
      : []),
    ...(unseenNotNamed > 0 ? [wording.count('notes.unseenNotNamed', unseenNotNamed)] : []),
    ...(unknownDate > 0 ? [wording.count('notes.unknownDate', unknownDate)] : []),
    ...(lists > 0 ? [wording.count('notes.lackingFields', lists)] : []),
    ...(totals.undated > 0 ? [wording.count('notes.undated', totals.undated)] : []),
    ...(text === null ? [] : [wording.say('notes.filter', { text })]),
    ...sayOtherStatuses(input),
    wording.say('notes.asOf', { instant: figures.instant(digest.collectedAt), zone: digest.period.timeZone }),
  ];
}

/** Engagement from before the period that came too late to be counted then; `null` where there is none, or it is not known. */
export function sayLate({ digest, wording, figures }: SectionInput): string | null {
  const { late, period } = digest;
  if (late === null || late.seen + late.responded === 0) return null;
  const engaged = wording.list([
    ...(late.seen > 0 ? [wording.count('count.views', late.seen)] : []),
    ...(late.responded > 0 ? [wording.count('count.responses', late.responded)] : []),
  ]);
  const date = figures.day(period.start, period.start);
  return wording.count('notes.late', late.seen + late.responded, { engaged, date });
}

/** Whether a new broadcast has views or responses from after the period, or may have, so that the totals do not have them. */
function isSeenLater({ kind, seen, responded, inPeriod }: DigestBroadcast): boolean {
  return kind === 'new' && seen !== null && (seen !== inPeriod?.seen || responded !== inPeriod.responded);
}

function sayFiles(files: FilesOfMail, { wording }: Language): string[] {
  if (files === 'none') return [];
  return [wording.say(files === 'attached' ? 'notes.files' : 'notes.filesTooLarge')];
}

/** How many recipient lists have more rows without a `seenAt` or a `respondedAt` than is tolerated. */
function listsLackingFields({ deliveries }: Digest): number {
  const lists = deliveries.flatMap((delivery) => [delivery, ...(delivery.contents ?? [])]);
  return lists.filter(({ listed, lackingFields = 0 }) => lackingFields > (listed ?? 0) * TOLERATED_SHARE).length;
}

/** The deliveries with other statuses than the wanted ones; nothing where there are none. */
export function sayOtherStatuses(input: SectionInput): string[] {
  const { digest, limits, wording, figures } = input;
  const byCount = Object.entries(digest.otherStatuses).toSorted(([, one], [, other]) => other - one);
  if (byCount.length === 0) return [];
  const items = byCount.slice(0, limits.statuses).map(([word, count]) =>
    wording.say('notes.status', {
      status: showStatus(word, input) ?? wording.say('name.none'),
      count: figures.count(count),
    }),
  );
  const more = byCount.slice(limits.statuses).reduce((sum, [, count]) => sum + count, 0);
  if (more > 0) items.push(wording.count('notes.moreStatuses', more));
  return [wording.say('notes.otherStatuses', { items: items.join(wording.say('separator.list')) })];
}
