import type { DigestBroadcast } from '../../domain/broadcasts/digest-broadcast.ts';
import { sumOfEngaged } from '../../domain/broadcasts/sums.ts';
import type { PluralKey } from '../../domain/wording.ts';
import type { Language } from '../texts/language.ts';

/** A sentence about so many things that are not shown, and that they are in the file where there is one. */
export function sayInFile(
  sentence: string,
  count: number,
  { attached }: { attached: boolean },
  { wording }: Language,
): string {
  return attached ? [sentence, wording.count('more.inFile', count)].join(wording.say('separator.sentences')) : sentence;
}

/** How many broadcasts are not shown, with their views and responses in the period; `null` where all are. */
export function sayMore(
  broadcasts: readonly DigestBroadcast[],
  key: PluralKey,
  { attached }: { attached: boolean },
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
  return sayInFile(sentence, count, { attached }, language);
}
