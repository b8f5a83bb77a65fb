import type { Digest } from '../../../domain/digest.ts';
import type { ColoursView } from './colours.ts';
import { viewBar } from './content-rows.ts';
import type { Language } from '../texts/language.ts';

/** The colour of earlier periods' bars, fainter than this period's. */
const EARLIER = '#a9b5c1';

/** Views of one period. The bar shows its share of the highest; it is `null` where the figure is not known. */
export interface TrendPeriodView {
  label: string;
  value: string;
  bar: string | null;
  /** Class and colour of the bar, and the weight of the value, which emphasize this period. */
  shade: 'f' | 'e';
  colour: string;
  weight: 'bold' | 'normal';
}

/** Views of the last periods, oldest first. */
export interface TrendView {
  heading: string;
  periods: TrendPeriodView[];
}

/** The trend of a digest, or `null` where fewer than two periods are known. */
export function viewTrend({ trend = [], period }: Digest, colours: ColoursView, language: Language): TrendView | null {
  const { wording, figures } = language;
  if (trend.filter(({ seen }) => seen !== null).length < 2) return null;
  const highest = Math.max(1, ...trend.map(({ seen }) => seen ?? 0));
  const periods = trend.map(({ start, seen }, index): TrendPeriodView => {
    const current = index === trend.length - 1;
    return {
      label: figures.beginning(start, period.kind),
      value: seen === null ? wording.say('figure.none') : figures.count(seen),
      bar: seen === null ? null : viewBar(seen / highest),
      shade: current ? 'f' : 'e',
      colour: current ? colours.accent : EARLIER,
      weight: current ? 'bold' : 'normal',
    };
  });
  return { heading: wording.say(`trend.${period.kind}`), periods };
}
