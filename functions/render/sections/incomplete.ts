import type { Digest, Missing } from '../../domain/digest.ts';
import type { Limits } from '../limits.ts';
import type { Language } from '../texts/language.ts';
import { quoteName } from '../texts/names.ts';
import { sayReason } from '../texts/reason.ts';

/** The box under the verdict of a digest in which something is missing. */
export interface IncompleteView {
  heading: string;
  lines: string[];
}

/** Whether anything is missing from a digest. */
export function isIncomplete({ missing }: Digest): boolean {
  return missing.length > 0;
}

/** What is missing, a line for each reason; `null` where nothing is. */
export function viewIncomplete(digest: Digest, limits: Limits, language: Language): IncompleteView | null {
  if (!isIncomplete(digest)) return null;
  const { wording } = language;
  const reasons = [...Map.groupBy(digest.missing, (thing) => sayReason(thing, language))];
  const unnamed = reasons.slice(limits.reasons).reduce((sum, [, things]) => sum + things.length, 0);
  return {
    heading: wording.say('incomplete.heading'),
    lines: [
      ...reasons.slice(0, limits.reasons).map(([reason, things]) => sayThings(things, reason, limits, language)),
      ...(unnamed > 0 ? [wording.count('incomplete.more', unnamed)] : []),
      ...(digest.totals.seen === null ? [wording.say('incomplete.totals')] : []),
    ],
  };
}

const kindsOfThings = ['delivery', 'broadcast', 'content', 'ratings'] as const;

function sayThings(things: readonly Missing[], reason: string, limits: Limits, language: Language): string {
  const { wording, locale } = language;
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
  const names = new Set(things.flatMap(({ name }) => (name === undefined ? [] : quoteName({ name }, language))));
  return names.size === 0 || names.size > limits.names
    ? wording.say('incomplete.line', { things: capital, reason })
    : wording.say('incomplete.named', { things: capital, names: wording.list([...names]), reason });
}
