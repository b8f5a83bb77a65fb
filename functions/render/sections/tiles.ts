import { addUp, figuresOf } from '../../domain/figures.ts';
import type { SectionInput } from '../input.ts';
import type { Language } from '../texts/language.ts';
import { alignRows } from '../texts/text-lines.ts';

/** The longest value in large type, in characters: a million has more. */
const longestInLargeType = 7;

/** Responses, views, and how many of those whom new broadcasts are for they reached; `null` where the totals are left out. */
export function viewTiles(input: SectionInput) {
  const { totals } = input.digest;
  const { seen, responded, comparison } = totals;
  if (seen === null) return null;
  const previous = comparison.basis === 'none' ? null : totals.previous;
  const tiles = [
    viewTile('tile.responses', responded, previous && previous.responded, input),
    viewTile('tile.views', seen, previous && previous.seen, input),
    viewReach(input) ?? viewTile('tile.broadcasts', totals.broadcasts, previous && previous.broadcasts, input),
  ];
  const lines = alignRows(tiles.map(({ label, value }) => [label, value]));
  return {
    tiles,
    /** Whether a value is too long for the large type: in a row of three on a phone it would widen the mail. */
    long: tiles.some(({ value }) => value.length > longestInLargeType),
    lines: tiles.map(({ change, note }, index) => [lines[index], change?.said ?? note ?? ''].join('  ')),
  };
}

/** A figure with its change against the period before; `null` shows a dash. */
function viewTile(
  label: 'tile.responses' | 'tile.views' | 'tile.broadcasts',
  now: number | null,
  before: number | null,
  { wording, figures }: Language,
) {
  const value = now === null ? wording.say('figure.none') : figures.count(now);
  const tile = { label: wording.say(label), value, change: null, note: null };
  if (now === null || before === null) return tile;
  if (now === before) return { ...tile, note: wording.say('tile.same') };
  const change = Math.abs(now - before);
  const direction = now < before ? 'fewer' : 'more';
  return {
    ...tile,
    change: {
      isLess: now < before,
      word: wording.say(`tile.${direction}.word`),
      count: figures.count(change),
      /** The whole of it, in words. */
      said: wording.count(`tile.${direction}`, change, { previous: figures.count(before) }),
    },
  };
}

/** How many had seen the period's new broadcasts by its end, where their audiences are known; `null` where none is. */
function viewReach({ digest, wording, figures }: SectionInput) {
  const fresh = digest.broadcasts.filter(({ kind }) => kind === 'new');
  const known = fresh.filter(({ audience }) => (audience ?? 0) > 0);
  const { audience, inPeriod } = addUp(known);
  const { seen, share } = figuresOf({ seen: inPeriod?.seen ?? null, responded: null, audience }, digest);
  if (seen === null || audience === null || share === null) return null;
  const reached = wording.say('seenOf', { seen: figures.count(seen), audience: figures.count(audience) });
  const note =
    known.length === fresh.length
      ? reached
      : wording.say('tile.reach.known', {
          reached,
          known: figures.count(known.length),
          all: figures.count(fresh.length),
        });
  return { label: wording.say('tile.reach'), value: figures.rate(share), change: null, note };
}
