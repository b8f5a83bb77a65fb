import type { Need } from '../../digest/schema.ts';
import type { SectionInput } from '../input.ts';
import { linkOf, quoteDated, quoteName, sayDateOf } from '../texts/names.ts';
import { sayOfAudience } from './counts.ts';
import { sayPart } from './needs.ts';

/** What the last digest named: what is as it was, a line for each reason, and what is otherwise now; `null` where it named nothing. */
export function viewSince(input: SectionInput) {
  const { digest, limits, wording } = input;
  const lines = digest.since.slice(0, limits.since).map((entry) => saySince(entry, input));
  const more = digest.since.length - lines.length;
  const still = digest.warning === null ? viewStill(input) : [];
  if (still.length + lines.length === 0) return null;
  return {
    still,
    lead: wording.say('since.lead'),
    lines: more > 0 ? [...lines, wording.count('since.more', more)] : lines,
  };
}

function viewStill(input: SectionInput) {
  const { digest, limits, wording, page } = input;
  const still = digest.needs.filter(({ timesNamed }) => timesNamed > 0);
  const shown = still.slice(0, limits.still);
  return (['unseen', 'too-few'] as const).flatMap((reason) => {
    const isOf = (need: Need): boolean => need.reason === reason;
    const names = shown.filter(isOf).map((need, place) => viewName(need, place, input));
    const more = still.filter(isOf).length - names.length;
    const before = names.length === 0 ? '' : ' ';
    if (more > 0) names.push({ before, name: wording.count('still.more', more), link: page || null, rest: '' });
    return names.length === 0 ? [] : [{ lead: wording.say(`still.${reason}`), names }];
  });
}

/** A name with what stands before it, and what follows: the date where another has that name, and the counts. */
function viewName(need: Need, place: number, input: SectionInput) {
  const { wording } = input;
  const { isLastMention } = need;
  const count = wording.say(isLastMention ? 'still.lastCount' : 'still.count', { count: sayOfAudience(need, input) });
  return {
    before: place === 0 ? '' : wording.say('separator.list'),
    name: quoteName(need.broadcast, input),
    link: linkOf(need, input),
    rest: [sayDateOf(need, input), count, sayPart(need, 'inPart', input)].filter(Boolean).join(' '),
  };
}

/** "“Members’ choice” had 36 of 93 then, 52 now." */
function saySince(entry: SectionInput['digest']['since'][number], input: SectionInput): string {
  const { before, now } = entry;
  const { wording } = input;
  const values = {
    name: [quoteDated(entry, input), sayPart(entry, 'inPart', input)].filter(Boolean).join(' '),
    before: sayOfAudience(before, input),
  };
  if (now === null) return wording.say('since.gone', values);
  // Where some responded and nobody more saw it, the counts that stand here are the same.
  const audience = now.audience === before.audience ? null : now.audience;
  return wording.say('since.line', { ...values, now: sayOfAudience({ seen: now.seen, audience }, input) });
}
