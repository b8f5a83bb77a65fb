import { Temporal } from 'temporal-polyfill';
import { countWords } from '../domain/counts-by-word.ts';
import { count } from '../domain/wording.ts';
import type { PublishedMatter, Suppressed } from '../ledger/notices.ts';
import type { DailyObservations } from '../ledger/observations.ts';
import { hoursBetween, type WatchedRun } from './inspect.ts';
import { shareAlikePercent } from './judge-bounces.ts';

/** What the ledger knows at one look. */
export interface Look {
  /** The runs of the reports that are configured. */
  watched: readonly WatchedRun[];
  /** The last runs of those that are not. */
  left: readonly WatchedRun[];
  suppressed: readonly Suppressed[];
  /** How the daily observations fail; `null` where the last one did not. */
  daily?: DailyObservations | null;
}

/** A matter that is open. */
export interface Matter extends PublishedMatter {
  /** Whether it is new enough to begin. */
  isRecent: boolean;
  /** The run that it is about, unless it is about the account or its run is too old to be watched. */
  watched?: WatchedRun | undefined;
  words: NoticeWords;
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

/** A matter begins within so many days of its run's last work, or of the event: an old ledger is no news. */
const newForDays = 7;

/** So many daily observations that fail one after the other are a matter. */
const failuresInARow = 3;

/** Everything that operators should know at an instant. */
export function openMatters({ watched, left, suppressed, daily = null }: Look, now: Temporal.Instant): Matter[] {
  const matters = watched.flatMap((run) => mattersOf(run, now));
  for (const run of left) {
    const about = { kind: 'not-configured', subject: run.report, watched: run, isRecent: true } as const;
    matters.push({ ...about, words: notConfigured(run) });
  }
  if (daily !== null && daily.failures >= failuresInARow)
    matters.push({ kind: 'unobserved', subject: 'three days in a row', isRecent: true, words: unobserved(daily) });
  // Of a bounce about which nothing is decided yet there is nothing to say.
  const decided = suppressed.filter(({ bounce, verdict }) => bounce === undefined || verdict !== undefined);
  for (const [subject, addresses] of Map.groupBy(decided, ({ run }) => run)) {
    const about = watched.find(({ run }) => run === subject);
    const alike = addresses.filter(({ verdict }) => verdict === 'alike');
    const others = addresses.filter(({ verdict }) => verdict !== 'alike');
    const add = (events: Suppressed[], matter: Pick<Matter, 'kind' | 'count' | 'words'>): void => {
      if (events.length === 0) return;
      matters.push({ subject, watched: about, isRecent: events.some(({ at }) => isNew(at, now)), ...matter });
    };
    add(others, { kind: 'suppressed', count: others.length, words: notDelivered(subject, others) });
    add(alike, { kind: 'alike', words: bouncedAlike(subject, alike) });
  }
  return matters;
}

function mattersOf(watched: WatchedRun, now: Temporal.Instant): Matter[] {
  const { run: subject, scheduledTime, plannedAt = scheduledTime, finishedAt = plannedAt } = watched;
  return Object.entries(runMatters).flatMap(([kind, { begins, atAnyAge = false, words }]) => {
    if (!begins(watched, now)) return [];
    return { kind, subject, watched, isRecent: atAnyAge || isNew(finishedAt, now), words: words(watched) };
  });
}

function isNew(since: string, now: Temporal.Instant): boolean {
  return hoursBetween(since, now) <= newForDays * 24;
}

/** The run by which a matter is over; `null` where it is not. */
export function endOf({ kind, subject }: PublishedMatter, watched: readonly WatchedRun[]): WatchedRun | null {
  const by = watched.find(({ run, state }) => run === subject && state !== undefined);
  return by !== undefined && runMatters[kind]?.ends?.(by) === true ? by : null;
}

/** When a matter of a run begins and when it is over. In between it stays as it is. */
interface RunMatter {
  begins: (watched: WatchedRun, now: Temporal.Instant) => boolean;
  /** Without it the matter is never over: there is nothing more to say about it. */
  ends?: (watched: WatchedRun) => boolean;
  /** Whether it begins at any age of its run, because somebody still waits. */
  atAnyAge?: true;
  words: (watched: WatchedRun) => NoticeWords;
}

const isDone = ({ state }: WatchedRun): boolean => state === 'done';
const isHeld = ({ state }: WatchedRun): boolean => state === 'held';
/** Whether its work has ended: nobody is sending its messages at the moment. */
const isAtRest = ({ state, error }: WatchedRun): boolean => state !== 'sending' || error !== undefined;

/** The commands by which the cause of a failed run is mended or looked at, by its code; its message says what else helps. */
const remedies: Readonly<Partial<Record<string, string[]>>> = {
  'sender-unverified': ['sender'],
  'credentials-missing': ['secret'],
  'credentials-refused': ['secret'],
  'service-unavailable': ['doctor'],
};
const runAgain = ({ report, scheduledTime }: WatchedRun): string => `run ${report} --at ${scheduledTime}`;
const show = ({ run }: WatchedRun): string => `show ${run}`;

/** What operators should know about a run, by the kind of the matter. */
export const runMatters: Readonly<Record<string, RunMatter>> = {
  // A run that is being sent and has an error was given up.
  failed: {
    begins: ({ state, error }) => state === 'failed' || (state === 'sending' && error !== undefined),
    ends: isDone,
    words: (watched) => ({
      title: 'Run failed',
      happened: `Run ${watched.run} stopped before it was done: ${causeOf(watched.error)}`,
      advice:
        'fix the cause, or wait for its end, then trigger the run again: it continues where it stopped, and nobody gets it twice.',
      commands: [...(remedies[watched.error?.code ?? ''] ?? []), runAgain(watched)],
    }),
  },
  // One that failed or is held is a matter of its own.
  overdue: {
    begins: (run) => run.isDue && run.error === undefined && !isDone(run) && !isHeld(run),
    ends: isDone,
    atAnyAge: true,
    words: (watched) => ({
      title: 'Run overdue',
      happened: `Run ${watched.run} was due at ${timeOf(watched)} and is not finished: it ${progressOf(watched)}.`,
      advice:
        watched.waitsUntil === undefined
          ? 'check that its schedule is on, then trigger the run. It continues where it stopped.'
          : "nothing, or ask AWS for a larger quota in SES's console.",
      commands: ['doctor', runAgain(watched)],
    }),
  },
  held: {
    begins: isHeld,
    ends: (watched) => !isHeld(watched),
    atAnyAge: true,
    words: (watched) => ({
      title: 'Digest held',
      happened: `The digest of run ${watched.run} is ready and waits for your release.${missingOf(watched)}`,
      advice: 'look at it, then release it, or discard it to collect again.',
      commands: [show(watched), `release ${watched.run}`],
    }),
  },
  'held-too-long': {
    begins: ({ state, finishedAt, holdHours }, now) =>
      state === 'held' && finishedAt !== undefined && hoursBetween(finishedAt, now) >= holdHours,
    ends: (watched) => !isHeld(watched),
    atAnyAge: true,
    words: ({ run, holdHours }) => ({
      title: 'Digest still held',
      happened: `The digest of run ${run} has waited for your release for ${count(holdHours, 'hour')} or more.`,
      advice: 'release it, or discard it.',
      commands: [`release ${run}`, `discard ${run}`],
    }),
  },
  unbalanced: {
    begins: ({ summary }) => summary?.balanced === false,
    ends: ({ summary }) => summary?.balanced === true,
    words: (watched) => ({
      title: 'Receipt does not balance',
      happened: `Run ${watched.run} has subscribers without an outcome, which is a bug in this product.`,
      readers: 'it is not certain who has the mail.',
      advice: 'compare the messages with your subscribers, and save the log of the function "run".',
      commands: [`${show(watched)} --messages`],
    }),
  },
  refused: {
    begins: (watched) => isDone(watched) && (watched.summary?.failed ?? 0) > 0,
    ends: (watched) => isDone(watched) && watched.summary?.failed === 0,
    words: (watched) => ({
      title: 'Messages refused',
      happened: `${count(watched.summary?.failed ?? 0, 'message')} of run ${watched.run} failed: SES or a channel surely did not take what was sent.`,
      advice:
        'see the reasons, fix them, then trigger the run again: it sends only those messages. A channel whose webhook is gone ' +
        '(HTTP 404 or 410) in two runs is off until you store its address (secret --channel NAME), or "resume --channel NAME".',
      commands: [`${show(watched)} --messages`, runAgain(watched)],
    }),
  },
  unknown: {
    begins: ({ unknown }) => unknown !== null && unknown.forADay > 0,
    ends: (watched) => isAtRest(watched) && (watched.unknown?.count ?? watched.summary?.unknown) === 0,
    words: (watched) => ({
      title: 'Messages unknown for a day',
      happened: `The answer to ${count(watched.unknown?.forADay ?? 0, 'message')} of run ${watched.run} was lost, and no event has come since.`,
      readers: 'these subscribers, or channels, may or may not have it.',
      advice: 'ask them, or send it again, and some may get it twice. Nothing is sent again by itself.',
      commands: [`${show(watched)} --messages`, `${runAgain(watched)} --resend-unknown`],
    }),
  },
  // Its notice when it was held said what is missing.
  incomplete: {
    begins: ({ state, missing = 0, released }) => state === 'done' && missing > 0 && released === undefined,
    words: (watched) => ({
      title: 'Digest incomplete',
      happened: `Run ${watched.run} is done.${missingOf(watched)}`,
      readers: `${readersOf(watched)} The mail names what is missing.`,
      advice:
        'see what was unavailable, and why. This digest stays as it is, and often the next one has it; for what the service refuses, ask its contact for the right.',
      commands: [show(watched)],
    }),
  },
};

function notConfigured({ report }: WatchedRun): NoticeWords {
  return {
    title: 'Report not configured',
    happened: `The ledger knows a report "${report}", which is not in cdk.json.`,
    readers: 'nobody gets it any more.',
    advice:
      'if it has another name now, give it this one back and change its title: a new name is a new report, which would mail who left this one. If it is gone on purpose, retire it.',
    commands: [`retire ${report}`],
  };
}

function unobserved(failure: DailyObservations): NoticeWords {
  return {
    title: 'Daily observation failed',
    happened: `The service could not be read on three days in a row: ${causeOf(failure)}`,
    readers: 'their digests as before. What leaves the list meanwhile may be missing in later ones.',
    advice: 'fix the cause. The next daily observation that succeeds ends this.',
    commands: [...(remedies[failure.code] ?? []), 'status'],
  };
}

const causes: Readonly<Record<Suppressed['reason'], string>> = {
  bounce: 'bounced permanently',
  complaint: 'complained about the mail',
  refusal: 'bounced for another reason than the address',
  'held-back': 'not sent, because a list of SES has it',
  'soft-bounces': 'bounced three times in a row, for reasons that may pass',
};

/** What the notice says of addresses that are suppressed, or did not get their mail. It names none of them. */
function notDelivered(run: string, addresses: readonly Suppressed[]): NoticeWords {
  const counts = countWords(addresses.map(({ reason }) => reason));
  const suppressed = (counts['bounce'] ?? 0) + (counts['complaint'] ?? 0);
  const said = Object.entries(causes).flatMap(([key, cause]) => (key in counts ? `${counts[key]} ${cause}` : []));
  return {
    title: ['Mails not delivered', 'Address suppressed'][suppressed] ?? `${suppressed} addresses suppressed`,
    ...(suppressed > 1 ? { heading: 'Address suppressed' } : {}),
    happened: `SES reported of addresses that run ${run} mailed: ${said.join(', ')}.`,
    readers: 'who bounced permanently or complained gets no further mail; the others are tried again.',
    advice: 'remove subscribers who have left; lift the others once the cause is fixed, also from the list of SES.',
    commands: [`show ${run} --messages`, 'addresses list'],
  };
}

/** What the notice says where mails bounced for what they have in common. */
function bouncedAlike(run: string, addresses: readonly Suppressed[]): NoticeWords {
  const counts = countWords(addresses.map(({ bounce }) => bounce?.status ?? ''));
  const said = Object.entries(counts).map(([status, bounces]) => `${bounces} with ${status}`);
  return {
    title: 'Mails not delivered',
    happened: `More than ${shareAlikePercent}% of the mails of run ${run} bounced with the same status: ${said.join(', ')}.`,
    readers: 'these have not got it. Nobody is suppressed here, but SES may have put them on its list of the account.',
    advice:
      'have the cause fixed: 5.7 is a policy (sender, DMARC, a gateway), 5.3.4 the size, 5.1 the directory and 5.4.4 ' +
      'the DNS of the receiving domain. Then lift the run, so that SES sends to them again.',
    commands: [`show ${run} --messages`, 'sender', `addresses lift --run ${run}`],
  };
}

/** How many messages were sent, as far as the run's receipt knows: it is not written while messages are being sent. */
export function readersOf(watched: WatchedRun | undefined): string {
  const { intended = 0, state, withheld, error, summary, begun } = watched ?? {};
  if (withheld === 'empty') return 'nobody gets a mail, because there was nothing to report.';
  if (state === 'sending' && error === undefined) return 'some may have the mail.';
  if (summary === undefined) return begun === undefined ? 'nobody has the mail.' : 'some may have the mail.';
  const { sent, unknown } = summary;
  return `${sent} of ${count(intended, 'message')} were sent${unknown === 0 ? '' : `; ${unknown} more may or may not have arrived`}.`;
}

/** How far a run is that is overdue. */
function progressOf(watched: WatchedRun): string {
  const { state, waitsUntil } = watched;
  if (state === undefined) return 'has not begun';
  if (waitsUntil === undefined) return `is ${state}`;
  return `waits for SES's daily quota, at most until ${timeOf(watched, waitsUntil)}, and goes on by itself`;
}

/** How much was unavailable, as a further sentence; empty where nothing was. */
function missingOf({ missing = 0, nearest }: WatchedRun): string {
  if (nearest !== undefined) {
    const near = nearest.length === 0 ? '' : ` What comes nearest: ${inOneLine(`"${nearest.join('", "')}"`)}.`;
    return ` No broadcast that is known is what "only" and "except" of the report say.${near}`;
  }
  return missing === 0 ? '' : ` ${count(missing, 'thing was', 'things were')} unavailable from the service.`;
}

/** Why something failed, with the code. Messages of failures are written for operators; here in one line, and not too long. */
function causeOf({ code = 'internal', message = '' }: { code?: string; message?: string } = {}): string {
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
