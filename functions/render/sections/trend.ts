import type { Digest } from '../../domain/digest.ts';
import { alignRows } from '../texts/columns.ts';
import type { Language } from '../texts/language.ts';
import { viewBar } from './bars.ts';

/** One period: the bar is its share of the highest views. */
export interface TrendPeriodView {
  label: string;
  seen: string;
  rate: string | null;
  bar: string | null;
  /** Whether it is the period of this digest. */
  current: boolean;
}

/** Views and response rate of the last periods, oldest first. */
export interface TrendView {
  heading: string;
  columns: { period: string; seen: string; rate: string | null };
  periods: TrendPeriodView[];
  /** The rows for the text part. */
  lines: string[];
}

/** The trend of a digest; `null` where fewer than two periods are known. The rates have a column where one is known. */
export function viewTrend({ trend, period }: Digest, language: Language): TrendView | null {
  const { wording, figures } = language;
  if (trend.filter(({ seen }) => seen !== null).length < 2) return null;
  const none = wording.say('figure.none');
  const highest = Math.max(1, ...trend.map(({ seen }) => seen ?? 0));
  const hasRates = trend.some(({ responseRate }) => responseRate !== null);
  const periods = trend.map(({ start, seen, responseRate }, index): TrendPeriodView => {
    const rate = responseRate === null ? none : figures.rate(responseRate);
    return {
      label: figures.beginning(start, period.kind),
      seen: seen === null ? none : figures.count(seen),
      rate: hasRates ? rate : null,
      bar: seen === null ? null : viewBar(0, seen, highest).seen,
      current: index === trend.length - 1,
    };
  });
  const columns = {
    period: wording.say('column.period'),
    seen: wording.say('tile.seen'),
    rate: hasRates ? wording.say('tile.responseRate') : null,
  };
  const rows = periods.map(({ label, seen, rate }) => [label, seen, ...(rate === null ? [] : [rate])]);
  const head = [columns.period, columns.seen, ...(columns.rate === null ? [] : [columns.rate])];
  return { heading: wording.say(`trend.${period.kind}`), columns, periods, lines: alignRows([head, ...rows]) };
}
