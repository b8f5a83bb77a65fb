import * as v from 'valibot';
import { measureTimes, median } from '../measurement.ts';
import type { Extent, Row } from '../row.ts';
import { round } from '../table.ts';

const schema = v.object({
  firstMs: v.number(),
  furtherMs: v.number(),
  mjmlMs: v.number(),
  bytes: v.number(),
});

const targets = [
  { rows: 20, timesLess: 20 },
  { rows: 200, timesLess: 15 },
  { rows: 1_000, timesLess: 10 },
];
/** A run's digest is rendered and encoded once for all of its subscribers. */
const subscribers = 20;

/** A message of a run of twenty subscribers, against MJML at run time. */
export async function messageRows({ times, short }: Extent): Promise<Row[]> {
  const rows: Row[] = [];
  for (const target of targets) {
    const order = { rows: target.rows, repetitions: short ? 2 : 9 };
    const runs = await measureTimes(times, 'message', order, schema);
    const of = (figure: 'firstMs' | 'furtherMs' | 'mjmlMs' | 'bytes'): number => median(runs.map((run) => run[figure]));
    const ours = (of('firstMs') + (subscribers - 1) * of('furtherMs')) / subscribers;
    const timesLess = of('mjmlMs') / ours;
    rows.push({
      what: `a message of ${target.rows} rows (html, text, MIME), one of ${subscribers}`,
      against: `MJML at run time on the same data, ${round(of('mjmlMs'))} ms`,
      measured: `${round(ours)} ms: the first ${round(of('firstMs'))} ms, each further one ${round(of('furtherMs'))} ms`,
      figure: timesLess,
      target: `at least ${target.timesLess} times less${target.rows === 200 ? ', the first under 2 ms' : ''}`,
      met: timesLess >= target.timesLess && (target.rows !== 200 || of('firstMs') < 2),
    });
  }
  return rows;
}
