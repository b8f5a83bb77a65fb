import { Temporal } from 'temporal-polyfill';
import { count } from '../domain/wording.ts';
import type { Period } from '../domain/period.ts';
import type { MatterKind, PublishedMatter, ReportedKind, Suppressed } from '../ledger/notices.ts';
import type { Run } from '../ledger/runs/runs.ts';
import type { WatchedRun } from './inspect.ts';
import type { AddressesOfRun, Matter, Unobserved } from './matters.ts';
import { describeMore } from './runbook.ts';

/** A notice as it is sent: plain text, without an address of a subscriber. */
export type NoticeText = ReturnType<typeof textOf>;

/** Where a notice comes from, and the flags with which the operators' command gets there. */
export interface NoticePlace {
  environment: string | undefined;
  flags: readonly string[];
  /** The address of the runbook, where the configuration has one. */
  runbook?: string | undefined;
}

/** What a notice says, without the run's report and period. */
interface NoticeWords {
  title: string;
  /** Its heading in the runbook, where that is not the title. */
  heading?: string;
  happened: string;
  /** What the readers have, where it is not what the run's receipt says. */
  readers?: string;
  advice: string;
  /** Commands of the operators' program, without the flags that name the place. */
  commands: string[];
}

/** https://docs.aws.amazon.com/sns/latest/api/API_Publish.html: "less than 100 characters long". */
const longestSubject = 99;

export function beginText(matter: Matter, place: NoticePlace): NoticeText {
  return textOf(wordsOf(matter), matter, place);
}

function wordsOf(matter: Matter): NoticeWords {
  if (matter.kind === 'unobserved') return unobservedWords(matter);
  return 'counts' in matter ? addressWords[matter.kind](matter) : words[matter.kind](matter.watched);
}

function isReported(kind: MatterKind): kind is ReportedKind {
  return kind in words;
}

/** The notice that matters are over by a run. */
export function endText(matters: readonly PublishedMatter[], watched: WatchedRun, place: NoticePlace): NoticeText {
  const titles = matters.flatMap(({ kind }) => (isReported(kind) ? words[kind](watched).title : [])).join(', ');
  const over: NoticeWords = {
    title: `Over: ${titles}`,
    heading: titles.split(', ')[0] ?? titles,
    happened: `Run ${watched.name} is ${watched.run?.state ?? 'not there'}. This is over: ${titles}.`,
    advice: 'nothing.',
    commands: [show(watched)],
  };
  return textOf(over, { subject: watched.name, watched }, place);
}

const causes: Readonly<Record<Suppressed['reason'], string>> = {
  bounce: 'bounced permanently',
  complaint: 'complained about the mail',
  refusal: 'bounced for another reason than the address',
  'held-back': 'not sent, because a list of SES has it',
  'soft-bounces': 'bounced three times in a row, for reasons that may pass',
};

/** What the notice says of addresses that are suppressed, or did not get their mail. It names none of them. */
function suppressedWords({ subject, counts }: AddressesOfRun): NoticeWords {
  const suppressed = (counts['bounce'] ?? 0) + (counts['complaint'] ?? 0);
  const said = Object.entries(causes).flatMap(([key, cause]) => (key in counts ? `${counts[key]} ${cause}` : []));
  return {
    title: ['Mails not delivered', 'Address suppressed'][suppressed] ?? `${suppressed} addresses suppressed`,
    ...(suppressed > 1 ? { heading: 'Address suppressed' } : {}),
    happened: `SES reported of addresses that run ${subject} mailed: ${said.join(', ')}.`,
    readers: 'who bounced permanently or complained gets no further mail; the others are tried again.',
    advice: 'remove subscribers who have left; lift the others once the cause is fixed, also from the list of SES.',
    commands: [`show ${subject} --messages`, 'addresses list'],
  };
}

function unobservedWords({ daily: { code, message } }: Unobserved): NoticeWords {
  return {
    title: 'Daily observation failed',
    happened: `The service could not be read on three days in a row: ${inOneLine(message)} (${code})`,
    readers: 'their digests as before. What leaves the list meanwhile may be missing in later ones.',
    advice: 'fix the cause. The next daily observation that succeeds ends this.',
    commands: [...(remedies[code] ?? []), 'status'],
  };
}

/** What the notice says where mails bounced for what they have in common. */
function alikeWords({ subject, counts }: AddressesOfRun): NoticeWords {
  const said = Object.entries(counts).map(([status, bounces]) => `${bounces} with ${status}`);
  return {
    title: 'Mails not delivered',
    happened: `More than a fifth of the mails of run ${subject} bounced with the same status: ${said.join(', ')}.`,
    readers: 'these have not got it. Nobody is suppressed here, but SES may have put them on its list of the account.',
    advice:
      'have the cause fixed: 5.7 is a policy (sender, DMARC, a gateway), 5.3.4 the size, 5.1 the directory and 5.4.4 ' +
      'the DNS of the receiving domain. Then lift the run, so that SES sends to them again.',
    commands: [`show ${subject} --messages`, 'sender', `addresses lift --run ${subject}`],
  };
}

const addressWords = { suppressed: suppressedWords, alike: alikeWords };

/**
 * The subject is of ASCII, as names and words are, in one line and shorter than 100 characters, as SNS wants it; the body has at
 * most ten lines.
 */
function textOf(
  { title, heading = title, happened, readers, advice, commands }: NoticeWords,
  { subject: run, watched }: Pick<Matter, 'subject' | 'watched'>,
  { environment, flags, runbook }: NoticePlace,
) {
  const about = watched === undefined ? run : `${watched.report}, ${describePeriod(watched.period)}`;
  const subject = `${title}: ${about}${environment === undefined ? '' : ` (${environment})`}`;
  const isThere = (command: string): boolean => command !== 'secret' || !flags.includes('--local');
  const lines = [
    happened,
    '',
    `What the readers have: ${readers ?? readersOf(watched?.run)}`,
    `What to do: ${advice}`,
    '',
    ...commands.filter(isThere).map((command) => ['npm run ops --', command, ...flags].join(' ')),
    describeMore(heading, runbook),
  ];
  return { subject: subject.slice(0, longestSubject), body: `${lines.join('\n')}\n` };
}

/** "9 to 15 November 2026". */
function describePeriod({ kind, start, end, timeZone }: Period): string {
  const dayOfDate = kind === 'day' || kind === 'week' ? ({ day: 'numeric' } as const) : {};
  const dates = new Intl.DateTimeFormat('en-GB', { ...dayOfDate, month: 'long', year: 'numeric', timeZone });
  // A period's end is the first instant after it. SNS takes ASCII, and Intl writes a dash.
  return dates.formatRange(Date.parse(start), Date.parse(end) - 1).replace(/\s*–\s*/, ' to ');
}

/** The commands by which the cause of a failed run is mended or looked at, by its code; its message says what else helps. */
const remedies: Readonly<Partial<Record<string, string[]>>> = {
  'sender-unverified': ['sender'],
  'credentials-missing': ['secret'],
  'credentials-refused': ['secret'],
  'service-unavailable': ['doctor'],
};
const runAgain = ({ report, scheduledTime }: WatchedRun): string => `run ${report} --at ${scheduledTime}`;
const show = ({ name }: WatchedRun): string => `show ${name}`;

const words: Readonly<Record<ReportedKind, (watched: WatchedRun) => NoticeWords>> = {
  failed: (watched) => ({
    title: 'Run failed',
    happened: `Run ${watched.name} stopped before it was done: ${causeOf(watched)}`,
    advice:
      'fix the cause, or wait for its end, then trigger the run again: it continues where it stopped, and nobody gets it twice.',
    commands: [...(remedies[watched.run?.error?.code ?? ''] ?? []), runAgain(watched)],
  }),
  overdue: (watched) => ({
    title: 'Run overdue',
    happened: `Run ${watched.name} was due at ${timeOf(watched)} and is not finished: it ${progressOf(watched)}.`,
    advice:
      watched.run?.waitsUntil === undefined
        ? 'check that its schedule is on, then trigger the run. It continues where it stopped.'
        : "nothing, or ask AWS for a larger quota in SES's console.",
    commands: ['doctor', runAgain(watched)],
  }),
  held: (watched) => ({
    title: 'Digest held',
    happened: `The digest of run ${watched.name} is ready and waits for your release.${missingOf(watched)}`,
    advice: 'look at it, then release it, or discard it to collect again.',
    commands: [show(watched), `release ${watched.name}`],
  }),
  'held-too-long': (watched) => ({
    title: 'Digest still held',
    happened: `The digest of run ${watched.name} has waited for your release for ${count(watched.holdHours, 'hour')} or more.`,
    advice: 'release it, or discard it.',
    commands: [`release ${watched.name}`, `discard ${watched.name}`],
  }),
  unbalanced: (watched) => ({
    title: 'Receipt does not balance',
    happened: `Run ${watched.name} has subscribers without an outcome, which is a bug in this product.`,
    readers: 'it is not certain who has the mail.',
    advice: 'compare the messages with your subscribers, and save the log of the function "run".',
    commands: [`${show(watched)} --messages`],
  }),
  refused: (watched) => ({
    title: 'Messages refused',
    happened: `${count(watched.run?.summary?.failed ?? 0, 'message')} of run ${watched.name} failed: SES or a channel surely did not take what was sent.`,
    advice:
      'see the reasons, fix them, then trigger the run again: it sends only those messages. A channel whose webhook is gone ' +
      '(HTTP 404 or 410) in two runs is off until you store its address (secret --channel NAME), or "resume --channel NAME".',
    commands: [`${show(watched)} --messages`, runAgain(watched)],
  }),
  unknown: (watched) => ({
    title: 'Messages unknown for a day',
    happened: `The answer to ${count(watched.unknown?.forADay ?? 0, 'message')} of run ${watched.name} was lost, and no event has come since.`,
    readers: 'these subscribers, or channels, may or may not have it.',
    advice: 'ask them, or send it again, and some may get it twice. Nothing is sent again by itself.',
    commands: [`${show(watched)} --messages`, `${runAgain(watched)} --resend-unknown`],
  }),
  incomplete: (watched) => ({
    title: 'Digest incomplete',
    happened: `Run ${watched.name} is done.${missingOf(watched)}`,
    readers: `${readersOf(watched.run)} The mail names what is missing.`,
    advice:
      'see what was unavailable, and why. This digest stays as it is, and often the next one has it; for what the service refuses, ask its contact for the right.',
    commands: [show(watched)],
  }),
  'not-configured': ({ report }) => ({
    title: 'Report not configured',
    happened: `The ledger knows a report "${report}", which is not in cdk.json.`,
    readers: 'nobody gets it any more.',
    advice:
      'if it has another name now, give it this one back and change its title: a new name is a new report, which would mail who left this one. If it is gone on purpose, retire it.',
    commands: [`retire ${report}`],
  }),
};

/** How many messages were sent, as far as the run's receipt knows: it is not written while messages are being sent. */
function readersOf(run: Run | null | undefined): string {
  if (run?.withheld === 'empty') return 'nobody gets a mail, because there was nothing to report.';
  const { intended = 0, summary, begun } = run ?? {};
  if (run?.state === 'sending' && run.error === undefined) return 'some may have the mail.';
  if (summary === undefined) return begun === undefined ? 'nobody has the mail.' : 'some may have the mail.';
  const { sent, unknown } = summary;
  return `${sent} of ${count(intended, 'message')} were sent${unknown === 0 ? '' : `; ${unknown} more may or may not have arrived`}.`;
}

/** How far a run is that is overdue. */
function progressOf(watched: WatchedRun): string {
  const { state, waitsUntil } = watched.run ?? {};
  if (state === undefined) return 'has not begun';
  if (waitsUntil === undefined) return `is ${state}`;
  return `waits for SES's daily quota, at most until ${timeOf(watched, waitsUntil)}, and goes on by itself`;
}

/** How much was unavailable, as a further sentence; empty where nothing was. */
function missingOf({ run }: WatchedRun): string {
  const { missing = 0, nearest } = run ?? {};
  if (nearest !== undefined) {
    const near = nearest.length === 0 ? '' : ` What comes nearest: "${nearest.join('", "')}".`;
    return ` No broadcast that is known is what "only" and "except" of the report say.${inOneLine(near)}`;
  }
  return missing === 0 ? '' : ` ${count(missing, 'thing was', 'things were')} unavailable from the service.`;
}

/** Why a run failed or stopped, with the code. Messages of failures are written for operators; here in one line, and not too long. */
function causeOf({ run }: WatchedRun): string {
  const { code = 'internal', message = '' } = run?.error ?? {};
  return `${inOneLine(message)} (${code})`;
}

function inOneLine(message: string): string {
  const line = message.replaceAll(/\s+/g, ' ').trim();
  return line.length > 400 ? `${line.slice(0, 399)}…` : line;
}

/** An instant, by default when a run was due, by its report's clock: "2026-11-16 08:00 (Europe/London)". */
function timeOf({ scheduledTime, period: { timeZone } }: WatchedRun, instant = scheduledTime): string {
  const time = Temporal.Instant.from(instant).toZonedDateTimeISO(timeZone).toPlainDateTime();
  return `${time.toString({ smallestUnit: 'minute' }).replace('T', ' ')} (${timeZone})`;
}
