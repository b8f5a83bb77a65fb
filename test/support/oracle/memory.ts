import type { Account } from '../accounts/account.ts';
import type { Wanted } from './deliveries.ts';
import type { Known } from './known.ts';
import type { Gap } from './lists.ts';
import { datedWithin, type Engaged } from './rows.ts';

/** So many digests name a delivery that nobody has seen. */
const mostNamings = 4;

/** The runs of earlier periods of the same account, in their order. */
export function runsBefore({ calendar, host }: Account, earlier: readonly Known[]): Known[] {
  return earlier.filter((run) => run.start < Date.parse(calendar.start) && run.account.host === host);
}

/** What the runs of earlier periods say of a delivery. */
export type Memory = ReturnType<typeof memoryOf>;

export function memoryOf(id: string, runs: readonly Known[], { statuses }: Account) {
  const shown = runs.flatMap(({ deliveries }) => deliveries.filter((delivery) => delivery.id === id));
  const withFigures = shown.filter(({ counted }) => counted !== null);
  const listed: ReadonlyArray<Pick<Wanted, 'status' | 'isWantedNow'>> = runs.flatMap((run) => run.wanted.get(id) ?? []);
  const isWanted = (status: string): boolean => hasWord(statuses, status);
  const { seen, responded } = mostCounted(id, runs);
  const timesNamed = shown.filter(({ kind, judgedBy }) => kind === 'silent' && judgedBy !== null).length;
  return {
    isFirstDigest: runs.length === 0,
    wasOfUnknownDate: runs.some(({ unknownDate }) => unknownDate.includes(id)),
    /** A digest had its figures. */
    wasShown: withFigures.length > 0,
    /** A run could read its recipients. */
    wasRead: runs.some((run) => run.wanted.get(id)?.counted != null),
    wasEngaged: withFigures.some(({ counted }) => counted !== null && counted.engaged > 0),
    wasNew: shown.some(({ kind }) => kind === 'new'),
    wasJudged: runs.some(({ judged }) => judged.has(id)),
    /** A run of the report wanted it, for a status that is still a wanted one. */
    wasWanted: listed.some((delivery) => delivery.isWantedNow && isWanted(delivery.status)),
    /** When the first run began that listed it with a status that it wanted; `NaN` where none did. */
    wantedSince: Date.parse(runs.find((run) => run.wanted.get(id)?.isWantedNow === true)?.account.calendar.at ?? ''),
    timesNamed,
    isNamedNoMore: timesNamed >= mostNamings,
    /** A run counted something dated before the end of its period. */
    isOlder: seen + responded > 0,
    /** Its first sign, as it was read first. */
    firstSign: runs.map((run) => run.wanted.get(id)?.firstSign ?? null).find((sign) => sign !== null) ?? null,
    /** When its broadcast was created, as the first run that was told knew it. */
    createdAt: runs.map((run) => run.wanted.get(id)?.createdAt ?? null).find((instant) => instant !== null) ?? null,
    /** As it was read last. */
    lastRead: runs.findLast((run) => run.wanted.get(id)?.counted)?.wanted.get(id)?.counted ?? null,
  };
}

/** Whether a word is one of some, whatever their case. */
export function hasWord(words: readonly string[], word: string): boolean {
  return words.some((other) => other.toLowerCase() === word.toLowerCase());
}

/** The most that was ever counted of a delivery: rows that vanish for a while were counted all the same. */
export function mostCounted(id: string, runs: readonly Known[]): Engaged {
  const counted = runs.map((run) => datedWithin(run.wanted.get(id)?.counted?.rows ?? [], -Infinity, run.end));
  return {
    seen: Math.max(0, ...counted.map(({ seen }) => seen)),
    responded: Math.max(0, ...counted.map(({ responded }) => responded)),
  };
}

/** Whether something is gone for good, and an earlier digest has said so. */
export function isGoneAgain(key: string, gap: Gap, runs: readonly Known[]): boolean {
  return isGone(gap) && runs.some(({ missing }) => missing.get(key)?.some(isGone));
}

function isGone({ reason }: Gap): boolean {
  return reason === 'not-found' || reason === 'gone';
}
