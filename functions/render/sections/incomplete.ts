import type { Digest, Missing } from '../../domain/digest.ts';
import type { SectionInput } from '../input.ts';
import { quoteName, sayReason } from '../texts/names.ts';

/** Whether anything is missing from a digest. */
export function isIncomplete({ missing }: Digest): boolean {
  return missing.length > 0;
}

/** The box under the verdict: what is missing, a line for each reason; `null` where nothing is. */
export function viewIncomplete(input: SectionInput): { heading: string; lines: string[] } | null {
  const { digest, limits, wording } = input;
  if (!isIncomplete(digest)) return null;
  const reasons = [...Map.groupBy(digest.missing, (thing) => sayReason(thing, input))];
  const unnamed = reasons.slice(limits.reasons).reduce((sum, [, things]) => sum + things.length, 0);
  return {
    heading: wording.say('incomplete.heading'),
    lines: [
      ...reasons.slice(0, limits.reasons).map(([reason, things]) => sayThings(things, reason, input)),
      ...(unnamed > 0 ? [wording.count('incomplete.more', unnamed)] : []),
      ...(digest.totals.seen === null ? [wording.say('incomplete.totals')] : []),
    ],
  };
}

const kindsOfThings = ['delivery', 'broadcast', 'content', 'ratings'] as const;

function sayThings(things: readonly Missing[], reason: string, input: SectionInput): string {
  const { limits, wording, locale } = input;
  const counted = kindsOfThings.flatMap((kind) => {
    const count = things.filter(({ what }) => what === kind).length;
    return count === 0 ? [] : [wording.count(`missing.${kind}`, count)];
  });
  const ofAll = things.filter(({ what }) => what === 'deliveries');
  const list = ofAll.map((thing) =>
    wording.say(thing.reason === 'dates-unreadable' ? 'missing.datesOfAll' : 'missing.deliveries'),
  );
  const said = wording.list([...list, ...counted]);
  const capital = said.slice(0, 1).toLocaleUpperCase(locale) + said.slice(1);
  const names = new Set(things.flatMap(({ name }) => (name === undefined ? [] : quoteName({ name }, input))));
  return names.size === 0 || names.size > limits.names
    ? wording.say('incomplete.line', { things: capital, reason })
    : wording.say('incomplete.named', { things: capital, names: wording.list([...names]), reason });
}
