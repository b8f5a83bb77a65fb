import { Temporal } from 'temporal-polyfill';
import type { Period } from '../domain/period.ts';
import type { MatterKind } from '../ledger/notices.ts';
import type { Matter } from './matters.ts';
import { wordsOf, wordsOfEnd, wordsOfSuppressed, type NoticeWords } from './notice-words.ts';
import type { WatchedRun } from './watched-runs.ts';

/** A notice as it is sent: plain text, without an address of a subscriber. */
export interface NoticeText {
  /** Of ASCII, as names and words are; in one line and shorter than 100 characters, as SNS wants it. */
  subject: string;
  /** At most ten lines. */
  body: string;
}

/** Where a notice comes from, and the flags with which the operators' command gets there. */
export interface NoticePlace {
  environment: string | undefined;
  flags: readonly string[];
}

/** https://docs.aws.amazon.com/sns/latest/api/API_Publish.html: "less than 100 characters long". */
const longestSubject = 99;

/** The notice that a matter begins. */
export function beginText(matter: Matter, place: NoticePlace): NoticeText {
  return textOf(wordsOf(matter), describeRun(matter.watched), place);
}

/** The notice that matters of one run are over. */
export function endText(kinds: readonly MatterKind[], watched: WatchedRun, place: NoticePlace): NoticeText {
  return textOf(wordsOfEnd(kinds, watched), describeRun(watched), place);
}

/** The notice that addresses were suppressed by events about messages of a run, which may be one that is not watched. */
export function suppressedText(
  {
    run,
    watched,
    reasons,
  }: { run: string; watched: WatchedRun | undefined; reasons: { bounce: number; complaint: number } },
  place: NoticePlace,
): NoticeText {
  return textOf(wordsOfSuppressed(run, reasons), watched === undefined ? run : describeRun(watched), place);
}

function textOf(
  { title, happened, readers, advice, commands }: NoticeWords,
  about: string,
  { environment, flags }: NoticePlace,
): NoticeText {
  const subject = `${title}: ${about}${environment === undefined ? '' : ` (${environment})`}`;
  const lines = [
    happened,
    '',
    `What the readers have: ${readers}`,
    `What to do: ${advice}`,
    '',
    ...commands.map((command) => ['npm run ops --', command, ...flags].join(' ')),
  ];
  return { subject: subject.slice(0, longestSubject), body: `${lines.join('\n')}\n` };
}

/** "weekly, 9 to 15 November 2026". */
function describeRun({ report, period }: WatchedRun): string {
  return `${report}, ${describePeriod(period)}`;
}

function describePeriod({ kind, startDate, end, timeZone }: Period): string {
  const first = Temporal.PlainDate.from(startDate);
  const last = Temporal.Instant.from(end).toZonedDateTimeISO(timeZone).toPlainDate().subtract({ days: 1 });
  const until = `to ${dayText(last)}`;
  if (kind === 'day') return dayText(first);
  if (kind === 'month') return `${monthName(first)} ${first.year}`;
  if (kind === 'quarter') return `${monthName(first)} to ${monthName(last)} ${last.year}`;
  if (first.year !== last.year) return `${dayText(first)} ${until}`;
  return first.month === last.month ? `${first.day} ${until}` : `${first.day} ${monthName(first)} ${until}`;
}

/** "9 November 2026". */
function dayText(date: Temporal.PlainDate): string {
  return `${date.day} ${monthName(date)} ${date.year}`;
}

function monthName(date: Temporal.PlainDate): string {
  return date.toLocaleString('en-GB', { month: 'long' });
}
