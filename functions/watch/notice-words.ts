import type { MatterKind } from '../ledger/notices.ts';
import type { Matter } from './matters.ts';
import { count } from '../domain/counted-noun.ts';
import { causeOf, missingOf, readersOf, timeOf } from './run-phrases.ts';
import type { WatchedRun } from './watched-runs.ts';

/** What a notice says, without the run's report and period. */
export interface NoticeWords {
  /** A few words for the subject. */
  title: string;
  happened: string;
  readers: string;
  advice: string;
  /** Commands of the operators' program, without the flags that name the place. */
  commands: string[];
}

const runAgain = ({ report, scheduledTime }: WatchedRun): string => `run ${report} --at ${scheduledTime}`;
const show = ({ name }: WatchedRun): string => `show ${name}`;

type WordsOf = (watched: WatchedRun) => NoticeWords;

/** What the notice says when a matter of a run begins. */
const words: Readonly<Record<Matter['kind'], WordsOf>> = {
  failed: (watched) => ({
    title: 'Run failed',
    happened: `Run ${watched.name} failed: ${causeOf(watched)}`,
    readers: readersOf(watched),
    advice: 'fix the cause, then trigger the run again. It continues where it stopped.',
    commands: [runAgain(watched)],
  }),
  stopped: (watched) => ({
    title: 'Sending stopped early',
    happened: `Run ${watched.name} stopped before everybody had the mail: ${causeOf(watched)}`,
    readers: readersOf(watched),
    advice: 'trigger the run again once SES accepts mail. Nobody gets it twice.',
    commands: [runAgain(watched)],
  }),
  overdue: (watched) => ({
    title: 'Run overdue',
    happened:
      watched.run === null
        ? `Run ${watched.name} has not begun. It was due at ${timeOf(watched)}.`
        : `Run ${watched.name} was due at ${timeOf(watched)} and is not finished: it is ${watched.run.state}.`,
    readers: readersOf(watched),
    advice: 'check that its schedule is on, then trigger the run. It continues where it stopped.',
    commands: ['doctor', runAgain(watched)],
  }),
  held: (watched) => ({
    title: 'Digest held',
    happened: `The digest of run ${watched.name} is ready and waits for your release.${missingOf(watched)}`,
    readers: readersOf(watched),
    advice: 'look at it, then release it, or discard it to collect again.',
    commands: [show(watched), `release ${watched.name}`],
  }),
  'held-too-long': (watched) => ({
    title: 'Digest still held',
    happened: `The digest of run ${watched.name} has waited for your release for ${count(watched.holdHours, 'hour')} or more.`,
    readers: readersOf(watched),
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
    happened: `SES refused ${count(watched.run?.summary?.failed ?? 0, 'message')} of run ${watched.name}.`,
    readers: readersOf(watched),
    advice: "see SES's reasons, fix them, then trigger the run again: it sends only those messages.",
    commands: [`${show(watched)} --messages`, runAgain(watched)],
  }),
  unknown: (watched) => ({
    title: 'Messages unknown for a day',
    happened: `SES's answer to ${count(watched.unknown?.forADay ?? 0, 'message')} of run ${watched.name} was lost, and no event has come since.`,
    readers: 'these subscribers may or may not have the mail.',
    advice: 'ask them, or send it again: then some may get it twice.',
    commands: [`${show(watched)} --messages`, `${runAgain(watched)} --resend-unknown`],
  }),
  incomplete: (watched) => ({
    title: 'Digest incomplete',
    happened: `Run ${watched.name} is done.${missingOf(watched)}`,
    readers: `${readersOf(watched)} The mail names what is missing.`,
    advice: 'see what was unavailable, and why. Often the next run gets it.',
    commands: [show(watched)],
  }),
  'not-set-up': (watched) => ({
    title: 'Not set up yet',
    happened: `Run ${watched.name} failed: ${causeOf(watched)}`,
    readers: readersOf(watched),
    advice:
      'put the credentials into the secret (README.md, Deploy), then trigger the run. Until then nobody gets mail.',
    commands: ['doctor', runAgain(watched)],
  }),
};

/** What a notice says when a matter begins. */
export function wordsOf({ kind, watched }: Matter): NoticeWords {
  return words[kind](watched);
}

/** What the notice says of addresses that events about messages of a run suppressed. It names none of them. */
export function wordsOfSuppressed(
  run: string,
  { bounce, complaint }: { bounce: number; complaint: number },
): NoticeWords {
  const total = bounce + complaint;
  const causes = [
    ...(bounce > 0 ? [`${bounce} bounced permanently`] : []),
    ...(complaint > 0 ? [`${complaint} complained about the mail`] : []),
  ];
  return {
    title: total === 1 ? 'Address suppressed' : `${total} addresses suppressed`,
    happened: `After run ${run} SES reported ${count(total, 'address', 'addresses')}: ${causes.join(', ')}.`,
    readers: 'these subscribers get no further mail.',
    advice: 'remove subscribers who have left; let the others get mail again once the cause is fixed.',
    commands: ['addresses list'],
  };
}

/** What the notice says when matters of a run, of these kinds, are over. */
export function wordsOfEnd(kinds: readonly MatterKind[], watched: WatchedRun): NoticeWords {
  const { name, run } = watched;
  return {
    title: endTitleOf(kinds, watched),
    happened: `Run ${name} is ${run?.state ?? 'not there'}. This is over: ${kinds.map((kind) => nameOf[kind]).join(', ')}.`,
    readers: readersOf(watched),
    advice: 'nothing.',
    commands: [show(watched)],
  };
}

function endTitleOf(kinds: readonly MatterKind[], { run }: WatchedRun): string {
  if (kinds.includes('not-set-up')) return 'Set up';
  if (kinds.some((kind) => kind === 'held' || kind === 'held-too-long'))
    return run?.released === undefined ? 'Digest discarded' : 'Digest released';
  if (kinds.some((kind) => kind === 'unknown' || kind === 'refused')) return 'Messages settled';
  return kinds.includes('unbalanced') ? 'Receipt balances' : 'Run done';
}

const nameOf: Readonly<Record<MatterKind, string>> = {
  failed: 'it failed',
  stopped: 'sending stopped early',
  overdue: 'it was overdue',
  held: 'it was held',
  'held-too-long': 'it was held for too long',
  unbalanced: 'its receipt did not balance',
  refused: 'SES refused messages',
  unknown: 'messages were unknown',
  incomplete: 'something was unavailable',
  suppressed: 'an address was suppressed',
  'not-set-up': 'the credentials were missing',
};
