import type { Digest, PeriodFigures } from '../../domain/digest.ts';
import type { SectionInput } from '../input.ts';
import type { Language } from '../texts/language.ts';
import { alignRows } from '../texts/text-lines.ts';

const FIGURES = ['seen', 'responseRate', 'broadcasts'] as const satisfies (keyof PeriodFigures)[];

/** The longest value in large type, in characters: a million has more. */
const LARGE_TYPE = 7;

type FigureName = (typeof FIGURES)[number];

/** The three figures of the period, and what the rate is of; `null` where its totals are left out. */
export function viewTiles(input: SectionInput) {
  const { totals } = input.digest;
  if (totals.seen === null) return null;
  const notes = [...sayRateOf(totals, input), ...sayNoComparison(totals, input)];
  const tiles = FIGURES.map((name) => viewTile(name, totals, input));
  const lines = alignRows(tiles.map(({ label, value }) => [label, value]));
  return {
    tiles,
    /** Whether a value is too long for the large type: in a row of three on a phone it would widen the mail. */
    long: tiles.some(({ value }) => value.length > LARGE_TYPE),
    lines: lines.map((line, index) => [line, tiles[index]?.notes.join(', ') ?? ''].join('  ')),
    note: notes.join(input.wording.say('separator.sentences')),
  };
}

/** One figure of the period, with its change or what else belongs to it. */
function viewTile(name: FigureName, totals: Digest['totals'], language: Language) {
  const { wording } = language;
  const value = totals[name];
  const change = value === null ? null : sayChange(name, totals, language);
  const { deliveries } = totals;
  return {
    label: wording.say(`tile.${name}`),
    value: value === null ? wording.say('figure.none') : showFigure(name, value, language),
    notes: [
      change,
      name === 'broadcasts' && deliveries !== null ? wording.count('count.deliveries', deliveries) : null,
    ].filter((note) => note !== null),
  };
}

/** The change of a figure as it can be read off the two that are shown: "+80 (was 292)". `null` where there is none. */
function sayChange(name: FigureName, totals: Digest['totals'], language: Language): string | null {
  const { wording } = language;
  const [value, before] = [totals[name], totals.previous?.[name] ?? null];
  if (totals.comparison.basis === 'none' || value === null || before === null) return null;
  const previous = showFigure(name, before, language);
  if (previous === showFigure(name, value, language)) return wording.say('tile.same', { previous });
  return wording.say('tile.change', { change: showChange(name, value, before, language), previous });
}

function showFigure(name: FigureName, value: number, { figures }: Language): string {
  return name === 'responseRate' ? figures.rate(value) : figures.count(value);
}

function showChange(name: FigureName, value: number, before: number, { figures }: Language): string {
  return name === 'responseRate' ? figures.points(value, before) : figures.change(value - before);
}

/** What the response rate is of, and the share of the views where nothing was asked. */
function sayRateOf({ seen, asked, previous, comparison }: Digest['totals'], { wording, figures }: Language): string[] {
  if (seen === null || asked === null || seen === 0) return [];
  if (asked.seen === 0) return asked.responded === 0 ? [wording.say('tiles.nothingAsked')] : [];
  const rateOf = wording.count('tiles.rateOf', asked.answered, { seen: figures.count(asked.seen) });
  const rest = seen - asked.seen;
  if (rest === 0) return [rateOf];
  const share = figures.rate(rest / seen);
  const before = comparison.basis === 'none' ? null : shareNotAsked(previous);
  return [
    rateOf,
    before === null
      ? wording.count('tiles.rest', rest, { share })
      : wording.count('tiles.restBefore', rest, { share, before: figures.rate(before) }),
  ];
}

function shareNotAsked(figures: PeriodFigures | null): number | null {
  if (figures === null || figures.seen === null || figures.asked === null || figures.seen === 0) return null;
  return (figures.seen - figures.asked.seen) / figures.seen;
}

/** The one sentence that says why there is no change, or none of the rate. */
function sayNoComparison({ comparison, previous, responseRate }: Digest['totals'], language: Language): string[] {
  const { wording, figures } = language;
  if (comparison.basis === 'none') {
    const { start, end } = comparison.lacking;
    return [wording.say(`comparison.${comparison.reason}`, { period: figures.days(start, end, 'long') })];
  }
  const rateLacks = responseRate !== null && previous !== null && previous.asked === null;
  return rateLacks ? [wording.say('comparison.rate')] : [];
}
