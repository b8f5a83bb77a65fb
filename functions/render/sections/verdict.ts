import type { DigestBroadcast } from '../../domain/broadcasts/digest-broadcast.ts';
import type { Digest } from '../../domain/digest.ts';
import type { Language } from '../texts/language.ts';
import { quoteName } from '../texts/names.ts';
import { isIncomplete } from './incomplete.ts';
import { isPart } from './needs.ts';

/** Below this many views a rate says more about chance than about a broadcast. */
const VIEWS_FOR_A_RATE = 10;

/** The period in at most three sentences: what was not seen, how many responded, and what was answered best. */
export function sayVerdict(digest: Digest, language: Language): string[] {
  if (isIncomplete(digest)) {
    const { wording } = language;
    const missing = wording.say(digest.totals.seen === null ? 'verdict.noTotals' : 'verdict.incomplete');
    return [missing, ...sayUnseen(digest, language)];
  }
  const seen = sayUnseen(digest, language);
  return [
    ...(seen.length > 0 ? seen : saySeen(digest, language)),
    ...sayRate(digest, language),
    ...sayBest(digest, language),
  ];
}

/** How many broadcasts nobody has seen; deliveries, where some of them belong to broadcasts with others. */
function sayUnseen(digest: Digest, { wording }: Language): string[] {
  const unseen = digest.broadcasts.filter(({ kind }) => kind === 'silent');
  if (unseen.length === 0) return [];
  const deliveries = unseen.reduce((sum, broadcast) => sum + broadcast.deliveries.length, 0);
  return [
    unseen.some((broadcast) => isPart(broadcast, digest))
      ? wording.count('verdict.unseenDeliveries', deliveries)
      : wording.count('verdict.unseenBroadcasts', unseen.length),
  ];
}

/** That everything was seen, or, where older deliveries are not and are no longer named, everything new. */
function saySeen({ broadcasts, unseenNotNamed }: Digest, { wording }: Language): string[] {
  if (unseenNotNamed === 0) return [wording.say('verdict.allSeen')];
  return broadcasts.some(({ kind }) => kind === 'new') ? [wording.say('verdict.newSeen')] : [];
}

/** The share of the viewers who responded where something was asked, and whether it rose. */
export function sayRate({ totals }: Digest, { wording, figures }: Language): string[] {
  const { asked, responseRate, previous, comparison } = totals;
  if (asked === null || responseRate === null) return [];
  if (responseRate > 1) {
    const views = wording.count('count.views', asked.seen);
    return [
      wording.say('verdict.moreResponses', { views, responses: wording.count('count.responses', asked.responded) }),
    ];
  }
  const rate = figures.rate(responseRate);
  const before = comparison.basis === 'none' ? null : (previous?.responseRate ?? null);
  if (before === null) return [wording.say('verdict.rate', { rate })];
  const shown = figures.rate(before);
  if (shown === rate) return [wording.say('verdict.rateSame', { rate })];
  return [wording.say(responseRate > before ? 'verdict.rateUp' : 'verdict.rateDown', { rate, before: shown })];
}

/** A broadcast whose rate means something. */
interface Rated {
  broadcast: DigestBroadcast;
  seen: number;
  responded: number;
}

/** The best answered of the new broadcasts, where there is more than one to choose from. */
function sayBest({ broadcasts }: Digest, language: Language): string[] {
  const rated = broadcasts.flatMap((broadcast): Rated[] => {
    const { kind, asks, seen, responded, stillCounting } = broadcast;
    if (kind !== 'new' || asks !== true || stillCounting || seen === null || responded === null) return [];
    return seen < VIEWS_FOR_A_RATE || responded > seen ? [] : [{ broadcast, seen, responded }];
  });
  // Between equal rates the first of the mail wins, which has the most views.
  const [best] = rated.toSorted((one, other) => other.responded / other.seen - one.responded / one.seen);
  if (best === undefined || rated.length < 2 || best.responded === 0) return [];
  const { wording, figures } = language;
  const values = { name: quoteName(best.broadcast, language), seen: figures.count(best.seen) };
  return [wording.count('verdict.best', best.responded, values)];
}
