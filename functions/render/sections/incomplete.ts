import type { Digest, Gap } from '../../digest/schema.ts';
import { filterFields } from '../../domain/report-filter.ts';
import type { SectionInput } from '../input.ts';
import { capitalize } from '../texts/language.ts';
import { quoteName, sayReason } from '../texts/names.ts';

/** Whether figures of the period are not known. What else is missing changes no total, and is a note. */
export function isIncomplete({ totals, warning }: Digest): boolean {
  return warning === null && (totals.seen === null || totals.responded === null);
}

/** Whether what is missing is said first: not where the digest before named all of it. */
export function leads(digest: Digest): boolean {
  const { unavailable } = digest;
  return isIncomplete(digest) && (unavailable.length === 0 || unavailable.some(({ isNamed }) => !isNamed));
}

/** Whether not a single figure of the period is known. */
export function lacksEverything(digest: Digest): boolean {
  const deliveries = digest.broadcasts.flatMap((broadcast) => broadcast.deliveries);
  return isIncomplete(digest) && deliveries.every(({ seen, responded }) => seen === null && responded === null);
}

/** What is missing, a line for each reason; `null` where that does not lead. */
export function viewIncomplete(input: SectionInput) {
  const { digest, limits, wording } = input;
  if (!leads(digest)) return null;
  const groups = groupsOf(input);
  const unnamed = groups.slice(limits.reasons).reduce((sum, { count }) => sum + count, 0);
  return {
    heading: wording.say('incomplete.heading'),
    reasons: groups.slice(0, limits.reasons),
    notes: [
      ...(unnamed > 0 ? [wording.count('incomplete.more', unnamed)] : []),
      ...(lacksEverything(digest) ? [wording.say('incomplete.notNothing')] : []),
      // Operators hear of what could not be read, not of what services say without a date.
      ...(digest.unavailable.length > 0 ? [wording.say('incomplete.told')] : []),
    ],
  };
}

/** What is missing, in a sentence for each reason; nothing where it leads, or nothing is missing. */
export function sayGaps(input: SectionInput): string[] {
  if (leads(input.digest)) return [];
  return groupsOf(input)
    .slice(0, input.limits.reasons)
    .map(({ reason, things }) => `${reason} ${things}`);
}

function groupsOf(input: SectionInput) {
  const { digest, locale, wording } = input;
  const { unavailable } = digest.totals;
  const byReason = Map.groupBy(digest.unavailable, (gap) => sayReason(gap, input));
  const groups = [...byReason].map(([reason, gaps]) => ({ reason, gaps, things: sayThings(gaps, input) }));
  // Dates alone can make totals unknown, where every delivery was read.
  if (isIncomplete(digest) && unavailable?.reason === 'dates-unreadable') {
    groups.push({ reason: sayReason(unavailable, input), gaps: [], things: wording.say('missing.datesOfAll') });
  } else if (isIncomplete(digest) && groups.length === 0) {
    groups.push({ reason: sayReason(undefined, input), gaps: [], things: wording.say('missing.views') });
  }
  return groups.map(({ reason, gaps, things }) => ({
    reason: wording.say('incomplete.reason', { reason: capitalize(reason, locale) }),
    things: wording.say('sentence', { text: things }),
    count: gaps.length,
  }));
}

const kindsOfThings = ['delivery', 'broadcast', 'content', ...filterFields] as const;

/** Things by the names of their broadcasts, or how many there are where those are too many or not known. */
function sayThings(gaps: readonly Gap[], { limits, ...language }: SectionInput): string {
  const { wording } = language;
  const list = gaps.some(({ what }) => what === 'deliveries') ? [wording.say('missing.deliveries')] : [];
  const counted = kindsOfThings.flatMap((kind) => {
    const all = gaps.filter(({ what }) => what === kind);
    if (all.length === 0) return [];
    const names = new Set(all.map(({ broadcast }) => (broadcast === null ? '' : quoteName(broadcast, language))));
    if (names.has('') || names.size > limits.names) return [wording.count(`missing.${kind}`, all.length)];
    return [wording.say(`missing.named.${kind}`, { names: wording.list([...names]) })];
  });
  return wording.list([...list, ...counted]);
}
