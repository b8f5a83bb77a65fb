import type { Digest, DigestBroadcast } from '../../domain/digest.ts';
import { figuresOf, ratioOf } from '../../domain/figures.ts';
import type { SectionInput } from '../input.ts';
import { quoteName, showStatus } from '../texts/names.ts';
import { sayViewsAndResponses } from './figures.ts';
import { isIncomplete } from './incomplete.ts';
import { sayAge, sayEarlierViews } from './at-age.ts';
import { sayOtherStatuses } from './notes.ts';

/** A change is said from so many on, and from this share of the figure before. */
const leastChange = 10;
const leastShare = 0.1;
/** So many broadcasts have to be there before one of them is named as having most. */
const fewestBroadcasts = 3;
/** An edition is far from its usual, or from what earlier ones had, by such a share of it. */
const farFromUsual = 0.25;

/**
 * The period in at most three sentences: what changed most; which broadcast made most of the views; and the new broadcast that is
 * farthest from what is usual of its series. Every sentence is proved by the digest; while something is missing there is none.
 */
export function sayVerdict(input: SectionInput): string[] {
  if (isIncomplete(input.digest)) return [];
  return [...sayChange(input), ...sayMostSeen(input), ...sayUnusual(input)];
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
    return [wording.say('verdict.counts', { figure, count: figures.count(most.before), before })];
  }
  const direction = most.now < most.before ? 'fewer' : 'more';
  const change = wording.count(`verdict.${direction}`, Math.abs(most.now - most.before), { figure, before });
  return [wording.say('verdict.sentence', { said: change })];
}

/** The broadcast that at least half of the period's views were of, where there are three or more. */
function sayMostSeen(input: SectionInput): string[] {
  const { digest, wording, figures } = input;
  const { seen } = digest.totals;
  const byBroadcast = Map.groupBy(digest.broadcasts, ({ id, deliveries }) => (id === '' ? deliveries.join() : id));
  const views = [...byBroadcast.values()].map((entries) => ({
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
