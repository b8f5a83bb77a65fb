import * as v from 'valibot';
import { measureTimes, median } from '../measurement.ts';
import type { Extent, Row } from '../row.ts';
import { round } from '../table.ts';

const mjmlSchema = v.object({ ms: v.number() });
const oursSchema = v.object({ ...mjmlSchema.entries, furtherMs: v.number() });

const targets = [
  { rows: 20, timesLess: 20 },
  { rows: 200, timesLess: 15 },
  { rows: 1_000, timesLess: 10 },
];
/** A run's digest is rendered and encoded once for all of its subscribers. */
const subscribers = 20;
/** A run has one first message, so it may take as long as a mail library needs to encode it: nobody waits for it. */
const firstMsAtMost = 10;

/** A message of a run of twenty subscribers, against MJML at run time. */
export async function messageRows({ times, short }: Extent): Promise<Row[]> {
  const rows: Row[] = [];
  for (const target of short ? targets.slice(0, 1) : targets) {
    const input = { rows: target.rows, repetitions: short ? 1 : 9, warmUps: short ? 1 : 900 };
    const ours = await measureTimes(times, 'message', { ...input, way: 'ours' }, oursSchema);
    const mjml = await measureTimes(times, 'message', { ...input, way: 'mjml' }, mjmlSchema);
    const mjmlMs = median(mjml.map(({ ms }) => ms));
    const firstMs = median(ours.map(({ ms }) => ms));
    const furtherMs = median(ours.map((run) => run.furtherMs));
    const meanMs = (firstMs + (subscribers - 1) * furtherMs) / subscribers;
    const timesLess = mjmlMs / meanMs;
    rows.push({
      what: `a message of ${target.rows} rows (html, text, MIME), one of ${subscribers}`,
      against: `MJML at run time on the same data, ${round(mjmlMs)} ms`,
      measured: `${round(meanMs)} ms: the first ${round(firstMs)} ms, each further one ${round(furtherMs)} ms`,
      figure: timesLess,
      target: `at least ${target.timesLess} times less${target.rows === 200 ? `, the first under ${firstMsAtMost} ms` : ''}`,
      met: timesLess >= target.timesLess && (target.rows !== 200 || firstMs < firstMsAtMost),
    });
  }
  return rows;
}
