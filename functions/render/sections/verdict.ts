import type { SectionInput } from '../input.ts';
import { quoteName, showStatus } from '../texts/names.ts';
import { lacksViews } from './figures.ts';
import { isIncomplete } from './incomplete.ts';
import { isPart } from './needs.ts';
import { sayOtherStatuses } from './notes.ts';

/** Below this many views a rate says more about chance than about a broadcast. */
const VIEWS_FOR_A_RATE = 10;

/** The period in at most three sentences: what was not seen, how many responded, and what was answered best. */
export function sayVerdict(input: SectionInput): string[] {
  const { digest, wording } = input;
  const unseen = sayUnseen(input);
  if (isIncomplete(digest)) {
    return [wording.say(digest.totals.seen === null ? 'verdict.noTotals' : 'verdict.incomplete'), ...unseen];
  }
  return [...(unseen.length > 0 ? unseen : saySeen(input)), ...sayRate(input), ...sayBest(input)];
}

/** That there is nothing; where the list has other statuses, of which ones there is nothing, and how many have others. */
export function sayEmpty(input: SectionInput): string[] {
  const { report, wording } = input;
  const others = sayOtherStatuses(input);
  if (others.length === 0) return [wording.say('empty.sentence')];
  const statuses = report.statuses.map((name) => quoteName({ name: showStatus(name, input) }, input));
  return [wording.say('empty.statuses', { statuses: wording.list(statuses) }), ...others];
}

/** How many broadcasts nobody has seen; deliveries, where some of them belong to broadcasts with others. */
function sayUnseen({ digest, wording }: SectionInput): string[] {
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
function saySeen({ digest, wording }: SectionInput): string[] {
  const { broadcasts, unseenNotNamed, unknownDate } = digest;
  if (broadcasts.some(lacksViews)) return [];
  if (unseenNotNamed + unknownDate === 0) return [wording.say('verdict.allSeen')];
  return broadcasts.some(({ kind }) => kind === 'new') ? [wording.say('verdict.newSeen')] : [];
}

/** The share of the viewers who responded where something was asked, and whether it rose. */
export function sayRate({ digest, wording, figures }: SectionInput): string[] {
  const { responseRate, previous, comparison } = digest.totals;
  if (responseRate === null) return [];
  const rate = figures.rate(responseRate);
  const before = comparison.basis === 'none' ? null : (previous?.responseRate ?? null);
  if (before === null) return [wording.say('verdict.rate', { rate })];
  const shown = figures.rate(before);
  if (shown === rate) return [wording.say('verdict.rateSame', { rate })];
  return [wording.say(responseRate > before ? 'verdict.rateUp' : 'verdict.rateDown', { rate, before: shown })];
}

/** The best answered of the new broadcasts, where there is more than one to choose from. */
function sayBest(input: SectionInput): string[] {
  const { digest, wording, figures } = input;
  // The broadcasts whose rate means something.
  const rated = digest.broadcasts.flatMap((broadcast) => {
    const { kind, asks, seen, answered, stillCounting } = broadcast;
    if (kind !== 'new' || asks !== true || stillCounting || seen === null || answered === null) return [];
    return seen < VIEWS_FOR_A_RATE ? [] : [{ broadcast, seen, answered }];
  });
  // Between equal rates the first of the mail wins, which has the most views.
  const [best] = rated.toSorted((one, other) => other.answered / other.seen - one.answered / one.seen);
  if (best === undefined || rated.length < 2 || best.answered === 0) return [];
  const values = { name: quoteName(best.broadcast, input), seen: figures.count(best.seen) };
  return [wording.count('verdict.best', best.answered, values)];
}
