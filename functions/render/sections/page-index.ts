import type { DigestBroadcast } from '../../domain/digest.ts';
import type { SectionInput } from '../input.ts';
import { anchorOf, showName } from '../texts/names.ts';
import { sayDate } from './block.ts';
import { lacksViews, responsesTo, viewBar, wholeOf, type Scale } from './figures.ts';
import { sayAge } from './at-age.ts';

/** What the audience of a broadcast is of which it is known how many of them saw it; `null` for others. */
function knownAudience(broadcast: DigestBroadcast): number | null {
  return broadcast.seen === null || lacksViews(broadcast) ? null : broadcast.audience || null;
}

/** The lowest share of its audience first; then, by views, those whose audience is not known; what lacks figures last. */
export function sortForPage(broadcasts: readonly DigestBroadcast[]): DigestBroadcast[] {
  return broadcasts.toSorted((one, other) => {
    const [a, b] = [knownAudience(one), knownAudience(other)];
    if (a !== null && b !== null) return (one.seen ?? 0) / a - (other.seen ?? 0) / b || b - a;
    return Number(a === null) - Number(b === null) || (other.seen ?? -1) - (one.seen ?? -1);
  });
}

/** All broadcasts of a page, a row each, to find one by eye. */
export function viewIndex(broadcasts: readonly DigestBroadcast[], scale: Scale, input: SectionInput) {
  const { digest, wording } = input;
  const names = Map.groupBy(broadcasts, (each) => showName(each, input));
  const firstUnknown = scale === 'audience' ? broadcasts.findIndex((each) => knownAudience(each) === null) : -1;
  return {
    heading: wording.count('index.heading', digest.broadcasts.length),
    note: wording.say(scale === 'audience' ? 'index.byShare' : 'index.byViews'),
    columns: {
      name: wording.say('column.broadcast'),
      seen: wording.say('column.people.seen'),
      audience: scale === 'audience' ? wording.say('column.audience') : null,
      share: wording.say('column.share'),
      responded: wording.say('column.people.responded'),
      usual: broadcasts.some(({ atAge }) => atAge?.usual) ? wording.say('column.usual') : null,
    },
    rows: broadcasts.map((broadcast, index) => {
      const name = showName(broadcast, input);
      return Object.assign(viewRow(broadcast, scale, input), {
        name,
        link: `#${anchorOf(broadcast, digest)}`,
        date: (names.get(name)?.length ?? 0) > 1 ? sayDate(broadcast, input) : null,
        /** What is said above the first of those whose audience is not known. */
        above: index === firstUnknown ? wording.say('index.unknown') : null,
      });
    }),
  };
}

function viewRow(broadcast: DigestBroadcast, scale: Scale, { wording, figures }: SectionInput) {
  const { seen, asks, atAge } = broadcast;
  const none = wording.say('figure.none');
  const audience = knownAudience(broadcast);
  const responded = responsesTo(asks, broadcast);
  const { usual = null, hours = 0 } = atAge ?? {};
  return {
    seen: seen === null || lacksViews(broadcast) ? none : figures.count(seen),
    audience: audience === null ? '' : figures.count(audience),
    share: audience === null ? '' : figures.rate((seen ?? 0) / audience),
    responded: responded === null ? none : figures.count(responded),
    usual:
      usual === null
        ? ''
        : wording.say('usual.short', { usual: figures.rate(usual.share), age: sayAge(hours, wording) }),
    bar: lacksViews(broadcast) ? null : viewBar(responded, seen, wholeOf(broadcast, scale), scale),
  };
}
