import { audienceOf, sumOf } from '../../domain/broadcasts.ts';
import type { DigestBroadcast, Digest, DigestDelivery } from '../../domain/digest.ts';
import { pageLimits, type SectionInput } from '../input.ts';
import { showForeignText } from '../texts/foreign-text.ts';
import { joinFacts, type Language } from '../texts/language.ts';
import { linkTo, quoteName, showName } from '../texts/names.ts';
import { lacksViews } from './figures.ts';
import { isIncomplete } from './incomplete.ts';
import { sayElsewhere } from './more.ts';

/** A broadcast needs somebody where it did not reach at least so many people. */
const NOT_REACHED = 10;
/** The most deliveries of a broadcast that are named. */
const IDS = 3;

/** A broadcast that needs somebody: nobody has seen it, or too few of those whom it is for. */
interface Need {
  broadcast: DigestBroadcast;
  /** How many have not seen the deliveries that this digest judges, and of how many; `null` where nobody has seen any. */
  missed: { notReached: number; audience: number; deliveries: string[] } | null;
}

/**
 * What needs somebody: what nobody has seen, in the digest's order (the largest audience first); then broadcasts with
 * deliveries that this digest judges, and that fewer than half of a known audience have seen, most people first.
 */
export function findNeeds({ broadcasts, deliveries }: Digest): Need[] {
  const unseen = broadcasts.filter(({ kind }) => kind === 'silent');
  const judged = new Map(deliveries.filter(({ judged }) => judged).map((delivery) => [delivery.id, delivery]));
  const missed = broadcasts.flatMap((broadcast) => {
    const own = broadcast.kind === 'silent' ? [] : broadcast.deliveries.flatMap((id) => judged.get(id) ?? []);
    const of = own.length === 0 ? null : findMissed(own);
    return of === null ? [] : [{ broadcast, missed: of }];
  });
  return [
    ...unseen.map((broadcast) => ({ broadcast, missed: null })),
    ...missed.toSorted((one, other) => other.missed.notReached - one.missed.notReached),
  ];
}

/** How many some deliveries have not reached; `null` where those are few, or are not known. */
function findMissed(deliveries: readonly DigestDelivery[]): Need['missed'] {
  const audience = sumOf(deliveries.map(audienceOf));
  const seen = sumOf(deliveries.map(({ seen }) => seen));
  if (audience === null || seen === null || deliveries.some(lacksViews)) return null;
  const notReached = audience - seen;
  // What is shown as 50% is not called less than half.
  if (Math.round((seen / audience) * 100) >= 50 || notReached < NOT_REACHED) return null;
  return { notReached, audience, deliveries: deliveries.map(({ id }) => id) };
}

/**
 * The box of what needs the reader, or, without `needs`, the one that says that nothing does, and what was looked at. `null` where
 * nothing is known to and something is missing.
 */
export function viewNeeds(input: SectionInput) {
  const { digest, mail, limits, details, wording } = input;
  const needs = findNeeds(digest);
  if (needs.length === 0) {
    return isIncomplete(digest)
      ? null
      : { heading: wording.say('needs.none'), needs: [], more: null, note: wording.say('needs.looked') };
  }
  const more = needs.length - limits.needs;
  const onPage = Math.min(needs.length, pageLimits.needs) - limits.needs;
  return {
    heading: wording.say('needs.heading'),
    needs: needs.slice(0, limits.needs).map((need) => {
      const onThisPage = details?.get(need.broadcast);
      return {
        name: showName(need.broadcast, input),
        link: onThisPage ? `#${onThisPage.anchor}` : linkTo(mail.broadcastLink, need.broadcast),
        fact: sayFact(need, input),
        details: sayDetails(need, input),
      };
    }),
    more: more > 0 ? sayElsewhere(wording.count('needs.more', more), { count: more, onPage }, input) : null,
    note: null,
  };
}

/** The first thing that needs somebody, in a sentence; that nothing does; or nothing where something is missing. */
export function sayFirstNeed(input: SectionInput): string[] {
  const { digest, wording } = input;
  const [first] = findNeeds(digest);
  if (first === undefined) return isIncomplete(digest) ? [] : [wording.say('needs.nothing')];
  const values = { name: quoteName(first.broadcast, input), fact: sayFact(first, input) };
  return [wording.say('needs.sentence', values)];
}

/** Whether an unseen broadcast has deliveries beside those of this entry, which were or may have been seen. */
export function isPart({ deliveries, listedDeliveries }: DigestBroadcast): boolean {
  return listedDeliveries > deliveries.length;
}

function sayFact({ broadcast, missed }: Need, language: Language): string {
  const { wording, figures } = language;
  const { audience } = broadcast;
  const known = audience === null || audience === 0 ? null : audience;
  if (missed !== null) {
    const values = { notReached: figures.count(missed.notReached), audience: figures.count(missed.audience) };
    return missed.deliveries.length === broadcast.deliveries.length
      ? wording.say('needs.missed', values)
      : wording.say('needs.missedPart', { ...values, deliveries: nameDeliveries(missed.deliveries, language) });
  }
  if (!isPart(broadcast)) {
    return known === null ? wording.say('needs.unseen') : wording.count('needs.unseenOf', known);
  }
  const deliveries = nameDeliveries(broadcast.deliveries, language);
  return known === null
    ? wording.say('needs.part', { deliveries })
    : wording.count('needs.partOf', known, { deliveries });
}

function nameDeliveries(deliveries: readonly string[], { wording }: Language): string {
  const named = deliveries.slice(0, IDS).map((id) => showForeignText(id, 40) ?? wording.say('name.none'));
  const more = deliveries.length - IDS;
  const ids = wording.list(more > 0 ? [...named, wording.count('more.count', more)] : named);
  return wording.count('needs.deliveries', deliveries.length, { ids });
}

/** Who made it and when. */
function sayDetails({ broadcast, missed }: Need, { digest, wording, figures }: SectionInput): string | null {
  const { period } = digest;
  const { createdBy, createdAt, firstSign } = broadcast;
  const dated =
    missed === null
      ? createdAt && wording.say('details.created', { date: figures.day(createdAt, period.start) })
      : firstSign && wording.say('details.firstSeen', { date: figures.day(firstSign, period.start) });
  return joinFacts([showForeignText(createdBy, 60), dated], wording.say('separator.list'));
}
