import type { SectionInput } from '../input.ts';
import { alignRows } from '../texts/text-lines.ts';
import { viewBar } from './figures.ts';

/** So many periods have to be known before there is a trend: two are the tiles and what they were. */
const fewestPeriods = 3;

/** Whether enough periods are known for a trend. */
export function hasTrend({ digest: { trend } }: SectionInput): boolean {
  return trend.filter(({ seen }) => seen !== null).length >= fewestPeriods;
}

/**
 * Views of the last periods, oldest first, in two shades: of what asks, and of what only informs; and the responses. Each bar is a
 * share of the highest views.
 */
export function viewTrend({ digest: { trend, period }, wording, figures }: SectionInput) {
  const none = wording.say('figure.none');
  const highest = Math.max(1, ...trend.map(({ seen }) => seen ?? 0));
  const periods = trend.map(({ start, seen, responded, asked }, index) => {
    return {
      start,
      label: figures.beginning(start, period.kind),
      /** Where its digest is, on a page. */
      link: null as string | null,
      seen: seen === null ? none : figures.count(seen),
      responded: responded === null ? none : figures.count(responded),
      bar: viewBar(asked?.seen ?? 0, asked === null ? null : seen, highest, highest),
      missing: seen === null ? wording.say('trend.missing') : null,
      /** Whether it is the period of this digest. */
      current: index === trend.length - 1,
    };
  });
  const columns = {
    label: wording.say(`column.${period.kind}`),
    seen: wording.say('tile.views'),
    responded: wording.say('tile.responses'),
  };
  return {
    heading: wording.count(`trend.${period.kind}`, trend.length),
    legend: { asks: wording.say('legend.asks'), informs: wording.say('legend.informs') },
    columns,
    periods,
    lines: alignRows([columns, ...periods].map(({ label, seen, responded }) => [label, seen, responded])),
  };
}
