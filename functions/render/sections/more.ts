import type { DigestBroadcast } from '../../domain/digest.ts';
import { addUp, figuresOf } from '../../domain/figures.ts';
import type { SectionInput } from '../input.ts';
import { sayViewsAndResponses } from './figures.ts';

/** How many broadcasts are not shown, with their views and responses in the period; `null` where all are. */
export function sayMore(
  broadcasts: readonly DigestBroadcast[],
  key: 'more.broadcasts' | 'more.older',
  input: SectionInput,
): string | null {
  if (broadcasts.length === 0) return null;
  const asks = broadcasts.every((broadcast) => broadcast.asks === false) ? false : null;
  const { inPeriod } = figuresOf({ ...addUp(broadcasts), asks }, input.digest);
  const counted = input.wording.count(key, broadcasts.length);
  const sums = inPeriod && sayViewsAndResponses(inPeriod, input);
  return sums === null ? counted : input.wording.say('more.sum', { broadcasts: counted, sums });
}
