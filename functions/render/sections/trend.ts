import { leastViews } from '../row-figures.ts';
import type { SectionInput } from '../input.ts';
import { alignRows } from '../texts/text-lines.ts';
import { percentOf, width } from './bars.ts';

/** So many periods have to be known before there is a trend: two are the verdict. */
const fewestPeriods = 3;

/** Views of the last periods, oldest first, as bars of one tone, with the responses; `null` for fewer than three. */
export function viewTrend({ digest, wording, figures }: SectionInput, links: ReadonlyMap<string, string> = new Map()) {
  const { trend, period, warning } = digest;
  if (warning !== null || trend.filter(({ seen }) => seen !== null).length < fewestPeriods) return null;
  const highest = Math.max(1, ...trend.map(({ seen }) => seen ?? 0));
  const least = leastViews(digest);
  const atLeast = least === null ? null : wording.say('figure.atLeast', { count: figures.count(least) });
  const periods = trend.map(({ start, seen, responded }, index) => ({
    start,
    label: figures.beginning(start, period.kind),
    /** Where its digest is, on a page. */
    link: links.get(start) ?? null,
    /** Where this period is not whole, what the headline says: without a bar, which would compare it. */
    seen: (seen === null && index === trend.length - 1 && atLeast) || figures.count(seen),
    responded: figures.count(responded),
    bar: seen ? { first: width(percentOf(seen, highest)), rest: width(100 - percentOf(seen, highest)) } : null,
    /** Whether it is the period of this digest. */
    current: index === trend.length - 1,
  }));
  const columns = {
    label: wording.say(`column.${period.kind}`),
    seen: wording.say('column.views'),
    responded: wording.say('column.responses'),
  };
  return {
    heading: wording.count(`trend.${period.kind}`, trend.length),
    columns,
    periods,
    lines: alignRows([columns, ...periods].map(({ label, seen, responded }) => [label, seen, responded])),
  };
}
