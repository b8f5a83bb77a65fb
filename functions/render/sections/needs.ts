import type { DigestBroadcast, Digest, DigestDelivery } from '../../domain/digest.ts';
import { figuresOf } from '../../domain/figures.ts';
import { sumOf } from '../../domain/sums.ts';
import type { SectionInput } from '../input.ts';
import { showForeignText } from '../texts/foreign-text.ts';
import { capitalize, joinFacts } from '../texts/language.ts';
import { linkOf, quoteName, showName } from '../texts/names.ts';
import { sayOfAudience } from './figures.ts';
import { isIncomplete } from './incomplete.ts';
import { sayAge, shareOfUsual } from './verdict.ts';

/** A broadcast needs somebody where it did not reach at least so many people. */
const NOT_REACHED = 10;
/** With so much of its usual, or less, a broadcast needs somebody: where its audience is known, and where it is not. */
const LOW = { share: 0.75, count: 0.5 };

/** A broadcast that needs somebody: nobody has seen it, or too few of those whom it is for. */
export interface Need {
  broadcast: DigestBroadcast;
  /** Of the deliveries that this digest judges. */
  deliveries: readonly DigestDelivery[];
  seen: number;
  /** `null` where it is not known how many people it is for. */
  audience: number | null;
}

/** What needs somebody: first what has not reached most people, and last what is for nobody knows how many. */
export function findNeeds(digest: Digest): Need[] {
  const { broadcasts, deliveries, minimumGroup } = digest;
  const judged = new Map(deliveries.filter(({ judged }) => judged).map((delivery) => [delivery.id, delivery]));
  return broadcasts
    .flatMap((broadcast) => {
      const own = broadcast.deliveries.flatMap((id) => judged.get(id) ?? []);
      const figures = own.map((delivery) => figuresOf(delivery, digest));
      const seen = sumOf(figures.map((each) => each.seen));
      if (own.length === 0 || seen === null) return [];
      const need = { broadcast, deliveries: own, seen, audience: sumOf(figures.map(({ audience }) => audience)) };
      const isSmall = need.audience !== null && need.audience < minimumGroup;
      return !isSmall && needsSomebody(need) ? [need] : [];
    })
    .toSorted((one, other) => notReached(other) - notReached(one));
}

function notReached({ seen, audience }: Need): number {
  return audience === null ? -1 : audience - seen;
}

/** What is usual decides, where it is known: a place where little is usual is not accused again and again. */
function needsSomebody({ broadcast, seen, audience }: Need): boolean {
  if (broadcast.kind === 'silent') return true;
  const { usual = null } = broadcast.atAge ?? {};
  if (audience !== null && audience - seen < NOT_REACHED) return false;
  if (usual === null) return audience !== null && seen * 2 < audience;
  // Of an older broadcast only those deliveries are compared that this digest judges.
  const share = shareOfUsual(broadcast.kind === 'active' ? { ...broadcast, audience } : broadcast);
  return share !== null && share <= (usual.share === null ? LOW.count : LOW.share);
}

/** The box of what needs somebody, or one line that nothing does; `null` where something is missing or of unknown date. */
export function viewNeeds(input: SectionInput) {
  const { digest, limits, wording } = input;
  const needs = findNeeds(digest);
  if (needs.length === 0) {
    const isKnown = !isIncomplete(digest) && digest.unknownDate === 0;
    return isKnown ? { heading: wording.say('needs.nothing'), needs: [], column: null, more: null } : null;
  }
  const more = needs.length - limits.needs;
  return {
    heading: wording.say('needs.heading'),
    column: wording.say('column.people.seen'),
    needs: needs.slice(0, limits.needs).map((need) => ({
      name: showName(need.broadcast, input),
      link: linkOf(need.broadcast, input),
      part: sayPart(need, input),
      count: sayOfAudience(need, input),
      /** The same in words, for the text part. */
      seen: capitalize(saySeen(need, input), input.locale),
      advice: sayAdvice(need, input),
    })),
    more: more > 0 ? wording.count(input.page ? 'needs.moreInReport' : 'needs.more', more) : null,
  };
}

/** How many saw the first thing that needs somebody, in a sentence; nothing where nothing does. */
export function sayFirstNeed(input: SectionInput): string[] {
  const { digest, wording } = input;
  const [first] = findNeeds(digest);
  if (first === undefined) return [];
  const part = sayPart(first, input);
  const said = saySeen(first, input) + (part === null ? '' : ` (${part})`);
  return [wording.say('needs.sentence', { name: quoteName(first.broadcast, input), said })];
}

/** How many saw it: "36 of 93 saw it", "none of 68 has seen it". */
export function saySeen(
  { seen, audience }: Pick<Need, 'seen' | 'audience'>,
  { wording, figures }: SectionInput,
): string {
  if (audience === null) return seen === 0 ? wording.say('needs.unseen') : wording.count('needs.seen', seen);
  return seen === 0
    ? wording.count('needs.unseenOf', audience)
    : wording.count('needs.seenOf', seen, { audience: figures.count(audience) });
}

/** What is to be done, and who is to be asked; what is usual, and how often it was named. */
export function sayAdvice(need: Need, input: SectionInput): string {
  const { digest, wording, figures } = input;
  const { broadcast, seen, audience } = need;
  const { createdBy, timesNamed, atAge } = broadcast;
  const isUnseen = broadcast.kind === 'silent';
  const said = [sayToDo({ createdBy, isUnseen, seen, audience }, input)];
  if (!isUnseen && atAge?.usual) {
    const { seen: count, share } = atAge.usual;
    const usual = share === null ? figures.count(Math.round(count)) : figures.rate(share);
    said.push(wording.say('needs.usual', { usual, age: sayAge(atAge.hours, wording) }));
  }
  const nth = wording.say(`ordinal.${timesNamed > 2 ? 4 : timesNamed > 1 ? 3 : 2}`);
  if (isUnseen && timesNamed > 0) said.push(wording.say(`needs.again.${digest.period.kind}`, { nth }));
  else said.push(...sayWarned(need, input));
  return said.join(wording.say('separator.sentences'));
}

/** How many are to be reminded, where that is known; else who is to be asked. */
export function sayToDo(
  of: { createdBy: string | null; isUnseen: boolean; seen: number; audience: number | null },
  { wording }: SectionInput,
): string {
  const { isUnseen, seen, audience } = of;
  if (!isUnseen && audience !== null) return wording.count('needs.remind', audience - seen);
  const creator = showForeignText(of.createdBy, 60);
  if (creator === null) return wording.say(isUnseen ? 'needs.findOut' : 'needs.sendReminder');
  return wording.say(isUnseen ? 'needs.askSent' : 'needs.askReminder', { creator });
}

/** When the report last warned of some of its deliveries, and how many have seen those since; nothing where it did not. */
function sayWarned({ deliveries }: Need, { digest, wording, figures }: SectionInput): string[] {
  const warned = deliveries.flatMap(({ seen, warned }) =>
    warned === undefined ? [] : [{ ...warned, now: seen ?? 0 }],
  );
  const latest = warned.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at)).at(-1);
  if (latest === undefined) return [];
  const date = figures.day(latest.at, digest.period.start);
  const since = warned.reduce((sum, { now, seen }) => sum + Math.max(0, now - seen), 0);
  return [since === 0 ? wording.say('needs.warnedNobody', { date }) : wording.count('needs.warned', since, { date })];
}

/** Which of its deliveries are meant, where that is not all of them. */
function sayPart({ broadcast, deliveries }: Need, { digest, wording, figures }: SectionInput): string | null {
  // Of what was seen, the others have entries of their own.
  const all = broadcast.kind === 'silent' ? broadcast.listedDeliveries : broadcast.deliveries.length;
  if (deliveries.length === all) return null;
  const part = wording.count('needs.part', all, { part: figures.count(deliveries.length) });
  const signs = deliveries.flatMap(({ firstSign }) => firstSign ?? []).toSorted();
  const date = signs[0] === undefined ? null : figures.day(signs[0], digest.period.start);
  return joinFacts([part, date && wording.say('details.firstSeen', { date })], wording.say('separator.list'));
}
