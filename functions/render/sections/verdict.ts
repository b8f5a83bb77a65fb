import { mostSeries, type Digest, type DigestBroadcast, type SeriesFigures } from '../../domain/digest.ts';
import { figuresOf, ratioOf } from '../../domain/figures.ts';
import type { SectionInput } from '../input.ts';
import { joinFacts } from '../texts/language.ts';
import { quoteName, showStatus } from '../texts/names.ts';
import { sayViewsAndResponses } from './figures.ts';
import { isIncomplete } from './incomplete.ts';
import { sayAge, sayEarlierViews } from './at-age.ts';
import { sayOtherStatuses } from './notes.ts';

/** A change is said from so many on, and from this share of the figure before. */
const leastChange = 10;
const leastShare = 0.1;
/** An edition is far from its usual, or from what earlier ones had, by such a share of it. */
const farFromUsual = 0.25;

/**
 * The period in at most three sentences: what changed most; which series made most of that; and the new broadcast that is
 * farthest from what is usual of its series. Every sentence is proved by the digest; while something is missing there is none.
 */
export function sayVerdict(input: SectionInput): string[] {
  if (isIncomplete(input.digest)) return [];
  return [...sayChange(input), ...sayWhy(input), ...sayUnusual(input)];
}

/**
 * That there is nothing; where the list has other statuses, of which ones there is nothing, and how many have others; where it has
 * nothing that the report is about, that alone.
 */
export function sayEmpty(input: SectionInput): string[] {
  const { digest, report, wording } = input;
  if (digest.noMatch) return [wording.say('empty.noMatch')];
  const others = sayOtherStatuses(input);
  // Of what left the list nobody knows whether somebody viewed it.
  if (others.length === 0) return [wording.say(digest.left.deliveries > 0 ? 'empty.newOnly' : 'empty.sentence')];
  const statuses = report.statuses.map((name) => quoteName({ name: showStatus(name, input) }, input));
  return [wording.say('empty.statuses', { statuses: wording.list(statuses) }), ...others];
}

/** A figure of the period beside that of the one before. */
export interface Change {
  what: 'views' | 'responses';
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
    { what: 'responses' as const, now: responded, before: previous.responded },
    { what: 'views' as const, now: seen, before: previous.seen },
  ];
  return figures
    .flatMap(({ what, now, before }) => (now === null || before === null ? [] : [{ what, now, before }]))
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

/**
 * The change of responses or of views, whichever moved by more of its former value: in words where that is a tenth and ten, else
 * both counts; "about the same" only where both moved by less than a tenth.
 */
function sayChange(input: SectionInput): string[] {
  const { digest, wording, figures } = input;
  const { totals, period } = digest;
  const before = wording.say(`before.${period.kind}`);
  const [most, other] = findChanges(totals);
  if (most === undefined) {
    const counts = sayViewsAndResponses(totals, input);
    return counts === null ? [] : [wording.say('verdict.now', { figures: counts })];
  }
  const figure = wording.count(`count.${most.what}`, most.now);
  const isSame = [most, other].every((change) => change === undefined || shareOf(change) < leastShare);
  if (other !== undefined && isSame) return [wording.say('verdict.same', { before })];
  if (!isLarge(most) || most.now === 0 || most.before === 0) {
    const counts = [
      wording.say('verdict.counts', { figure, count: figures.count(most.before), before }),
      other === undefined ? null : sayBoth(other, input),
    ];
    return [wording.say('verdict.sentence', { said: joinFacts(counts, wording.say('separator.clauses')) ?? '' })];
  }
  const direction = most.now < most.before ? 'fewer' : 'more';
  const change = wording.count(`verdict.${direction}`, Math.abs(most.now - most.before), { figure, before });
  return [wording.say('verdict.sentence', { said: change })];
}

/** A figure beside what it was: "19 views, 10". */
function sayBoth({ what, now, before }: Change, { wording, figures }: SectionInput): string {
  return wording.say('verdict.both', { figure: wording.count(`count.${what}`, now), count: figures.count(before) });
}

/** A series made so much of a change, or all of it. */
const mostOfChange = 0.5;

/** By how much the figures of a series differ between the period and the one before. */
interface Difference {
  series: SeriesFigures;
  now: number;
  before: number;
}

/**
 * The one or two series whose difference is between half and the whole of the change that the first sentence says; where it is of
 * responses and nothing asked for one, that. Of a series that is not among those that are kept nothing is known.
 */
function sayWhy(input: SectionInput): string[] {
  const { digest, wording, figures } = input;
  const { totals, broadcasts } = digest;
  const [change] = findChanges(totals);
  if (change === undefined || !isLarge(change)) return [];
  if (change.what === 'responses' && broadcasts.every(({ asks }) => asks === false)) {
    return [wording.say('verdict.nothingAsked')];
  }
  const all = change.now - change.before;
  const partOf = (differences: readonly Difference[]): number =>
    differences.reduce((sum, { now, before }) => sum + now - before, 0) / all;
  const byPart = findDifferences(change.what === 'views' ? 'seen' : 'responded', totals).toSorted(
    (one, other) => partOf([other]) - partOf([one]),
  );
  const most = [byPart.slice(0, 1), byPart.slice(0, 2)].find(
    (differences) =>
      differences.every((difference) => partOf([difference]) > 0) &&
      partOf(differences) >= mostOfChange &&
      partOf(differences) <= 1,
  );
  if (most === undefined) return [];
  const series = most.map(({ series: { name }, now, before }) =>
    wording.say('verdict.series', {
      name: quoteName({ name }, input),
      before: figures.count(before),
      now: figures.count(now),
    }),
  );
  const count = Math.abs(Math.round(partOf(most) * all));
  return [wording.count('verdict.why', count, { series: series.join(wording.say('separator.list')) })];
}

/** Every series of the period and of the one before whose figure is known of both: one that is not kept had none where all are. */
function findDifferences(figure: 'seen' | 'responded', { series, previous }: Digest['totals']): Difference[] {
  if (series === null || previous?.series == null) return [];
  const [now, before] = [series, previous.series].map((all) => new Map(all.map((one) => [one.key, one])));
  const figureIn = (period: ReadonlyMap<string, SeriesFigures> | undefined, key: string): number =>
    period?.get(key)?.[figure] ?? ((period?.size ?? mostSeries) < mostSeries ? 0 : Number.NaN);
  return [...new Map([...(before ?? []), ...(now ?? [])]).values()].flatMap((one) => {
    const difference = { series: one, now: figureIn(now, one.key), before: figureIn(before, one.key) };
    return Number.isNaN(difference.now - difference.before) ? [] : [difference];
  });
}

/** What of its usual share an edition had at the same age, 1 is all; `null` where nothing is usual, or of a small group. */
function shareOfUsual({ atAge }: Pick<DigestBroadcast, 'atAge'>, digest: SectionInput['digest']): number | null {
  const { seen = 0, audience = null, usual = null } = atAge ?? {};
  const { share } = figuresOf({ seen, responded: null, audience }, digest);
  return usual === null || share === null ? null : ratioOf(share, usual.share);
}

/** What an edition had of the views of earlier ones, 1 is all: below them of the fewest, above them of the most. */
function shareOfEarlier({ atAge }: Pick<DigestBroadcast, 'atAge'>): number | null {
  if (atAge?.earlier == null) return null;
  const { fewest, most } = atAge.earlier;
  if (atAge.seen < fewest) return atAge.seen / fewest;
  return atAge.seen > most ? atAge.seen / most : 1;
}

/**
 * The new edition farthest from its usual: below it, else above. Where no broadcast has one, the one farthest from what earlier
 * editions had.
 */
function sayUnusual(input: SectionInput): string[] {
  const { digest } = input;
  const fresh = digest.broadcasts.filter(({ kind }) => kind === 'new');
  const compare = (shareOf: (broadcast: DigestBroadcast) => number | null) =>
    fresh.flatMap((broadcast) => {
      const share = shareOf(broadcast);
      return share === null ? [] : [{ broadcast, share }];
    });
  const withUsual = compare((broadcast) => shareOfUsual(broadcast, digest));
  const compared = withUsual.length > 0 ? withUsual : compare(shareOfEarlier);
  const far = compared.filter(({ share }) => Math.abs(share - 1) >= farFromUsual);
  const sorted = far.toSorted((one, other) => one.share - other.share);
  const [lowest] = sorted;
  const farthest = lowest !== undefined && lowest.share < 1 ? lowest : sorted.at(-1);
  if (farthest === undefined) return [];
  const { broadcast } = farthest;
  // A fact where audiences are not known: "“Friday Five”: 41 views after 2 days; the last 4 had 92 to 110."
  const views = sayEarlierViews(broadcast, input);
  if (views === null) return [sayReached(broadcast, input)];
  return [input.wording.say('verdict.earlier', { name: quoteName(broadcast, input), views })];
}

function sayReached({ atAge, ...broadcast }: DigestBroadcast, input: SectionInput): string {
  const { wording, figures } = input;
  const { hours = 0, seen = 0, audience, usual } = atAge ?? {};
  return wording.count('verdict.reached', seen, {
    name: quoteName(broadcast, input),
    age: sayAge(hours, wording),
    audience: figures.count(audience ?? 0),
    rate: figures.rate(seen / (audience ?? 1)),
    usual: figures.rate(usual?.share ?? 0),
  });
}
