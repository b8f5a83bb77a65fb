import type { DigestBroadcast } from '../../domain/digest.ts';
import { figuresOf } from '../../domain/figures.ts';
import type { SectionInput } from '../input.ts';
import { anchorOf, showName } from '../texts/names.ts';
import { sayDate } from './block.ts';
import { viewTable, wholeOf, type Scale } from './figures.ts';
import { sayAge } from './at-age.ts';

/** The lowest share of its audience first; then, by views, those whose audience is not known; what lacks figures last. */
export function sortForPage(broadcasts: readonly DigestBroadcast[]): DigestBroadcast[] {
  return broadcasts.toSorted((one, other) => {
    const [a, b] = [figuresOf(one), figuresOf(other)];
    if (a.share !== null && b.share !== null) return a.share - b.share || (b.audience ?? 0) - (a.audience ?? 0);
    return Number(a.share === null) - Number(b.share === null) || (other.seen ?? -1) - (one.seen ?? -1);
  });
}

/** All broadcasts of a page, a row each, to find one by eye. */
export function viewIndex(broadcasts: readonly DigestBroadcast[], scale: Scale, input: SectionInput) {
  const { digest, wording } = input;
  const names = Map.groupBy(broadcasts, (broadcast) => showName(broadcast, input));
  const rows = broadcasts.map((broadcast) => {
    const name = showName(broadcast, input);
    return {
      name,
      detail: null,
      figures: figuresOf(broadcast),
      whole: wholeOf(broadcast, scale),
      link: `#${anchorOf(broadcast, digest)}`,
      date: (names.get(name)?.length ?? 0) > 1 ? sayDate(broadcast, input) : null,
      usual: sayUsualThen(broadcast, input),
      /** What is said above the first of those whose audience is not known. */
      above: null as string | null,
    };
  });
  const firstUnknown = rows.find(({ figures }) => figures.audience === null);
  if (scale === 'audience' && firstUnknown !== undefined) firstUnknown.above = wording.say('index.unknown');
  const { columns, ...table } = viewTable(wording.say('column.broadcast'), 'people', { rows, scale }, input);
  return {
    heading: wording.count('index.heading', digest.broadcasts.length),
    note: wording.say(scale === 'audience' ? 'index.byShare' : 'index.byViews'),
    ...table,
    columns: { ...columns, usual: rows.some(({ usual }) => usual !== '') ? wording.say('column.usual') : null },
  };
}

/** What is usual at the age that a broadcast is compared at: "57% in 2 days". */
function sayUsualThen({ atAge }: DigestBroadcast, { wording, figures: formats }: SectionInput): string {
  if (atAge?.usual == null) return '';
  return wording.say('usual.short', { usual: formats.rate(atAge.usual.share), age: sayAge(atAge.hours, wording) });
}
