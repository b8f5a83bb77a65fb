import type { BroadcastContent, DigestBroadcast } from '../../domain/digest.ts';
import { figuresOf } from '../../domain/figures.ts';
import type { SectionInput } from '../input.ts';
import type { Language } from '../texts/language.ts';
import { sayReason, showType } from '../texts/names.ts';
import { viewTable, wholeOf, type Scale } from './figures.ts';

/**
 * The content items of a broadcast that has several, a row each in the author's order with a bar on the scale of the broadcast's
 * own, so that it shows where people stop; and what is not available or not shown of them.
 */
export function viewItems(
  broadcast: DigestBroadcast,
  { scale, isShown }: { scale: Scale; isShown: boolean },
  input: SectionInput,
): { items: ReturnType<typeof viewRows> | null; notes: string[] } {
  const { contents, seen } = broadcast;
  const { limits, wording } = input;
  if (contents === null) {
    const reason = sayReason(whyWithoutItems(broadcast, input), input);
    return { items: null, notes: seen === null ? [] : [wording.say('items.none', { reason })] };
  }
  const counted = contents.flatMap((item, index) =>
    item.seen === null && item.responded === null ? [] : [{ item, number: index + 1 }],
  );
  const shown = isShown && contents.length > 1 ? counted.slice(0, limits.items) : [];
  const [only] = contents.length === 1 ? contents : [];
  const mean = only === undefined ? null : sayMean(only, input);
  const more = contents.length > 1 && isShown ? counted.length - shown.length : 0;
  return {
    items: shown.length === 0 ? null : viewRows(shown, { broadcast, scale }, input),
    notes: [
      ...(mean === null ? [] : [wording.say('ratings.line', { mean })]),
      ...sayUnavailable(contents, input),
      ...(more > 0 ? [wording.count('items.more', more)] : []),
    ],
  };
}

/** Why the content items of a broadcast are not known. */
export function whyWithoutItems({ id, unavailable }: DigestBroadcast, { digest }: SectionInput) {
  return digest.missing.find(({ what, broadcast }) => what === 'broadcast' && broadcast === id) ?? unavailable;
}

function viewRows(
  shown: ReadonlyArray<{ item: BroadcastContent; number: number }>,
  { broadcast, scale }: { broadcast: DigestBroadcast; scale: Scale },
  input: SectionInput,
) {
  const whole = wholeOf(figuresOf(broadcast, input.digest), scale);
  const rows = shown.map(({ item, number }) => ({
    name: nameItem(item, number, input),
    detail: sayMean(item, input),
    figures: figuresOf({ ...item, asks: broadcast.asks }, input.digest),
  }));
  return viewTable(input.wording.say('column.item'), 'people', { rows, scale, whole }, input);
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
