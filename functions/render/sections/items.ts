import type { BroadcastContent, DigestBroadcast } from '../../domain/digest.ts';
import { figuresOf } from '../../domain/figures.ts';
import type { SectionInput } from '../input.ts';
import type { Language } from '../texts/language.ts';
import { sayReason, showType } from '../texts/names.ts';

/** Why the content items of a broadcast are not known. */
export function whyWithoutItems({ id, unavailable }: DigestBroadcast, { digest }: SectionInput) {
  return digest.missing.find(({ what, broadcast }) => what === 'broadcast' && broadcast === id) ?? unavailable;
}

/** A content item by its place among those of its broadcast, from 1, and its type: "4 Poll". */
export function nameItem({ type }: { type: string }, number: number, language: Language): string {
  const { wording, figures } = language;
  return wording.say('item.name', { number: figures.count(number), type: showType(type, language) });
}

/** The mean of an item's ratings and how many there are: "mean 3.6 from 14"; `null` where nobody rated it. */
export function sayMean(item: BroadcastContent, { digest, wording, figures: formats }: SectionInput): string | null {
  const { ratings, mean } = figuresOf(item, digest);
  if (ratings === null) return null;
  return mean === null
    ? wording.count('ratings.count', ratings)
    : wording.count('ratings.mean', ratings, { mean: formats.mean(mean) });
}

/** Items that are not available, a line for each reason. */
export function sayUnavailable(contents: readonly BroadcastContent[], language: Language): string[] {
  const lacking = contents.filter(({ seen }) => seen === null);
  const byReason = Map.groupBy(lacking, ({ unavailable }) => sayReason(unavailable, language));
  return [...byReason].map(([reason, items]) => language.wording.count('items.unavailable', items.length, { reason }));
}
