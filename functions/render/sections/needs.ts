import type { DigestBroadcast, Digest, Need } from '../../domain/digest.ts';
import type { SectionInput } from '../input.ts';
import { capitalize, joinFacts } from '../texts/language.ts';
import { linkOf, quoteName, showName } from '../texts/names.ts';
import { sayOfAudience } from './figures.ts';
import { isIncomplete } from './incomplete.ts';
import { sayAge } from './at-age.ts';

/** What needs somebody, with the entry of its broadcast. */
type ShownNeed = Need & { broadcast: DigestBroadcast };

/** What needs somebody, in the digest's order. */
export function findNeeds({ needs, broadcasts }: Digest): ShownNeed[] {
  const byDelivery = new Map(broadcasts.flatMap((broadcast) => broadcast.deliveries.map((id) => [id, broadcast])));
  return needs.flatMap((need) => {
    const broadcast = byDelivery.get(need.deliveries[0] ?? '');
    return broadcast === undefined ? [] : { ...need, broadcast };
  });
}

/** The box of what needs somebody, or one line on how much could be judged; `null` where nothing could, or something is missing. */
export function viewNeeds(input: SectionInput) {
  const { digest, limits, wording } = input;
  const needs = findNeeds(digest);
  if (needs.length === 0) {
    const judged = isIncomplete(digest) ? null : sayJudged(input);
    return judged === null ? null : { heading: judged, needs: [], column: null, more: null };
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
    more: more > 0 ? wording.count(`needs.more.${whereRest(input)}`, more) : null,
  };
}

/** Where the rest is: on the page, in a file, or nowhere. */
function whereRest({ page, files, digest: { warning } }: SectionInput): 'page' | 'file' | 'nowhere' {
  if (warning !== undefined) return 'nowhere';
  return page ? 'page' : files === 'attached' ? 'file' : 'nowhere';
}

/** That nothing needs somebody, as far as that could be judged; `null` where nothing was due or could be. */
function sayJudged({ digest: { judged }, wording, figures }: SectionInput): string | null {
  if (judged.deliveries === 0) return null;
  if (judged.deliveries === judged.of) return wording.say('needs.nothing');
  return wording.count('needs.judged', judged.deliveries, { due: figures.count(judged.of) });
}

/** How many saw the first thing that needs somebody, in a sentence; nothing where nothing does. */
export function sayFirstNeed(input: SectionInput): string[] {
  const { digest, wording } = input;
  const [first] = findNeeds(digest);
  if (first === undefined) return [];
  const part = sayPart(first, input);
  const seen = saySeen(first, input) + (part === null ? '' : ` (${part})`);
  return [wording.say('needs.sentence', { name: quoteName(first.broadcast, input), said: seen })];
}

/** How many saw it: "36 of 93 saw it", "none of 68 has seen it". */
function saySeen({ seen, audience }: Pick<Need, 'seen' | 'audience'>, { wording, figures }: SectionInput): string {
  if (audience === null) return seen === 0 ? wording.say('needs.unseen') : wording.count('needs.seen', seen);
  return seen === 0
    ? wording.count('needs.unseenOf', audience)
    : wording.count('needs.seenOf', seen, { audience: figures.count(audience) });
}

/** What is to be done, and what is usual. It names nobody: who made a broadcast stands on the page alone. */
export function sayAdvice(need: ShownNeed, input: SectionInput): string {
  const { wording, figures } = input;
  const { usual } = need;
  const sentences = [sayToDo(need, input)];
  if (usual !== null) {
    const age = sayAge(usual.hours, wording);
    sentences.unshift(wording.say('needs.usual', { usual: figures.rate(usual.share), age }));
  }
  return [...sentences, ...sayLastWarning(need, input)].join(wording.say('separator.sentences'));
}

/** How many are to be reminded, where that is known. */
function sayToDo({ reason, seen, audience, untouched }: ShownNeed, { wording }: SectionInput): string {
  if (reason === 'unseen') return wording.say('needs.askSent');
  if (untouched === null) return wording.say('needs.remindOthers');
  // Some have responded and not seen it.
  return wording.count(untouched === (audience ?? 0) - seen ? 'needs.remind' : 'needs.remindSilent', untouched);
}

/** The last warning of some of its deliveries, and how many have seen those since; nothing where there was none. */
function sayLastWarning({ deliveries: ids }: ShownNeed, { digest, wording, figures }: SectionInput): string[] {
  const named = digest.deliveries.filter(({ id }) => ids.includes(id));
  const warnings = named.flatMap(({ seen, lastWarning }) =>
    lastWarning === undefined ? [] : [{ ...lastWarning, now: seen ?? 0 }],
  );
  const latest = warnings.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at)).at(-1);
  if (latest === undefined) return [];
  const date = figures.day(latest.at, digest.period.start);
  const since = warnings.reduce((sum, { now, seen }) => sum + Math.max(0, now - seen), 0);
  return [since === 0 ? wording.say('needs.warningNobody', { date }) : wording.count('needs.warning', since, { date })];
}

/** That the counts are those of one of several deliveries; `null` where there is one. */
function sayPart({ broadcast, deliveries, listedDeliveries }: ShownNeed, input: SectionInput): string | null {
  const { digest, wording, figures } = input;
  if (listedDeliveries < 2) return null;
  const part = wording.count('needs.part', listedDeliveries, { part: figures.count(1) });
  const { firstSign } = digest.deliveries.find(({ id }) => id === deliveries[0]) ?? broadcast;
  const date = firstSign === null ? null : figures.day(firstSign, digest.period.start);
  return joinFacts([part, date && wording.say('details.firstSeen', { date })], wording.say('separator.list'));
}

/** What was named last time, or warned of since, and has moved: what it had then and has now; `null` where nothing has. */
export function viewSince(input: SectionInput) {
  const { digest, limits, wording } = input;
  const deliveries = new Map(digest.deliveries.map((delivery) => [delivery.id, delivery]));
  const lines = digest.since.slice(0, limits.since).flatMap(({ delivery, ...then }) => {
    const now = deliveries.get(delivery);
    if (now === undefined) return [];
    const counts = { before: sayOfAudience(then, input), now: sayOfAudience(now, input) };
    return [wording.say('since.line', { name: quoteName(now.broadcast, input), ...counts })];
  });
  return lines.length === 0 ? null : { heading: wording.say('since.heading'), lines };
}
