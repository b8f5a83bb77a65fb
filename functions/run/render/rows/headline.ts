import type { Digest, PeriodFigures } from '../../../domain/digest.ts';
import type { Language } from '../texts/language.ts';
import { sayReason } from '../texts/reason.ts';

/** One figure of the period: its label, its value, and its change or why there is no change. */
export interface HeadlineView {
  label: string;
  value: string;
  change: string | null;
}

const FIGURES = ['deliveries', 'seen', 'responded', 'responseRate'] as const satisfies (keyof PeriodFigures)[];

type FigureName = (typeof FIGURES)[number];

/** The four figures of the period, in pairs: a phone shows one pair above the other. */
export function viewHeadlines(totals: Digest['totals'], language: Language): HeadlineView[][] {
  const views = FIGURES.map((name) => viewHeadline(name, totals, language));
  return [views.slice(0, 2), views.slice(2)];
}

function viewHeadline(name: FigureName, totals: Digest['totals'], language: Language): HeadlineView {
  const { wording } = language;
  const label = wording.say(`headline.${name}`);
  const value = totals[name];
  if (value === null) {
    const nobody = name === 'responseRate' && totals.seen === 0;
    const change = wording.say(nobody ? 'headline.nobody' : 'headline.unavailable');
    return { label, value: wording.say('figure.none'), change };
  }
  return { label, value: showFigure(name, value, language), change: viewChange(name, value, totals, language) };
}

function viewChange(name: FigureName, value: number, totals: Digest['totals'], language: Language): string | null {
  const { wording } = language;
  if (totals.comparison.basis === 'none' || totals.previous === null) {
    return null;
  }
  const before = totals.previous[name];
  if (before === null) {
    return wording.say('headline.noPrevious');
  }
  const previous = showFigure(name, before, language);
  const change = showChange(name, value, before, language);
  return change === null
    ? wording.say('headline.same', { previous })
    : wording.say('headline.change', { change, previous });
}

/** A count, or the rate with one decimal. */
function showFigure(name: FigureName, value: number, { figures }: Language): string {
  return name === 'responseRate' ? figures.fineRate(value) : figures.count(value);
}

/** The change as it can be read off the two figures shown, or `null` where they show the same. */
export function showChange(name: FigureName, value: number, before: number, language: Language): string | null {
  const { figures } = language;
  if (showFigure(name, value, language) === showFigure(name, before, language)) {
    return null;
  }
  return name === 'responseRate' ? figures.points(value, before) : figures.change(value - before);
}

/** What the changes are measured against, or the one sentence that says why there are none. */
export function sayComparison({ totals, period }: Digest, language: Language): string {
  const { wording } = language;
  if (totals.unavailable) {
    return wording.say('comparison.unavailable', { reason: sayReason(totals.unavailable, language) });
  }
  if (totals.comparison.basis === 'none') {
    return wording.say(`comparison.${totals.comparison.reason}`);
  }
  const sentences = [wording.say(`comparison.${period.kind}`)];
  if (totals.comparison.basis === 'recounted') {
    sentences.push(wording.say('comparison.recounted'));
  }
  return sentences.join(wording.say('separator.sentences'));
}
