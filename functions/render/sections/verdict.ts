import type { DigestBroadcast } from '../../domain/broadcasts/digest-broadcast.ts';
import type { Digest } from '../../domain/digest.ts';
import type { Language } from '../texts/language.ts';
import { quoteName } from '../texts/names.ts';
import { showStatus } from '../texts/statuses.ts';
import { lacksViews } from '../texts/views.ts';
import { isIncomplete } from './incomplete.ts';
import { isPart } from './needs.ts';
import { sayOtherStatuses } from './notes.ts';
import type { SectionInput } from './section-input.ts';

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

/** What an empty digest is said of. */
export type EmptyInput = Pick<SectionInput, 'digest' | 'report' | 'limits'>;

/** That there is nothing; where the list has other statuses, of which ones there is nothing, and how many have others. */
export function sayEmpty({ digest, report, limits }: EmptyInput, language: Language): string[] {
  const { wording } = language;
  const others = sayOtherStatuses(digest.otherStatuses, limits, language);
  if (others.length === 0) return [wording.say('empty.sentence')];
  const statuses = report.statuses.map((name) => quoteName({ name: showStatus(name, language) }, language));
  return [wording.say('empty.statuses', { statuses: wording.list(statuses) }), ...others];
}

/** How many broadcasts nobody has seen; deliveries, where some of them belong to broadcasts with others. */
function sayUnseen(digest: Digest, { wording }: Language): string[] {
  const unseen = digest.broadcasts.filter(({ kind }) => kind === 'silent');
  if (unseen.length === 0) return [];
  const deliveries = unseen.reduce((sum, broadcast) => sum + broadcast.deliveries.length, 0);
  return [
    unseen.some(isPart)
      ? wording.count('verdict.unseenDeliveries', deliveries)
      : wording.count('verdict.unseenBroadcasts', unseen.length),
  ];
}

/** That everything was seen, or, where deliveries are not and are not named, everything new. Responses alone do not say it. */
function saySeen({ broadcasts, unseenNotNamed, unknownDate }: Digest, { wording }: Language): string[] {
  if (broadcasts.some(lacksViews)) return [];
  if (unseenNotNamed + unknownDate === 0) return [wording.say('verdict.allSeen')];
  return broadcasts.some(({ kind }) => kind === 'new') ? [wording.say('verdict.newSeen')] : [];
}

/** The share of the viewers who responded where something was asked, and whether it rose. */
export function sayRate({ totals }: Digest, { wording, figures }: Language): string[] {
  const { responseRate, previous, comparison } = totals;
  if (responseRate === null) return [];
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
  answered: number;
}

/** The best answered of the new broadcasts, where there is more than one to choose from. */
function sayBest({ broadcasts }: Digest, language: Language): string[] {
  const rated = broadcasts.flatMap((broadcast): Rated[] => {
    const { kind, asks, seen, answered, stillCounting } = broadcast;
    if (kind !== 'new' || asks !== true || stillCounting || seen === null || answered === null) return [];
    return seen < VIEWS_FOR_A_RATE ? [] : [{ broadcast, seen, answered }];
  });
  // Between equal rates the first of the mail wins, which has the most views.
  const [best] = rated.toSorted((one, other) => other.answered / other.seen - one.answered / one.seen);
  if (best === undefined || rated.length < 2 || best.answered === 0) return [];
  const { wording, figures } = language;
  const values = { name: quoteName(best.broadcast, language), seen: figures.count(best.seen) };
  return [wording.count('verdict.best', best.answered, values)];
}
