import * as v from 'valibot';
import { measureTimes, median } from '../measurement.ts';
import type { Extent, Row } from '../row.ts';
import { round } from '../table.ts';

const schema = v.object({ ratio: v.number(), countedUs: v.number(), parsedUs: v.number() });

/** Waiting for the service takes a hundred times as long: what is saved below this is worth no line of code. */
const ratioAtMost = 3;

/** The processor time of a request, from bytes to counts. */
export async function countingRows({ times, short }: Extent): Promise<Row[]> {
  const rows: Row[] = [];
  for (const length of short ? [20] : [20, 1_000]) {
    const input = { rows: length, repetitions: short ? 3 : 25 };
    const runs = await measureTimes(times, 'count', input, schema);
    const ratio = median(runs.map(({ ratio }) => ratio));
    rows.push({
      what: `processor time of an answer of ${length} recipients, from bytes to counts`,
      against: `JSON.parse of the same bytes, ${round(median(runs.map(({ parsedUs }) => parsedUs)))} µs`,
      measured: `${round(median(runs.map(({ countedUs }) => countedUs)))} µs`,
      figure: ratio,
      target: `at most ${ratioAtMost.toFixed(1)}`,
      met: ratio <= ratioAtMost,
    });
  }
  return rows;
}
