import type { DigestBroadcast } from '../../domain/digest.ts';
import type { Language } from '../texts/language.ts';

/** An age in words: "6 hours", "2 days". */
export function sayAge(hours: number, wording: Language['wording']): string {
  return hours < 24 ? wording.count('age.hours', hours) : wording.count('age.days', hours / 24);
}

/** "41 views after 2 days; the last 4 had 92 to 110", or "95 each"; `null` where earlier editions say nothing. */
export function sayEarlierViews(
  { atAge }: Pick<DigestBroadcast, 'atAge'>,
  { wording, figures }: Language,
): string | null {
  if (atAge?.earlier == null) return null;
  const { fewest, most, editions } = atAge.earlier;
  return wording.count(fewest === most ? 'earlier.same' : 'earlier.views', editions.length, {
    views: wording.count('count.views', atAge.seen),
    age: sayAge(atAge.hours, wording),
    fewest: figures.count(fewest),
    most: figures.count(most),
  });
}
