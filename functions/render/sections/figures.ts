import type { Engaged } from '../../domain/digest.ts';
import type { PeriodKind } from '../../domain/period.ts';
import type { Language } from '../texts/language.ts';
import { alignRows } from '../texts/text-lines.ts';

/** Whether the service gave responses but no views. That is not said to be seen by nobody. */
export function lacksViews({ seen, responded }: { seen: number | null; responded: number | null }): boolean {
  return seen === 0 && responded !== null && responded > 0;
}

/** The parts of a bar, as widths that together are 100%; `null` for one without any width. */
interface BarView {
  responded: string | null;
  /** Saw it and did not respond. */
  seen: string | null;
  rest: string | null;
}

/** The bar of how many of `whole` saw something and how many responded. */
export function viewBar(responded: number, seen: number, whole: number): BarView {
  const ends = endsOf(responded, seen, whole);
  return { responded: width(ends.responded), seen: width(ends.seen - ends.responded), rest: width(100 - ends.seen) };
}

/** Where the two parts of such a bar end, as a page draws it. */
export function viewEnds(responded: number, seen: number, whole: number): { responded: string; seen: string } {
  const ends = endsOf(responded, seen, whole);
  return { responded: `${ends.responded}%`, seen: `${ends.seen}%` };
}

/**
 * Those who responded count as a part of those who saw it, also where more responded than saw. Anything above zero is at least
 * 1% wide, and only all of it is 100%.
 */
function endsOf(responded: number, seen: number, whole: number): { responded: number; seen: number } {
  const toSeen = percentOf(seen, whole);
  return { responded: Math.min(percentOf(responded, whole), toSeen), seen: toSeen };
}

function percentOf(part: number, whole: number): number {
  if (part <= 0 || whole <= 0) return 0;
  return part >= whole ? 100 : Math.min(99, Math.max(1, Math.round((part / whole) * 100)));
}

function width(percent: number): string | null {
  return percent === 0 ? null : `${percent}%`;
}

/** What a row of a table is about: a content item, or an older broadcast. */
interface Counted {
  name: string;
  detail: string | null;
  /** `null` where the service gave no views. */
  seen: number | null;
  responded: number;
}

/** How many saw some things and responded to them: a table for the html, and its lines for the text part. */
export function viewTable<Row extends Counted>(name: string, counted: readonly Row[], language: Language) {
  const { wording, figures } = language;
  const none = wording.say('figure.none');
  return {
    columns: nameColumns(name, language),
    rows: counted.map((row) => ({
      ...row,
      seen: row.seen === null ? none : figures.count(row.seen),
      responded: figures.count(row.responded),
    })),
    lines: alignRows(
      counted.map(({ name, detail, seen, responded }) => [
        detail === null ? name : [name, detail].join(wording.say('separator.list')),
        seen === null ? none : wording.count('count.seen', seen),
        wording.count('count.responded', responded),
      ]),
    ),
  };
}

/** The columns of a table: what is counted, seen, responded. */
export function nameColumns(name: string, { wording }: Language) {
  return { name, seen: wording.say('column.seen'), responded: wording.say('column.responded') };
}

/** The figures of one list of recipients: to date, of how many people, and within the period. */
interface Figures {
  seen: number | null;
  responded: number | null;
  /** Of those who saw it, how many responded. */
  answered: number | null;
  inPeriod: Engaged | null;
  /** How many people it is for; `null` where that is not known. */
  audience: number | null;
}

/**
 * What a page's row has of views and responses, each to date with its share, and in the period. Nothing is a share of an audience that
 * is not known, or a rate where nobody responded.
 */
export function viewFigures(
  { seen, responded, answered, inPeriod, audience }: Figures,
  { kind, namesAudience }: { kind: PeriodKind; namesAudience: boolean },
  language: Language,
) {
  const { wording, figures } = language;
  const none = wording.say('figure.none');
  if (seen === null || responded === null) {
    return { seen: { figure: none, inPeriod: null }, responded: { figure: none, inPeriod: null } };
  }
  const known = audience === 0 ? null : audience;
  const views = sayOfAudience(seen, namesAudience ? known : null, language);
  const rate = responded === 0 || seen === 0 || answered === null ? null : answered / seen;
  const came = (count: number | undefined): string | null =>
    count === undefined ? null : wording.say(`inPeriod.${kind}`, { count: figures.count(count) });
  const withShare = (count: string, share: number | null): string =>
    share === null ? count : wording.say('figure.share', { count, rate: figures.rate(share) });
  return {
    seen: lacksViews({ seen, responded })
      ? { figure: none, inPeriod: null }
      : { figure: withShare(views, known === null ? null : seen / known), inPeriod: came(inPeriod?.seen) },
    responded: { figure: withShare(figures.count(responded), rate), inPeriod: came(inPeriod?.responded) },
  };
}

/** How many saw it, and of how many where that is known. */
export function sayOfAudience(seen: number, audience: number | null, { wording, figures }: Language): string {
  const count = figures.count(seen);
  if (audience === null || audience === 0) return count;
  return wording.say('deliveries.seenOf', { seen: count, audience: figures.count(audience) });
}
