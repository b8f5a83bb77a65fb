import type { SectionInput } from '../input.ts';
import { alignRows } from '../texts/text-lines.ts';
import { viewBar } from './figures.ts';

/**
 * Views and response rate of the last periods, oldest first; `null` where fewer than two are known. Each bar is a share of the highest
 * views. The rates have a column where one is known.
 */
export function viewTrend({ digest: { trend, period }, wording, figures }: SectionInput) {
  if (trend.filter(({ seen }) => seen !== null).length < 2) return null;
  const none = wording.say('figure.none');
  const highest = Math.max(1, ...trend.map(({ seen }) => seen ?? 0));
  const hasRates = trend.some(({ responseRate }) => responseRate !== null);
  const periods = trend.map(({ start, seen, responseRate }, index) => {
    const rate = responseRate === null ? none : figures.rate(responseRate);
    return {
      label: figures.beginning(start, period.kind),
      seen: seen === null ? none : figures.count(seen),
      rate: hasRates ? rate : null,
      bar: seen === null ? null : viewBar(0, seen, highest).seen,
      /** Whether it is the period of this digest. */
      current: index === trend.length - 1,
    };
  });
  const columns = {
    label: wording.say('column.period'),
    seen: wording.say('tile.seen'),
    rate: hasRates ? wording.say('tile.responseRate') : null,
  };
  const lines = [columns, ...periods].map(({ label, seen, rate }) =>
    rate === null ? [label, seen] : [label, seen, rate],
  );
  return { heading: wording.say(`trend.${period.kind}`), columns, periods, lines: alignRows(lines) };
}
