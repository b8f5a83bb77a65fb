import type { Digest, DigestBroadcast, TrendPeriod } from '../../domain/digest.ts';
import type { SectionInput } from '../input.ts';
import type { Language } from '../texts/language.ts';
import { quoteName, showStatus } from '../texts/names.ts';
import { isIncomplete } from './incomplete.ts';
import { sayOtherStatuses } from './notes.ts';

/** A change is said from so many on, and from this share of the figure before. */
const leastChange = 10;
const leastShare = 0.1;
/** So many periods have to be known before one is the highest or the lowest of them. */
const fewestPeriods = 4;
/** So many broadcasts have to be there before one of them is named as having most. */
const fewestBroadcasts = 3;
/** What is usual is compared with from so many views on, and where this share of it is missing or more. */
const leastUsual = 10;
const farFromUsual = 0.25;

/**
 * The period in at most three sentences: what changed most; which broadcast made most of the views; and the new broadcast that is
 * farthest from what is usual of its series. Every sentence is proved by the digest; while something is missing there is none.
 */
export function sayVerdict(input: SectionInput): string[] {
  if (isIncomplete(input.digest)) return [];
  return [...sayChange(input), ...sayMostSeen(input), ...sayUnusual(input)];
}

/** That there is nothing; where the list has other statuses, of which ones there is nothing, and how many have others. */
export function sayEmpty(input: SectionInput): string[] {
  const { report, wording } = input;
  const others = sayOtherStatuses(input);
  if (others.length === 0) return [wording.say('empty.sentence')];
  const statuses = report.statuses.map((name) => quoteName({ name: showStatus(name, input) }, input));
  return [wording.say('empty.statuses', { statuses: wording.list(statuses) }), ...others];
}

/** A figure of the period beside that of the one before. */
export interface Change {
  of: 'views' | 'responses';
  now: number;
  before: number;
}

/**
 * Views and responses beside those of the period before; none without a comparison. First what moved by more of its former value,
 * but a change that is large enough to be said goes before two responses that were one.
 */
export function findChanges({ seen, responded, previous, comparison }: Digest['totals']): Change[] {
  if (comparison.basis === 'none' || previous === null) return [];
  const figures = [
    { of: 'responses' as const, now: responded, before: previous.responded },
    { of: 'views' as const, now: seen, before: previous.seen },
  ];
  return figures
    .flatMap(({ of, now, before }) => (now === null || before === null ? [] : [{ of, now, before }]))
    .toSorted((one, other) => Number(isLarge(other)) - Number(isLarge(one)) || shareOf(other) - shareOf(one));
}

function isLarge(change: Change): boolean {
  return Math.abs(change.now - change.before) >= leastChange && shareOf(change) >= leastShare;
}

/** By how much of its former value a figure moved. */
function shareOf({ now, before }: Change): number {
  if (now === before) return 0;
  return Math.abs(now - before) / before;
}

function sayChange(input: SectionInput): string[] {
  const { digest, wording, figures } = input;
  const { totals, period } = digest;
  const figureOf = (of: Change['of'], count: number): string => wording.count(`count.${of}`, count);
  const before = wording.say(`before.${period.kind}`);
  const [most, other] = findChanges(totals);
  if (most === undefined) {
    const said = [
      ...(totals.seen === null ? [] : [figureOf('views', totals.seen)]),
      ...(totals.responded === null ? [] : [figureOf('responses', totals.responded)]),
    ];
    return said.length === 0 ? [] : [wording.say('verdict.now', { figures: said.join(wording.say('separator.list')) })];
  }
  const figure = figureOf(most.of, most.now);
  const change = Math.abs(most.now - most.before);
  const isFew = Math.max(totals.seen ?? 0, totals.responded ?? 0) < leastChange;
  const isAlone = other === undefined && !isLarge(most);
  if (isAlone || (change > 0 && (isFew || most.now === 0 || most.before === 0))) {
    return [wording.say('verdict.counts', { figure, count: figures.count(most.before), before })];
  }
  if (!isLarge(most)) return [wording.say('verdict.same', { before })];
  const direction = most.now < most.before ? 'fewer' : 'more';
  const said = wording.count(`verdict.${direction}`, change, { figure, before });
  const periods = extremeOf(most, digest.trend);
  if (periods === null) return [wording.say('verdict.sentence', { said })];
  const span = wording.count(`span.${period.kind}`, periods);
  const extreme = most.now < most.before ? 'verdict.fewest' : 'verdict.most';
  return [wording.say(extreme, { said, span })];
}

/** Of how many periods a figure is the lowest or the highest, in the direction in which it moved; `null` where it is not, or few are known. */
function extremeOf({ of, now, before }: Change, trend: readonly TrendPeriod[]): number | null {
  const values = trend.map((period) => (of === 'views' ? period.seen : period.responded));
  const earlier = values.slice(values.lastIndexOf(null) + 1, -1).flatMap((value) => value ?? []);
  const isExtreme = earlier.every((value) => (now < before ? value > now : value < now));
  return isExtreme && earlier.length + 1 >= fewestPeriods ? earlier.length + 1 : null;
}

/** The broadcast that at least half of the period's views were of, where there are three or more. */
function sayMostSeen(input: SectionInput): string[] {
  const { digest, wording, figures } = input;
  const { seen } = digest.totals;
  const ofOne = Map.groupBy(digest.broadcasts, ({ id, deliveries }) => (id === '' ? deliveries.join() : id));
  const views = [...ofOne.values()].map((entries) => ({
    broadcast: entries[0],
    seen: entries.reduce((sum, { inPeriod }) => sum + (inPeriod?.seen ?? 0), 0),
  }));
  const [most] = views.toSorted((one, other) => other.seen - one.seen);
  if (seen === null || seen === 0 || most?.broadcast === undefined || views.length < fewestBroadcasts) return [];
  if (most.seen * 2 < seen) return [];
  const values = { name: quoteName(most.broadcast, input), all: figures.count(seen) };
  const { asks, responded } = most.broadcast;
  return [
    wording.count(asks === false && responded === 0 ? 'verdict.informing' : 'verdict.mostSeen', most.seen, values),
  ];
}

/** What of its usual a new broadcast had at the same age, 1 is all; `null` where nothing is usual, or little. */
export function shareOfUsual({ audience, atAge }: Pick<DigestBroadcast, 'audience' | 'atAge'>): number | null {
  const { seen, usual } = atAge ?? {};
  if (seen === undefined || usual == null) return null;
  const expected = usual.share === null ? usual.seen : usual.share * (audience ?? 0);
  return expected < leastUsual ? null : seen / expected;
}

/** The new broadcast farthest below its usual, else the one farthest above. */
function sayUnusual(input: SectionInput): string[] {
  const compared = input.digest.broadcasts.flatMap((broadcast) => {
    const { kind, audience } = broadcast;
    const isSmall = audience !== null && audience < input.digest.minimumGroup;
    const share = kind === 'new' && !isSmall ? shareOfUsual(broadcast) : null;
    return share === null || Math.abs(share - 1) < farFromUsual ? [] : [{ broadcast, share }];
  });
  const sorted = compared.toSorted((one, other) => one.share - other.share);
  const [lowest] = sorted;
  const found = lowest !== undefined && lowest.share < 1 ? lowest : sorted.at(-1);
  return found === undefined ? [] : [sayReached(found.broadcast, input)];
}

/** An age in words: "6 hours", "2 days". */
export function sayAge(hours: number, wording: Language['wording']): string {
  return hours < 24 ? wording.count('age.hours', hours) : wording.count('age.days', hours / 24);
}

function sayReached(broadcast: DigestBroadcast, input: SectionInput): string {
  const { wording, figures } = input;
  const { atAge, audience } = broadcast;
  const { hours = 0, seen = 0, usual } = atAge ?? {};
  const name = quoteName(broadcast, input);
  const age = sayAge(hours, wording);
  if (usual?.share == null || audience === null) {
    return wording.count('verdict.reachedCount', seen, { name, age, usual: figures.count(usual?.seen ?? 0) });
  }
  const shares = { rate: figures.rate(seen / audience), usual: figures.rate(usual.share) };
  return wording.count('verdict.reached', seen, { name, age, audience: figures.count(audience), ...shares });
}
