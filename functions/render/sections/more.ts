import type { DigestBroadcast } from '../../domain/broadcasts/digest-broadcast.ts';
import { sumOfEngaged } from '../../domain/broadcasts/sums.ts';
import type { PluralKey } from '../../domain/wording.ts';
import type { Language } from '../texts/language.ts';
import type { Elsewhere } from './section-input.ts';

/** A sentence about so many things that are not shown, and where they are. */
export function sayElsewhere(
  sentence: string,
  count: number,
  { elsewhere }: { elsewhere: Elsewhere },
  { wording }: Language,
): string {
  if (elsewhere === 'nowhere') return sentence;
  const where = wording.count(elsewhere === 'page' ? 'more.onPage' : 'more.inFile', count);
  return [sentence, where].join(wording.say('separator.sentences'));
}

/** How many broadcasts are not shown, with their views and responses in the period; `null` where all are. */
export function sayMore(
  broadcasts: readonly DigestBroadcast[],
  key: PluralKey,
  input: { elsewhere: Elsewhere },
  language: Language,
): string | null {
  const { length: count } = broadcasts;
  if (count === 0) return null;
  const { wording } = language;
  const sum = sumOfEngaged(broadcasts.map(({ inPeriod }) => inPeriod));
  const said = wording.count(key, count);
  const sentence =
    sum === null
      ? wording.say('more.unknown', { broadcasts: said })
      : wording.say('more.sum', {
          broadcasts: said,
          views: wording.count('count.views', sum.seen),
          responses: wording.count('count.responses', sum.responded),
        });
  return sayElsewhere(sentence, count, input, language);
}
