import type { DigestBroadcast } from '../../domain/digest.ts';
import { sumOfEngaged } from '../../domain/broadcasts.ts';
import type { PluralKey } from '../../domain/wording.ts';
import { pageLimits, type SectionInput } from '../input.ts';

/** A sentence about so many things that are not shown, and where they are. Of very many a page has only the first. */
export function sayElsewhere(
  sentence: string,
  { count, onPage = 0 }: { count: number; onPage?: number },
  { hasPage, hasFile, wording }: SectionInput,
): string {
  const there = hasPage ? Math.max(0, onPage) : 0;
  const inFile = hasFile ? count - there : 0;
  const where = [
    ...(there > 0 ? [wording.count(there < count ? 'more.someOnPage' : 'more.onPage', there)] : []),
    ...(inFile > 0 ? [wording.count(there > 0 ? 'more.othersInFile' : 'more.inFile', inFile)] : []),
  ];
  return [sentence, ...where].join(wording.say('separator.sentences'));
}

/** How many broadcasts are not shown, with their views and responses in the period; `null` where all are. */
export function sayMore(broadcasts: readonly DigestBroadcast[], key: PluralKey, input: SectionInput): string | null {
  const { length: count } = broadcasts;
  if (count === 0) return null;
  const { digest, wording } = input;
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
  const ofPage = new Set(digest.broadcasts.slice(0, pageLimits.broadcasts));
  const onPage = broadcasts.filter((broadcast) => ofPage.has(broadcast)).length;
  return sayElsewhere(sentence, { count, onPage }, input);
}
