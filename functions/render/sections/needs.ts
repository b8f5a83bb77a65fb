import { ratioOf } from '../../digest/figures.ts';
import type { Digest, Need } from '../../digest/schema.ts';
import type { SectionInput } from '../input.ts';
import { lastInstant } from '../texts/language.ts';
import { linkOf, quoteDated, sayDateOf, showName } from '../texts/names.ts';
import { viewShare } from './bars.ts';
import { sayOfAudience } from './counts.ts';

/** What is newly low or unseen, in the digest's order; of a warning all. */
export function newNeeds({ needs, warning }: Digest): Need[] {
  return needs.filter(({ timesNamed }) => timesNamed === 0 || warning !== null);
}

/** The boxes of what needs somebody, and the sentence of a season; `null` where nothing newly does. */
export function viewNeeds(input: SectionInput) {
  const { digest, limits, wording, countIfAny } = input;
  const needs = newNeeds(digest);
  if (needs.length === 0 && digest.season === null) return null;
  return {
    heading: wording.say('needs.heading'),
    season: saySeason(input),
    boxes: needs.slice(0, limits.needs).map((need) => {
      const share = need.reason === 'too-few' ? ratioOf(need.seen, need.audience) : null;
      return {
        name: showName(need.broadcast, input),
        date: sayDateOf(need, input),
        link: linkOf(need, input),
        count: sayCount(need, input),
        bar: share === null ? null : viewShare(share, need.usual),
        /** With the mark of the bar, and for texts without one. */
        advice: sayAdvice(need, 'needs.mark', input),
        said: sayAdvice(need, 'needs.usual', input),
      };
    }),
    more: countIfAny(`needs.more.${whereRest(input)}`, needs.length - limits.needs),
  };
}

/** "36 of 93", or "12 saw it". */
function sayCount(need: Need, input: SectionInput): string {
  const { seen, audience } = need;
  return seen !== null && audience === null ? input.wording.count('count.seen', seen) : sayOfAudience(need, input);
}

/** Of how many of its deliveries something is said; `null` where it is of all. */
export function sayPart(
  { deliveries, ofDeliveries }: Pick<Need, 'deliveries' | 'ofDeliveries'>,
  key: 'inPart' | 'needs.part' | 'needs.checkPart',
  { wording, figures }: SectionInput,
): string | null {
  if (deliveries.length === ofDeliveries) return null;
  return wording.count(key, ofDeliveries, { part: figures.count(deliveries.length) });
}

/** Where the rest is: on the page, in a file, or nowhere. */
function whereRest({ page, files, digest: { warning } }: SectionInput): 'page' | 'file' | 'nowhere' {
  if (warning !== null) return 'nowhere';
  return page ? 'page' : files === 'attached' ? 'file' : 'nowhere';
}

/** That most of what was judged is low; `null` where it is not. */
function saySeason({ digest: { season }, wording, figures }: SectionInput): string | null {
  if (season === null) return null;
  const { deliveries, judged, reached, audience, usual } = season;
  const counts = { seen: figures.count(reached), audience: figures.count(audience) };
  const values = {
    low: figures.count(deliveries),
    reached: wording.say('seenOf.rate', { ...counts, rate: figures.rate(reached / Math.max(1, audience)) }),
  };
  if (usual === null) return wording.count('needs.seasonFew', judged, values);
  return wording.count('needs.season', judged, { ...values, usual: figures.rate(usual) });
}

/** How many saw the first thing that needs somebody, and what is to be done, in sentences; `null` where nothing does. */
export function sayFirstNeed(input: SectionInput): string | null {
  const { digest, wording } = input;
  const [first] = newNeeds(digest);
  if (first === undefined) return saySeason(input);
  return wording.say('needs.sentence', {
    name: quoteDated(first, input),
    count: sayCount(first, input),
    advice: sayAdvice(first, 'needs.usual', input),
  });
}

/** What is usual, and what is to be done. It names nobody. */
function sayAdvice(need: Need, usual: 'needs.mark' | 'needs.usual', input: SectionInput): string {
  const before = need.reason === 'unseen' ? [] : [sayPart(need, 'needs.part', input), sayUsual(need, usual, input)];
  return input.join([...before, sayToDo(need, input)], 'sentences');
}

function sayUsual(need: Need, key: 'needs.mark' | 'needs.usual', { digest, wording, figures }: SectionInput) {
  const { seen, audience, usual, fewest } = need;
  if (fewest !== null) return wording.count('needs.fewest', fewest);
  const share = ratioOf(seen, audience);
  if (share === null) return null;
  const values = {
    share: figures.rate(share),
    date: figures.day(lastInstant(digest.period.end), digest.period.start),
  };
  if (usual === null) return wording.say('needs.share', values);
  return wording.say(key, { ...values, usual: figures.rate(usual) });
}

function sayToDo(need: Need, input: SectionInput): string {
  const { wording } = input;
  const { reason, seen, reached, toRemind } = need;
  if (reason === 'unseen') return sayPart(need, 'needs.checkPart', input) ?? wording.say('needs.check');
  if (toRemind === null) return wording.say('needs.remindOthers');
  // Some have responded and not seen it.
  return wording.count(reached === seen ? 'needs.remind' : 'needs.remindSilent', toRemind);
}
