import type { DigestBroadcast } from '../../domain/broadcasts/digest-broadcast.ts';
import type { Digest } from '../../domain/digest.ts';
import { showForeignText } from '../texts/foreign-text.ts';
import type { Language } from '../texts/language.ts';
import { quoteName, showName } from '../texts/names.ts';
import { isIncomplete } from './incomplete.ts';
import { linkTo } from './links.ts';
import { sayElsewhere } from './more.ts';
import type { SectionInput } from './section-input.ts';

/** A new broadcast needs somebody where it did not reach at least so many people. */
const NOT_REACHED = 10;
/** The most deliveries of a broadcast that are named. */
const IDS = 3;

/** A broadcast that needs somebody: nobody has seen it, or too few of those whom it is for. */
interface Need {
  broadcast: DigestBroadcast;
  /** How many have not seen it; `null` where nobody has. */
  notReached: number | null;
}

/** One broadcast of the box: what is wrong with it, and who can tell more. */
export interface NeedView {
  name: string;
  link: string | null;
  fact: string;
  details: string | null;
}

/** The box of what needs the reader, or, without `needs`, the one that says that nothing does. */
export interface NeedsView {
  heading: string;
  needs: NeedView[];
  /** How many more there are. */
  more: string | null;
  /** What was looked at, where nothing needs the reader. */
  note: string | null;
}

/**
 * What needs somebody: what nobody has seen, in the digest's order (the largest audience first); then new broadcasts that
 * fewer than half of a known audience have seen, most people first.
 */
export function findNeeds({ broadcasts }: Digest): Need[] {
  const unseen = broadcasts.filter(({ kind }) => kind === 'silent');
  const missed = broadcasts.flatMap((broadcast): { broadcast: DigestBroadcast; notReached: number }[] => {
    const { kind, audience, seen, stillCounting } = broadcast;
    if (kind !== 'new' || audience === null || seen === null || stillCounting) return [];
    const notReached = audience - seen;
    return isUnderHalf(seen, audience) && notReached >= NOT_REACHED ? [{ broadcast, notReached }] : [];
  });
  return [
    ...unseen.map((broadcast) => ({ broadcast, notReached: null })),
    ...missed.toSorted((one, other) => other.notReached - one.notReached),
  ];
}

/** What is shown as 50% is not called less than half. */
function isUnderHalf(seen: number, audience: number): boolean {
  return Math.round((seen / audience) * 100) < 50;
}

/** The box of what needs the reader; `null` where nothing is known to and something is missing. */
export function viewNeeds(input: SectionInput, language: Language): NeedsView | null {
  const { digest, mail, limits, linkOf = () => null } = input;
  const { wording } = language;
  const needs = findNeeds(digest);
  if (needs.length === 0) {
    return isIncomplete(digest)
      ? null
      : { heading: wording.say('needs.none'), needs: [], more: null, note: wording.say('needs.looked') };
  }
  const more = needs.length - limits.needs;
  return {
    heading: wording.say('needs.heading'),
    needs: needs.slice(0, limits.needs).map((need) => ({
      name: showName(need.broadcast, language),
      link: linkOf(need.broadcast) ?? linkTo(mail.broadcastLink, need.broadcast),
      fact: sayFact(need, digest, language),
      details: sayDetails(need, digest, language),
    })),
    more: more > 0 ? sayElsewhere(wording.count('needs.more', more), more, input, language) : null,
    note: null,
  };
}

/** The first thing that needs somebody, in a sentence; that nothing does; or nothing where something is missing. */
export function sayFirstNeed(digest: Digest, language: Language): string[] {
  const [first] = findNeeds(digest);
  const { wording } = language;
  if (first === undefined) return isIncomplete(digest) ? [] : [wording.say('needs.nothing')];
  const values = { name: quoteName(first.broadcast, language), fact: sayFact(first, digest, language) };
  return [wording.say('needs.sentence', values)];
}

/** Whether an unseen broadcast has deliveries beside those of this entry, which were or may have been seen. */
export function isPart({ id, deliveries, listedDeliveries }: DigestBroadcast, { broadcasts }: Digest): boolean {
  if (listedDeliveries !== null) return listedDeliveries > deliveries.length;
  return id !== '' && broadcasts.filter((each) => each.id === id).length > 1;
}

function sayFact({ broadcast, notReached }: Need, digest: Digest, language: Language): string {
  const { wording, figures } = language;
  const { audience } = broadcast;
  const known = audience === null || audience === 0 ? null : audience;
  if (notReached !== null) {
    const values = { notReached: figures.count(notReached), audience: figures.count(known ?? 0) };
    return wording.say('needs.missed', values);
  }
  if (!isPart(broadcast, digest)) {
    return known === null ? wording.say('needs.unseen') : wording.count('needs.unseenOf', known);
  }
  const deliveries = nameDeliveries(broadcast, language);
  return known === null
    ? wording.say('needs.part', { deliveries })
    : wording.count('needs.partOf', known, { deliveries });
}

function nameDeliveries({ deliveries }: DigestBroadcast, { wording }: Language): string {
  const named = deliveries.slice(0, IDS).map((id) => showForeignText(id, 40) ?? wording.say('name.none'));
  const more = deliveries.length - IDS;
  const ids = wording.list(more > 0 ? [...named, wording.count('more.count', more)] : named);
  return wording.count('needs.deliveries', deliveries.length, { ids });
}

/** Who made it and when; since when digests have named it. */
function sayDetails({ broadcast, notReached }: Need, { period }: Digest, language: Language): string | null {
  const { wording, figures } = language;
  const { createdBy, createdAt, firstSign, unseenSince } = broadcast;
  const creator = showForeignText(createdBy, 60);
  const dated =
    notReached === null
      ? createdAt && wording.say('details.created', { date: figures.day(createdAt, period.start) })
      : firstSign && wording.say('details.firstSeen', { date: figures.day(firstSign, period.start) });
  const details = [
    creator,
    dated,
    unseenSince && wording.say('needs.since', { date: figures.beginning(unseenSince, period.kind) }),
  ].filter((detail) => detail !== null && detail !== '');
  return details.length === 0 ? null : details.join(wording.say('separator.list'));
}
