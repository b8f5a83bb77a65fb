import type { Digest, DigestBroadcast } from '../../domain/digest.ts';
import { figuresOf, type Figures } from '../../domain/figures.ts';
import type { SectionInput } from '../input.ts';
import { joinFacts, type Language } from '../texts/language.ts';
import { alignRows } from '../texts/text-lines.ts';

/** What the full width of all bars of a mail or page is: each broadcast's audience, or, where none is known, one count. */
export type Scale = 'audience' | number;

/** The scale for some broadcasts: the most seen one has the full width where no audience is known. */
export function scaleOf(broadcasts: readonly DigestBroadcast[], digest: Digest): Scale {
  if (broadcasts.some((broadcast) => figuresOf(broadcast, digest).audience !== null)) return 'audience';
  return Math.max(1, ...broadcasts.map(({ seen }) => seen ?? 0));
}

/** What a broadcast's bars are a share of; `null` for one that has none, as where its share is not shown. */
export function wholeOf({ audience, share }: Pick<Figures, 'audience' | 'share'>, scale: Scale): number | null {
  return scale !== 'audience' ? scale : share === null ? null : audience;
}

/**
 * A bar of two parts, the first within `all`, of `whole`: widths that together are 100%, `null` for one without any; where the rest
 * is people who have not seen it, it has a colour, too. `null` where one of them is not known.
 */
export function viewBar(first: number | null, all: number | null, whole: number | null, scale: Scale) {
  if (all === null || whole === null) return null;
  const bothParts = percentOf(all, whole);
  const firstPart = Math.min(percentOf(first ?? 0, whole), bothParts);
  return {
    first: width(firstPart),
    second: width(bothParts - firstPart),
    rest: width(100 - bothParts),
    track: scale === 'audience',
  };
}

/** Anything above zero is at least 1% wide, and only all of it is 100%. */
function percentOf(part: number, whole: number): number {
  if (part <= 0 || whole <= 0) return 0;
  return part >= whole ? 100 : Math.min(99, Math.max(1, Math.round((part / whole) * 100)));
}

function width(percent: number): string | null {
  return percent === 0 ? null : `${percent}%`;
}

/** The colours of the bars in words, and what their full width is. */
export function viewLegend(broadcasts: readonly DigestBroadcast[], scale: Scale, { digest, wording }: SectionInput) {
  const wholes = broadcasts.map((broadcast) => wholeOf(figuresOf(broadcast, digest), scale));
  if (wholes.every((whole) => whole === null)) return null;
  const isShare = scale === 'audience';
  const noBar = wholes.includes(null) ? wording.say('legend.noBar') : null;
  return {
    responded: wording.say('legend.responded'),
    seen: wording.say('legend.seen'),
    rest: isShare ? wording.say('legend.rest') : null,
    note: isShare ? noBar : wording.count('legend.scale', scale),
  };
}

/** What a row of a table is of, with its figures. */
interface Row {
  name: string;
  detail: string | null;
  figures: Pick<Figures, 'seen' | 'responded'> & Partial<Pick<Figures, 'audience' | 'share'>>;
}

/**
 * Views and responses of some things, a row each, in the html and as a line of the text part. Those whom they are for have columns
 * where they are known of one; a dash is what is not known.
 *
 * @param whole what all bars are a share of, in place of what each is on the scale; `null` for none
 */
export function viewTable<Shown extends Row>(
  name: string,
  { rows, scale, whole }: { rows: readonly Shown[]; scale: Scale; whole?: number | null },
  { wording, figures: formats }: Language,
) {
  const none = wording.say('figure.none');
  const count = (figure: number | null): string => (figure === null ? none : formats.count(figure));
  const hasAudience = rows.some(({ figures }) => figures.audience != null);
  const cells = rows.map((row) => {
    const { seen, audience = null, share = null, responded } = row.figures;
    return {
      ...row,
      seen: count(seen),
      hasAudience,
      audience: count(audience),
      share: share === null ? none : formats.rate(share),
      responded: count(responded),
      bar: viewBar(responded, seen, whole === undefined ? wholeOf({ audience, share }, scale) : whole, scale),
    };
  });
  const lines = alignRows(
    cells.map(({ figures: { seen, audience = null, responded }, detail, share, ...row }) => {
      const name = joinFacts([row.name, detail], wording.say('separator.list')) ?? '';
      const answers = responded === null ? '' : wording.count('count.responded', responded);
      return hasAudience
        ? [name, sayOfAudience({ seen, audience }, { wording, figures: formats }), share, answers]
        : [name, seen === null ? none : wording.count('count.seen', seen), answers];
    }),
  );
  return {
    columns: {
      name,
      seen: wording.say('column.people.seen'),
      audience: hasAudience ? wording.say('column.audience') : null,
      share: hasAudience ? wording.say('column.share') : null,
      responded: wording.say('column.people.responded'),
      /** Of the page's index. */
      usual: null as string | null,
    },
    rows: cells.map((cell, index) => Object.assign(cell, { line: lines[index] ?? '' })),
  };
}

/** How many saw it, and of how many where that is known: "36 of 93". */
export function sayOfAudience(
  { seen, audience }: Pick<Figures, 'seen' | 'audience'>,
  { wording, figures: formats }: Pick<Language, 'wording' | 'figures'>,
): string {
  const count = seen === null ? wording.say('figure.none') : formats.count(seen);
  return audience === null ? count : wording.say('seenOf', { seen: count, audience: formats.count(audience) });
}

/** Views and responses in one line; `null` where neither is known. */
export function sayViewsAndResponses(
  { seen, responded }: Pick<Figures, 'seen' | 'responded'>,
  { wording }: Pick<Language, 'wording'>,
): string | null {
  const counts = [
    seen === null ? null : wording.count('count.views', seen),
    responded === null ? null : wording.count('count.responses', responded),
  ];
  return joinFacts(counts, wording.say('separator.list'));
}
