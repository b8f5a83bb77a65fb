import * as v from 'valibot';
import { measureTimes, median } from '../measurement.ts';
import type { Extent, Row } from '../row.ts';
import { round } from '../table.ts';

const pageSchema = v.object({ ms: v.number(), bytes: v.number() });

/** A reader waits for the page. */
const msUnder = 100;
/** So much is loaded in a second on a slow phone. */
const bytesAtMost = 100_000;

/** The page of a large digest: how long it takes to render in a function that is warm, and how much is sent. */
export async function pageRows({ times, short }: Extent): Promise<Row[]> {
  const input = { repetitions: short ? 1 : 25, warmUps: short ? 1 : 25 };
  const measured = await measureTimes(times, 'page', input, pageSchema);
  const ms = median(measured.map((each) => each.ms));
  const bytes = median(measured.map((each) => each.bytes));
  return [
    {
      what: 'a page of 400 deliveries, each with 8 content items',
      against: 'a reader who waits for it',
      measured: `${round(ms)} ms, ${round(bytes / 1000)} KB gzipped`,
      figure: ms,
      target: `under ${msUnder} ms and ${bytesAtMost / 1000} KB`,
      met: ms < msUnder && bytes <= bytesAtMost,
    },
  ];
}
