import type { DigestBroadcast } from '../../domain/digest.ts';
import { addUp, figuresOf } from '../../domain/figures.ts';
import type { SectionInput } from '../input.ts';
import { joinFacts } from '../texts/language.ts';

/** How many broadcasts are not shown, with their views and responses in the period; `null` where all are. */
export function sayMore(
  broadcasts: readonly DigestBroadcast[],
  key: 'more.broadcasts' | 'more.older',
  { digest, wording }: SectionInput,
): string | null {
  if (broadcasts.length === 0) return null;
  const asks = broadcasts.every((broadcast) => broadcast.asks === false) ? false : null;
  const { seen = null, responded = null } = figuresOf({ ...addUp(broadcasts), asks }, digest).inPeriod ?? {};
  const counted = wording.count(key, broadcasts.length);
  const sums = joinFacts(
    [
      seen === null ? null : wording.count('count.views', seen),
      responded === null ? null : wording.count('count.responses', responded),
    ],
    wording.say('separator.list'),
  );
  return sums === null ? counted : wording.say('more.sum', { broadcasts: counted, sums });
}
