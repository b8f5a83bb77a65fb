import * as v from 'valibot';
import { measureTimes, median } from '../measurement.ts';
import type { Extent, Row } from '../row.ts';
import { round } from '../table.ts';

const schema = v.object({
  ms: v.number(),
  waitingMs: v.number(),
  requests: v.number(),
  operations: v.array(v.tuple([v.string(), v.number(), v.number()])),
});
type SampleRun = v.InferOutput<typeof schema>;

const widthOfPicture = 60;

/** The whole run of the sample account through the bundles, and the naive script beside it. */
export async function sampleRunRows({ times, short }: Extent): Promise<Row[]> {
  const latencyMs = short ? 5 : 50;
  const subscribers = short ? 5 : 20;
  const input = { latencyMs, subscribers };
  const ours = await measureTimes(times, 'sample-run', { ...input, way: 'ours' }, schema);
  const naive = await measureTimes(times, 'sample-run', { ...input, way: 'naive' }, schema);
  const typical = ours.toSorted((one, other) => one.ms - other.ms)[Math.floor(ours.length / 2)];
  const naiveMs = median(naive.map(({ ms }) => ms));
  const share = median(ours.map(({ waitingMs, operations }) => waitingMs / lengthOf(operations)));
  const lasted = median(ours.map(({ operations }) => lengthOf(operations)));
  return [
    {
      what: `the sample account at ${latencyMs} ms, ${subscribers} subscribers, trigger to last mail`,
      against: 'waiting for the service',
      measured: `${round(lasted / 1000)} s, ${round(share * 100)} % of it waiting`,
      figure: share,
      target: 'shown',
      met: null,
      ...(typical === undefined ? {} : { note: picture(typical) }),
    },
    {
      what: 'a naive script on the same account',
      against: `ours, ${round(lasted / 1000)} s`,
      measured: `${round(naiveMs / 1000)} s, ${median(naive.map(({ requests }) => requests))} requests (ours ${typical?.requests ?? 0})`,
      figure: naiveMs / lasted,
      target: 'shown',
      met: null,
    },
  ];
}

function lengthOf(operations: SampleRun['operations']): number {
  return Math.max(...operations.map(([, , end]) => end));
}

/** A line an operation, from the trigger to the receipt. */
function picture({ operations }: SampleRun): string {
  const whole = lengthOf(operations);
  const place = (ms: number): number => Math.round((ms / whole) * widthOfPicture);
  const widest = Math.max(...operations.map(([name]) => name.length));
  return operations
    .map(([name, start, end]) => {
      const bar = '#'.repeat(Math.max(1, place(end) - place(start)));
      return `  ${name.padEnd(widest)} ${' '.repeat(place(start))}${bar} ${end - start} ms`;
    })
    .join('\n');
}
