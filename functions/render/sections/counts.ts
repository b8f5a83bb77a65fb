import type { Figures } from '../../digest/figures.ts';
import type { RowFigures } from '../row-figures.ts';
import type { Language } from '../texts/language.ts';

type Seen = Pick<Figures, 'seen' | 'audience'>;

/** How many saw it, and of how many where that is known: "36 of 93". */
export function sayOfAudience({ seen, audience }: Seen, { wording, figures }: Language): string {
  const count = figures.count(seen);
  return audience === null ? count : wording.say('seenOf', { seen: count, audience: figures.count(audience) });
}

/** Views, where there are none in words. */
export function sayViews(views: number, { wording }: Language): string {
  return views === 0 ? wording.say('count.noViews') : wording.count('count.views', views);
}

/** Views and responses: "43 views and 31 responses"; `null` where neither is known. */
export function saySums({ seen, responded }: Figures['inPeriod'], { wording }: Language): string | null {
  const sums = [
    ...(seen === null ? [] : [wording.count('count.views', seen)]),
    ...(responded === null ? [] : [wording.count('count.responses', responded)]),
  ];
  return sums.length === 0 ? null : wording.list(sums);
}

/** A count in parts, of which some stand out: "**63** of 127", "**220** saw it", "at least **12** saw it". */
export function viewCount({ seen, audience, atLeast, responded }: RowFigures, { wording, figures }: Language) {
  if (seen !== null && audience !== null) {
    return emphasize(wording.count('row.seenOf', audience, { seen: figures.count(seen) }));
  }
  if (seen !== null) return emphasize(wording.count('row.seen', seen));
  if (atLeast !== null) return emphasize(wording.count('row.atLeast', atLeast));
  return emphasize(responded === null ? wording.say('figure.none') : wording.count('row.responded', responded));
}

/**
 * A message in which what is between two asterisks is bold: `*36* of 93`. Only for messages that are filled with figures: an
 * asterisk in a name would be one of these.
 */
function emphasize(message: string) {
  return message
    .split('*')
    .map((text, index) => ({ text, strong: index % 2 === 1 }))
    .filter(({ text }) => text !== '');
}
