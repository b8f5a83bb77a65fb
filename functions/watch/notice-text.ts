import { periodKinds, type Period } from '../domain/period.ts';
import type { PublishedMatter } from '../ledger/notices.ts';
import type { WatchedRun } from './inspect.ts';
import { readersOf, runMatters, type Matter } from './matters.ts';

/** A notice as it is sent: plain text, without an address of a subscriber. */
export type NoticeText = ReturnType<typeof beginText>;

/** Where a notice comes from, and the flags with which the operators' command gets there. */
export interface NoticePlace {
  environment: string | undefined;
  flags: readonly string[];
  /** The address of the runbook, where the configuration has one. */
  runbook?: string | undefined;
}

/** https://docs.aws.amazon.com/sns/latest/api/API_Publish.html: "less than 100 characters long". */
const longestSubject = 99;

/**
 * The notice that a matter begins. The subject is of ASCII, as names and words are, in one line and shorter than 100 characters, as
 * SNS wants it; the body has at most ten lines.
 */
export function beginText(
  { subject: run, watched, words }: Pick<Matter, 'subject' | 'watched' | 'words'>,
  { environment, flags, runbook }: NoticePlace,
) {
  const { title, heading = title, happened, readers = readersOf(watched), advice, commands } = words;
  const about = watched === undefined ? run : `${watched.report}, ${describePeriod(watched.period)}`;
  const subject = `${title}: ${about}${environment === undefined ? '' : ` (${environment})`}`;
  const isThere = (command: string): boolean => command !== 'secret' || !flags.includes('--local');
  const lines = [
    happened,
    '',
    `What the readers have: ${readers}`,
    `What to do: ${advice}`,
    '',
    ...commands.filter(isThere).map((command) => ['npm run ops --', command, ...flags].join(' ')),
    describeMore(heading, runbook),
  ];
  return { subject: subject.slice(0, longestSubject), body: `${lines.join('\n')}\n` };
}

/** The notice that matters are over by a run. */
export function endText(matters: readonly PublishedMatter[], watched: WatchedRun, place: NoticePlace): NoticeText {
  const titles = matters.flatMap(({ kind }) => runMatters[kind]?.words(watched).title ?? []);
  const words = {
    title: `Over: ${titles.join(', ')}`,
    heading: titles[0] ?? '',
    happened: `Run ${watched.run} is ${watched.state}. This is over: ${titles.join(', ')}.`,
    advice: 'nothing.',
    commands: [`show ${watched.run}`],
  };
  return beginText({ subject: watched.run, watched, words }, place);
}

/** "9 to 15 November 2026". */
function describePeriod({ kind, start, end, timeZone }: Period): string {
  const dayOfDate = periodKinds[kind].step.months === undefined ? ({ day: 'numeric' } as const) : {};
  const dates = new Intl.DateTimeFormat('en-GB', { ...dayOfDate, month: 'long', year: 'numeric', timeZone });
  // A period's end is the first instant after it. SNS takes ASCII, and Intl writes a dash.
  return dates.formatRange(Date.parse(start), Date.parse(end) - 1).replace(/\s*–\s*/, ' to ');
}

/** The page for operators, with a heading for each notice and alarm: where it is in the repository. */
const page = 'infra/docs/runbook.md';

/** Where a notice or an alarm is explained: at a heading of the page, by the address that the page has for operators, if it is known. */
export function describeMore(heading: string, address: string | undefined): string {
  if (address === undefined) return `More: "${heading}" in ${page}`;
  return `More: ${address}#${heading.toLowerCase().replaceAll(' ', '-')}`;
}
