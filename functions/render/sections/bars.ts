import type { Row, RowFigures } from '../row-figures.ts';
import type { SectionInput } from '../input.ts';

/** What the full width of all bars of a mail or page is: each broadcast's audience, or, where none is known, one count. */
export type Scale = 'audience' | number;

/** The scale of rows: the most seen one has the full width where no audience is known. */
export function scaleOf(rows: readonly Row[]): Scale {
  if (rows.some(({ figures }) => figures.audience !== null)) return 'audience';
  return Math.max(1, ...rows.map(({ figures }) => figures.seen ?? 0));
}

/** The bar of a row: who saw it and responded, who saw it only, and the rest; `null` for a row without one. */
export function viewBar({ seen, answered, audience, share, isSeenByFew }: RowFigures, scale: Scale) {
  const whole = scale === 'audience' ? (share === null ? null : audience) : isSeenByFew ? null : scale;
  if (seen === null || whole === null) return null;
  const all = percentOf(seen, whole);
  const responded = Math.min(percentOf(answered ?? 0, whole), all);
  return {
    responded: width(responded),
    seen: width(all - responded),
    rest: width(100 - all),
    /** Whether the rest is people who have not seen it. */
    track: scale === 'audience',
  };
}

/** The bar of a share, with a mark at the usual one where that is larger. */
export function viewShare(share: number, usual: number | null) {
  const all = percentOf(share, 1);
  const mark = Math.max(all, percentOf(usual ?? 0, 1));
  return { seen: width(all), toMark: width(mark - all), rest: width(100 - mark) };
}

/** Anything above zero is at least 1% wide, and only all of it is 100%. */
export function percentOf(part: number, whole: number): number {
  if (part <= 0 || whole <= 0) return 0;
  return part >= whole ? 100 : Math.min(99, Math.max(1, Math.round((part / whole) * 100)));
}

export function width(percent: number): string | null {
  return percent === 0 ? null : `${percent}%`;
}

/** The colours of the bars in words, and why there are none; `null` where no row has one. */
export function viewLegend(rows: readonly Row[], scale: Scale, { wording, join }: SectionInput) {
  const without = rows.filter(({ figures }) => viewBar(figures, scale) === null);
  if (without.length === rows.length) return null;
  // What could not be read says itself why.
  const unsaid = without.filter(({ figures }) => figures.seen !== null);
  const isShare = scale === 'audience';
  const areFew = unsaid.some(({ figures }) => figures.audience !== null || !isShare);
  const notes = [
    isShare ? null : wording.count('legend.scale', scale),
    unsaid.length === 0 ? null : wording.say(areFew ? 'legend.noBarFew' : 'legend.noBar'),
  ];
  return {
    responded: wording.say('legend.responded'),
    seen: wording.say('legend.seen'),
    rest: isShare ? wording.say('legend.rest') : null,
    note: join(notes, 'sentences'),
  };
}
