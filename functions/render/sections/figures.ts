import type { DigestBroadcast } from '../../domain/digest.ts';
import type { Language } from '../texts/language.ts';
import { alignRows } from '../texts/text-lines.ts';

/** Whether the service gave responses but no views. That is not said to be seen by nobody. */
export function lacksViews({ seen, responded }: { seen: number | null; responded: number | null }): boolean {
  return seen === 0 && responded !== null && responded > 0;
}

/** Responses count only where something is asked; `null` elsewhere, and where they are not known. */
export function responsesTo(
  asks: boolean | null,
  figures: { readonly responded: number | null } | null,
): number | null {
  return asks === false ? null : (figures?.responded ?? null);
}

/** What the full width of all bars of a mail or page is: each broadcast's audience, or, where none is known, one count. */
export type Scale = 'audience' | number;

/** The scale for some broadcasts: the most seen one has the full width where no audience is known. */
export function scaleOf(broadcasts: readonly DigestBroadcast[]): Scale {
  if (broadcasts.some(({ audience }) => audience !== null && audience > 0)) return 'audience';
  return Math.max(1, ...broadcasts.map(({ seen }) => seen ?? 0));
}

/** What a broadcast's bars are a share of; `null` for one that has none. */
export function wholeOf({ audience }: Pick<DigestBroadcast, 'audience'>, scale: Scale): number | null {
  return scale === 'audience' ? audience || null : scale;
}

/** The parts of a bar, as widths that together are 100%; `null` for one without any width. */
export interface BarView {
  /** The first part: of those who saw it, those who responded. */
  first: string | null;
  second: string | null;
  rest: string | null;
  /** Whether the rest has a colour: it is people who have not seen it. */
  track: boolean;
}

/** A bar of two parts, the first within `all`, of `whole`; `null` where one is not known. */
export function viewBar(first: number | null, all: number | null, whole: number | null, scale: Scale): BarView | null {
  if (all === null || whole === null) return null;
  const to = percentOf(all, whole);
  const of = Math.min(percentOf(first ?? 0, whole), to);
  return { first: width(of), second: width(to - of), rest: width(100 - to), track: scale === 'audience' };
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
export function viewLegend(broadcasts: readonly DigestBroadcast[], scale: Scale, { wording }: Language) {
  if (!broadcasts.some((broadcast) => wholeOf(broadcast, scale) !== null)) return null;
  const isShare = scale === 'audience';
  const lacksBars = broadcasts.some((broadcast) => wholeOf(broadcast, scale) === null);
  const noBar = lacksBars ? wording.say('legend.noBar') : null;
  return {
    responded: wording.say('legend.responded'),
    seen: wording.say('legend.seen'),
    rest: isShare ? wording.say('legend.rest') : null,
    note: isShare ? noBar : wording.count('legend.scale', scale),
  };
}

/** A row of a table: a content item, or a broadcast, with views and responses; `null` shows a dash. */
interface Counted {
  name: string;
  detail: string | null;
  seen: number | null;
  responded: number | null;
}

/** Views and responses of some things: a table for the html, and its lines for the text part. */
export function viewTable<Row extends Counted>(
  name: string,
  words: 'people' | 'counts',
  counted: readonly Row[],
  { wording, figures }: Language,
) {
  const none = wording.say('figure.none');
  const [seen, responded] =
    words === 'people' ? (['count.seen', 'count.responded'] as const) : (['count.views', 'count.responses'] as const);
  return {
    columns: { name, seen: wording.say(`column.${words}.seen`), responded: wording.say(`column.${words}.responded`) },
    rows: counted.map((row) => ({
      ...row,
      seen: row.seen === null ? none : figures.count(row.seen),
      responded: row.responded === null ? none : figures.count(row.responded),
    })),
    lines: alignRows(
      counted.map((row) => [
        row.detail === null ? row.name : [row.name, row.detail].join(wording.say('separator.list')),
        row.seen === null ? none : wording.count(seen, row.seen),
        row.responded === null ? '' : wording.count(responded, row.responded),
      ]),
    ),
  };
}

/** How many saw it, and of how many where that is known: "36 of 93". */
export function sayOfAudience(
  { seen, audience }: { seen: number; audience: number | null },
  { wording, figures }: Language,
): string {
  const count = figures.count(seen);
  return audience ? wording.say('seenOf', { seen: count, audience: figures.count(audience) }) : count;
}
