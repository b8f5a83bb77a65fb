import { areEnough, haveAllReachedHalf } from '../../digest/figures.ts';
import { isCovered, isLargeChange, isTenth, leastViews } from '../row-figures.ts';
import type { SectionInput } from '../input.ts';
import { sayViews } from './counts.ts';
import { lacksEverything } from './incomplete.ts';

/** What was seen, against the period before, and what was answered of what was asked. */
export function viewVerdict(input: SectionInput) {
  const { digest, wording, join } = input;
  const { totals, trend, warning } = digest;
  // It has figures, and nothing earlier is known to compare them with.
  const isAlone = warning === null && totals.seen !== null && totals.previous === null && trend.length === 1;
  return {
    verdict: warning === null ? sayVerdict(input) : sayWarning(input),
    answers: join([sayAnswers(input), isAlone ? wording.say('verdict.alone') : null], 'sentences') || null,
    good: viewGood(input),
  };
}

/** One good thing, where nothing needs anybody and every row is known; `null` where rows prove none. */
function viewGood({ digest, wording }: SectionInput): string | null {
  const { totals, unavailable, broadcasts, warning } = digest;
  const isKnown = totals.seen !== null && unavailable.length === 0 && warning === null;
  if (!isKnown || !haveAllReachedHalf(digest)) return null;
  return wording.count('good.half', broadcasts.filter(({ group }) => group === 'new').length);
}

function sayWarning({ digest, wording }: SectionInput): string {
  const hours = digest.warning?.afterHours ?? 0;
  const age = hours < 48 ? wording.count('age.hours', hours) : wording.count('age.days', hours / 24);
  return wording.count('warning.lead', digest.needs.length, { age });
}

function sayVerdict(input: SectionInput): string {
  const { digest, wording, figures } = input;
  const { totals, period } = digest;
  const { seen, responded, change, previous } = totals;
  // Nothing says that there was nothing: what is known begins after the end.
  const knowsNothing = seen === 0 && Date.parse(digest.coveredSince) >= Date.parse(period.end);
  if (lacksEverything(digest) || knowsNothing)
    return wording.say('verdict.nothing', { period: figures.period(period, 'short') });
  if (digest.noMatch !== null) return wording.say('verdict.noMatch');
  if (seen === null) {
    const least = leastViews(digest);
    if (least !== null) return wording.count('verdict.atLeast', least);
    return wording.count('verdict.responses', responded ?? 0);
  }
  if (!isCovered(digest) && seen > 0) return wording.count('verdict.atLeast', seen);
  const earlier = previous?.seen ?? null;
  const isQuiet = digest.broadcasts.length === 0 && isCovered(digest);
  const views = isQuiet ? wording.say('verdict.quiet') : sayViews(seen, input);
  const values = { views, before: wording.say(`before.${period.kind}`) };
  if (seen === 0 && !earlier) return wording.say('verdict.only', values);
  if (change.seen === 0) return wording.say('verdict.equal', values);
  if (earlier !== null && (seen === 0 || !isLargeChange(seen - earlier, earlier))) {
    const isAbout = !isTenth(seen - earlier, earlier);
    return wording.say(isAbout ? 'verdict.about' : 'verdict.both', { ...values, previous: figures.count(earlier) });
  }
  if (change.seen !== null) {
    return wording.count(change.seen < 0 ? 'verdict.fewer' : 'verdict.more', Math.abs(change.seen), values);
  }
  return wording.say('verdict.of', { ...values, broadcasts: sayBroadcasts(input) });
}

/** "4 new broadcasts and 13 earlier ones" */
function sayBroadcasts({ digest: { broadcasts }, wording }: SectionInput): string {
  const active = broadcasts.filter(({ deliveries }) => deliveries.some(({ inPeriod }) => (inPeriod.seen ?? 0) > 0));
  const news = active.filter(({ group }) => group === 'new').length;
  const earlier = active.filter(({ group }) => group === 'earlier').length;
  if (news === 0) return earlier === 0 ? '' : wording.count('broadcasts.earlier', earlier);
  const ones = earlier === 0 ? [] : [wording.count('broadcasts.earlierOnes', earlier)];
  return wording.list([wording.count('broadcasts.new', news), ...ones]);
}

/** Of those who saw something new that asks, how many had responded; `null` where few saw any. */
export function sayAnswers({ digest, wording, figures }: SectionInput): string | null {
  const { totals, period, minimumGroup } = digest;
  const { asked, responseRate: rate, change, previous } = totals;
  if (digest.warning !== null || !asked?.seen || !areEnough(asked.seen, minimumGroup)) return null;
  const values = { answered: figures.count(asked.answered), seen: figures.count(asked.seen) };
  if (rate === null) return wording.say('answers.only', { now: wording.say('answers.few', values) });
  const key = change.responseRate === null ? 'now' : change.responseRate > 0 ? 'larger' : 'smaller';
  const now = wording.say(`answers.${key}`, { ...values, rate: figures.rate(rate) });
  if (!previous?.asked || previous.responseRate === null) return wording.say('answers.only', { now });
  const counts = { seen: figures.count(previous.asked.answered), audience: figures.count(previous.asked.seen) };
  const before = wording.say('seenOf.rate', { ...counts, rate: figures.rate(previous.responseRate) });
  return wording.say('answers.before', { now, period: wording.say(`before.${period.kind}`), before });
}
