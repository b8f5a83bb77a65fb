import type { Digest, Missing } from '../../domain/digest.ts';
import { filterFields } from '../../domain/report-filter.ts';
import type { SectionInput } from '../input.ts';
import { capitalize } from '../texts/language.ts';
import { quoteName, sayReason } from '../texts/names.ts';

/** Whether anything is missing from a digest. */
export function isIncomplete({ missing }: Digest): boolean {
  return missing.length > 0;
}

/** Whether not a single figure of a digest is known. */
export function lacksEverything({ missing, totals, deliveries }: Digest): boolean {
  return missing.length > 0 && totals.seen === null && deliveries.every(({ responded }) => responded === null);
}

/** That there are no figures at all, and why. */
export function sayNothingKnown({ digest, wording, figures, locale }: SectionInput): string {
  const { missing, period } = digest;
  const reason = sayReason(missing.find(({ what }) => what === 'deliveries') ?? missing[0], { wording });
  return capitalize(wording.say('incomplete.nothing', { period: figures.period(period, 'long'), reason }), locale);
}

/** What is missing, a line for each reason; `null` where nothing is. */
export function viewIncomplete(input: SectionInput) {
  const { digest, limits, locale, wording } = input;
  if (!isIncomplete(digest)) return null;
  const reasons = [...Map.groupBy(digest.missing, (thing) => sayReason(thing, input))];
  const unnamed = reasons.slice(limits.reasons).reduce((sum, [, things]) => sum + things.length, 0);
  return {
    heading: wording.say('incomplete.heading'),
    reasons: reasons.slice(0, limits.reasons).map(([reason, things]) => ({
      reason: wording.say('incomplete.reason', { reason: capitalize(reason, locale) }),
      things: wording.say('incomplete.things', { things: sayThings(things, input) }),
    })),
    notes: [
      ...(unnamed > 0 ? [wording.count('incomplete.more', unnamed)] : []),
      ...(digest.totals.seen === null && !lacksEverything(digest) ? [wording.say('incomplete.totals')] : []),
    ],
  };
}

/** What is missing for the first reason, in a sentence; nothing where nothing is. */
export function sayMissing(input: SectionInput): string[] {
  const [{ reason, things } = { reason: '', things: '' }] = viewIncomplete(input)?.reasons ?? [];
  return reason === '' ? [] : [`${reason} ${things}`];
}

const kindsOfThings = ['delivery', 'broadcast', 'content', 'ratings', ...filterFields] as const;

/** Things by the names of their broadcasts, or how many there are where those are too many or not known. */
function sayThings(things: readonly Missing[], input: SectionInput): string {
  const { limits, wording } = input;
  const ofAll = things.filter(({ what }) => what === 'deliveries');
  const list = ofAll.map(({ reason }) =>
    wording.say(reason === 'dates-unreadable' ? 'missing.datesOfAll' : 'missing.deliveries'),
  );
  const counted = kindsOfThings.flatMap((kind) => {
    const all = things.filter(({ what }) => what === kind);
    if (all.length === 0) return [];
    const names = [...new Set(all.map(({ name }) => (name === undefined ? '' : quoteName({ name }, input))))];
    if (names.includes('') || names.length > limits.names) return [wording.count(`missing.${kind}`, all.length)];
    return [wording.say(`missing.named.${kind}`, { names: wording.list(names) })];
  });
  return wording.list([...list, ...counted]);
}
