import type { DigestBroadcast } from '../../domain/digest.ts';
import { figuresOf, type Figures } from '../../domain/figures.ts';
import type { SectionInput } from '../input.ts';
import { anchorOf, showName } from '../texts/names.ts';
import { sayDate, viewUsual } from './block.ts';
import { viewTable, type Scale } from './figures.ts';

/** The lowest share of its audience first; then, by views, those whose audience is not known; what lacks figures last. */
export function sortForPage(broadcasts: readonly DigestBroadcast[]): DigestBroadcast[] {
  return broadcasts.toSorted((one, other) => {
    // Also a share that is not shown, of few people, has its place among the others.
    const [a, b] = [figuresOf(one, { minimumGroup: 0 }), figuresOf(other, { minimumGroup: 0 })];
    if (a.share !== null && b.share !== null) return a.share - b.share || (b.audience ?? 0) - (a.audience ?? 0);
    return rankOf(a) - rankOf(b) || (other.seen ?? -1) - (one.seen ?? -1);
  });
}

/** What is for nobody knows how many comes last. */
function rankOf({ share, audience }: Figures): number {
  return Number(share === null) + Number(audience === null);
}

/** All broadcasts of a page, a row each, to find one by eye. */
export function viewIndex(broadcasts: readonly DigestBroadcast[], scale: Scale, input: SectionInput) {
  const { digest, wording } = input;
  const names = Map.groupBy(broadcasts, (broadcast) => showName(broadcast, input));
  const rows = broadcasts.map((broadcast) => {
    const name = showName(broadcast, input);
    const usual = viewUsual(broadcast, input);
    return {
      name,
      detail: null,
      figures: figuresOf(broadcast, digest),
      link: `#${anchorOf(digest.broadcasts.indexOf(broadcast) + 1)}`,
      date: (names.get(name)?.length ?? 0) > 1 ? sayDate(broadcast, input) : null,
      /** At the age that it is compared at: "57% in 2 days". */
      usual: usual === null ? '' : wording.say('usual.short', usual),
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
