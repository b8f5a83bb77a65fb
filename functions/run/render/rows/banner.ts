import type { Digest, Missing } from '../../../domain/digest.ts';
import { showForeignText } from '../texts/foreign-text.ts';
import type { Language } from '../texts/language.ts';
import { sayReason } from '../texts/reason.ts';

/** The most lines of the banner. What is not named is counted. */
const LINES = 5;

/** The box at the top of a digest in which something is missing. */
export interface BannerView {
  heading: string;
  lines: string[];
}

/** The banner of a digest, or `null` where nothing is missing. */
export function viewBanner({ missing, totals }: Digest, language: Language): BannerView | null {
  const { wording } = language;
  const groups = groupAlike(missing);
  const lines = groups.slice(0, LINES).map((group) => sayMissing(group, language));
  const more = groups.slice(LINES).reduce((sum, { count }) => sum + count, 0);
  if (more > 0) {
    lines.push(wording.count('missing.more', more));
  }
  if (lines.length === 0 && totals.unavailable) {
    lines.push(wording.say('missing.totals', { reason: sayReason(totals.unavailable, language) }));
  }
  return lines.length === 0 ? null : { heading: wording.say('banner.heading'), lines };
}

/** Missing things that share a line: the first of them, and how many there are. */
interface Group {
  first: Missing;
  count: number;
}

/** Content items of one delivery that lack the same thing for the same reason share a line. */
function groupAlike(missing: readonly Missing[]): Group[] {
  const groups = new Map<string, Group>();
  for (const thing of missing) {
    const { what, delivery, broadcast, reason, status } = thing;
    // A delivery that came without its broadcast's id is identified by its own.
    const key = JSON.stringify([what, what === 'broadcast' ? broadcast || delivery : delivery, reason, status]);
    const known = groups.get(key);
    groups.set(key, { first: known?.first ?? thing, count: (known?.count ?? 0) + 1 });
  }
  return [...groups.values()];
}

function sayMissing({ first, count }: Group, language: Language): string {
  const { what } = first;
  const values = { name: sayName(first, language), reason: sayReason(first, language) };
  return what === 'content' || what === 'ratings'
    ? language.wording.count(`missing.${what}`, count, values)
    : language.wording.say(`missing.${what}`, values);
}

function sayName({ name, delivery, broadcast }: Missing, { wording }: Language): string {
  const shown = showForeignText(name);
  if (shown !== null) {
    return wording.say('name.quoted', { name: shown });
  }
  const id = showForeignText(delivery ?? broadcast, 40);
  return id === null ? wording.say('name.none') : wording.say(delivery ? 'name.delivery' : 'name.broadcast', { id });
}
